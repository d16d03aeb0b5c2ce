/*
 * adapter.c - where core and server meet
 *
 * The core asks its caller for three things: memory that may be refused, a way
 * to give it back, and an answer to "should I stop?".  It reports failure as a
 * RibbonStatus.  Here these become memory contexts, interrupts and ereport.
 *
 * Interrupts.  An interrupt ends in a longjmp, and the core must not be jumped
 * out of: it would leak.  So the callback lets the server throw, catches, and
 * tells the core to stop; once the core has tidied up and returned
 * RIBBON_INTERRUPTED, the error is thrown on.  That is what PG_FINALLY
 * does, only with the core's own cleanup in place of its block.  It serves
 * every kind of interrupt, also those that throw nothing.
 */
#include "spill/spill.h"

#include "base/alloc.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

/* The argument of the callbacks. */
typedef struct Arena
{
	MemoryContext context; /* of everything the core allocates */
	bool caught;		   /* an error waits to be thrown on */
	RibbonSpill *spill;	   /* of what open_store opens */
} Arena;

/* Of ribbon_adapter_distinct_arrays. */
typedef struct Arrays
{
	uint64_t **arrays;
	size_t *sizes;
} Arrays;

static int hint_too_large(void);
static void check_size(const RibbonParams *params, uint64 nkeys);
static RibbonEnv arena_env(Arena *arena, MemoryContext context);
static void *arena_alloc(void *arg, size_t size);
static void arena_free(void *arg, void *ptr);
static bool arena_interrupted(void *arg);
static RibbonStatus arena_run(void *arg, unsigned n, RibbonTask *task,
							  void *task_arg);
static void arena_progress(void *arg, int layer, double share);
static RibbonStatus arena_open_store(void *arg, uint64_t nexpected,
									 RibbonStore **store);
static struct varlena *arena_finish(Arena *arena, RibbonStatus status,
									uint8_t *bytes, size_t nbytes);

struct varlena *
ribbon_adapter_build(const RibbonParams *params, uint64_t *hashes,
					 size_t nhashes, MemoryContext context)
{
	Arena arena;
	RibbonEnv env = arena_env(&arena, context);
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	RibbonStatus status;

	check_size(params, nhashes);
	status = ribbon_build(&env, params, hashes, nhashes, VARHDRSZ, &bytes,
						  &nbytes);

	return arena_finish(&arena, status, bytes, nbytes);
}

struct varlena *
ribbon_adapter_build_stored(const RibbonParams *params, RibbonKeyStore *keys,
							MemoryContext context)
{
	Arena arena;
	RibbonEnv env = arena_env(&arena, context);
	uint64 nkeys = ribbon_keystore_seal(keys);
	RibbonStore *store = ribbon_corestore_create(keys, &arena.caught);
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	RibbonStatus status;

	check_size(params, nkeys);
	arena.spill = keys->spill;
	env.open_store = arena_open_store;
	status = ribbon_build_stored(&env, params, store, nkeys, VARHDRSZ, &bytes,
								 &nbytes);
	pfree(store);

	return arena_finish(&arena, status, bytes, nbytes);
}

void
ribbon_adapter_distinct(uint64_t *hashes, size_t *nhashes)
{
	Arena arena;
	RibbonEnv env = arena_env(&arena, CurrentMemoryContext);
	RibbonStatus status = ribbon_distinct(&env, hashes, nhashes);

	if (arena.caught)
		PG_RE_THROW();
	if (status != RIBBON_OK)
		ribbon_adapter_report(status);
}

/* A task of ribbon_adapter_distinct_arrays. */
static RibbonStatus
distinct_array(const RibbonEnv *env, void *arg, unsigned i)
{
	Arrays *arrays = arg;

	return ribbon_distinct(env, arrays->arrays[i], &arrays->sizes[i]);
}

bool
ribbon_adapter_distinct_arrays(uint64_t **arrays, size_t *sizes,
							   unsigned narrays)
{
	Arrays all = {arrays, sizes};
	RibbonStatus status;

	if (narrays == 1)
	{
		ribbon_adapter_distinct(arrays[0], &sizes[0]);
		return true;
	}
	status = ribbon_threads_run(narrays, distinct_array, &all);
	CHECK_FOR_INTERRUPTS();
	if (status != RIBBON_OK && status != RIBBON_INTERRUPTED)
		ribbon_adapter_report(status);
	return status == RIBBON_OK;
}

static int
hint_too_large(void)
{
	return errhint("Use a higher false-positive rate, or spread the keys over several filters with ribbon_shard.");
}

/* Refuse what cannot be a value, before time is spent on it. */
static void
check_size(const RibbonParams *params, uint64 nkeys)
{
	double nbytes = ribbon_least_bytes(params, nkeys);

	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("ribbonfilter of %llu keys would exceed the maximum of 1 GB",
						(unsigned long long) nkeys),
				 errdetail("At a false-positive rate of %g it takes %.0f MB at least.",
						   params->fpr, ceil(nbytes / (1024 * 1024))),
				 hint_too_large()));
}

struct varlena *
ribbon_adapter_shrink(const RibbonFilter *filter, double fpr,
					  MemoryContext context)
{
	Arena arena;
	RibbonEnv env = arena_env(&arena, context);
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	RibbonStatus status;

	status = ribbon_shrink(&env, filter, fpr, VARHDRSZ, &bytes, &nbytes);

	return arena_finish(&arena, status, bytes, nbytes);
}

void
ribbon_adapter_check(const RibbonFilter *filter)
{
	Arena arena;
	RibbonEnv env = arena_env(&arena, CurrentMemoryContext);
	RibbonStatus status = ribbon_check(&env, filter);

	if (arena.caught)
		PG_RE_THROW();
	if (status != RIBBON_OK)
		ribbon_adapter_report(status);
}

void
ribbon_adapter_open(const uint8_t *bytes, size_t nbytes, RibbonFilter *filter)
{
	ribbon_adapter_open_header(bytes, nbytes, nbytes, filter);
}

void
ribbon_adapter_open_header(const uint8_t *header, size_t nheader, size_t nbytes,
						   RibbonFilter *filter)
{
	RibbonStatus status = ribbon_open_header(header, nheader, nbytes, filter);
	const char *objection;

	if (unlikely(status != RIBBON_OK))
		ribbon_adapter_report_corrupt(ribbon_status_text(status));
	objection = ribbon_keyclass_objection(filter->key_class);
	if (unlikely(objection != NULL))
		ribbon_adapter_report_corrupt(objection);
}

void *
ribbon_adapter_alloc(MemoryContext context, size_t size)
{
	Arena arena;
	RibbonEnv env = arena_env(&arena, context);
	void *p = ribbon_alloc(&env, size);

	if (p == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
				 errdetail("A ribbonfilter of %zu bytes could not be read.",
						   size)));
	return p;
}

void
ribbon_adapter_report_corrupt(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("stored ribbonfilter is corrupt"),
			 errdetail("The bytes were rejected: %s.", detail)));
	pg_unreachable();
}

void
ribbon_adapter_report(RibbonStatus status)
{
	switch (status)
	{
		case RIBBON_OUT_OF_MEMORY:
			ereport(ERROR,
					(errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory"),
					 errdetail("A ribbonfilter could not be built.")));
			break;
		case RIBBON_BAD_FPR:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("false-positive rate must be between 2^-32 (%g) and %g",
							RIBBON_MIN_FPR, RIBBON_MAX_FPR)));
			break;
		case RIBBON_NOT_LARGER:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("false-positive rate is lower than the filter's own"),
					 errhint("A lower rate needs the keys: build the filter anew.")));
			break;
		case RIBBON_BAD_PARAMS:
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("invalid ribbonfilter parameters")));
			break;
		case RIBBON_TRUNCATED:
		case RIBBON_BAD_VERSION:
		case RIBBON_CORRUPT:
		case RIBBON_BAD_LAYERS:
		case RIBBON_BAD_THRESHOLDS:
		case RIBBON_BAD_PADDING:
		case RIBBON_BAD_RATE:
			ribbon_adapter_report_corrupt(ribbon_status_text(status));
			break;
		case RIBBON_OK:
		case RIBBON_INTERRUPTED:
		case RIBBON_NSTATUS:
			elog(ERROR, "unexpected ribbon status %d", (int) status);
			break;
	}
	pg_unreachable();
}

static RibbonEnv
arena_env(Arena *arena, MemoryContext context)
{
	RibbonEnv env;

	arena->context = context;
	arena->caught = false;
	arena->spill = NULL;

	memset(&env, 0, sizeof(env));
	env.alloc = arena_alloc;
	env.free = arena_free;
	env.interrupted = arena_interrupted;
	env.run = arena_run;
	env.nthreads = ribbon_threads_count();
	env.progress = arena_progress;
	env.arg = arena;
	return env;
}

/*
 * Make a datum of what the core returned, or throw.  The core has left room
 * for the varlena header, so that nothing needs to be copied.
 */
static struct varlena *
arena_finish(Arena *arena, RibbonStatus status, uint8_t *bytes, size_t nbytes)
{
	struct varlena *result = (struct varlena *) bytes;

	if (arena->caught)
		PG_RE_THROW();
	if (status != RIBBON_OK)
		ribbon_adapter_report(status);
	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("ribbonfilter of %zu bytes exceeds the maximum of 1 GB",
						nbytes),
				 hint_too_large()));

	SET_VARSIZE(result, nbytes + VARHDRSZ);
	return result;
}

static void *
arena_alloc(void *arg, size_t size)
{
	Arena *arena = arg;

	if (!AllocHugeSizeIsValid(size))
		return NULL;
	return MemoryContextAllocExtended(arena->context, size,
									  MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
}

static void
arena_free(void *arg, void *ptr)
{
	(void) arg;
	if (ptr != NULL)
		pfree(ptr);
}

static bool
arena_interrupted(void *arg)
{
	Arena *arena = arg;
	MemoryContext old_context = CurrentMemoryContext;

	if (likely(!INTERRUPTS_PENDING_CONDITION()) || arena->caught)
		return arena->caught;

	PG_TRY();
	{
		CHECK_FOR_INTERRUPTS();
	}
	PG_CATCH();
	{
		/* the error stays on the stack until arena_finish throws it on */
		MemoryContextSwitchTo(old_context);
		arena->caught = true;
	}
	PG_END_TRY();

	return arena->caught;
}

static RibbonStatus
arena_run(void *arg, unsigned n, RibbonTask *task, void *task_arg)
{
	for (;;)
	{
		RibbonStatus status = ribbon_threads_run(n, task, task_arg);

		if (status != RIBBON_INTERRUPTED || arena_interrupted(arg))
			return status;
	}
}

static void
arena_progress(void *arg, int layer, double share)
{
	Arena *arena = arg;
	MemoryContext old_context = CurrentMemoryContext;

	if (arena->caught)
		return;
	PG_TRY();
	{
		ribbon_progress_report("solving layer", layer + 1, share);
	}
	PG_CATCH();
	{
		/* a cancel: for the next look for interrupts to find */
		MemoryContextSwitchTo(old_context);
		arena->caught = true;
	}
	PG_END_TRY();
}

static RibbonStatus
arena_open_store(void *arg, uint64_t nexpected, RibbonStore **store)
{
	Arena *arena = arg;

	(void) nexpected;
	return ribbon_corestore_open(arena->spill, &arena->caught, store);
}
