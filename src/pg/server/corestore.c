/*
 * corestore.c - a key store as the core sees it
 *
 * The core reads the hashes of a large set from a store (RibbonStore), and puts
 * there what layers bump, a few at a time, which we collect before they are
 * worth scattering.  It must not be jumped out of, and files can throw: so
 * errors are caught here, and wait until the core has tidied up and somebody
 * sees the flag (see adapter.c, which does the same with interrupts).
 */
#include "spill/spill.h"

#include "utils/memutils.h"

/* 2 MB: words collected before they are scattered. */
#define COLLECTED_WORDS (256 * 1024)

typedef struct CoreStore
{
	RibbonStore store; /* first, for the core has its address */
	bool *caught;
	MemoryContext context; /* of all, and goes with it; NULL: not ours */
	RibbonKeyStore *keys;
	uint64 *collected; /* not yet added */
	size_t ncollected;
} CoreStore;

/* A call of the core's. */
typedef struct CoreCall
{
	enum
	{
		CALL_ADD,
		CALL_SEAL,
		CALL_READ
	} what;
	const uint64 *words;
	size_t n;
	uint64 first;
	uint64 last;
	uint64 *room;
	size_t nroom;
	uint64 result;
} CoreCall;

static RibbonStatus core_add(RibbonStore *store, const uint64_t *words,
							 size_t n);
static RibbonStatus core_seal(RibbonStore *store, uint64_t *nwords);
static RibbonStatus core_read(RibbonStore *store, uint64_t first, uint64_t last,
							  uint64_t *words, size_t room, size_t *n);
static void core_close(RibbonStore *store);
static CoreStore *new_store(MemoryContext context, RibbonKeyStore *keys,
							bool *caught);
static CoreStore *open_store(RibbonSpill *spill, bool *caught);
static RibbonStatus attempt(CoreStore *core, CoreCall *call);
static void perform(CoreStore *core, CoreCall *call);
static void collect(CoreStore *core, const uint64 *words, size_t n);
static void add_collected(CoreStore *core);

RibbonStore *
ribbon_corestore_create(RibbonKeyStore *keys, bool *caught)
{
	return &new_store(CurrentMemoryContext, keys, caught)->store;
}

RibbonStatus
ribbon_corestore_open(RibbonSpill *spill, bool *caught, RibbonStore **store)
{
	MemoryContext old_context = CurrentMemoryContext;

	PG_TRY();
	{
		*store = &open_store(spill, caught)->store;
	}
	PG_CATCH();
	{
		*caught = true;
		*store = NULL;
	}
	PG_END_TRY();

	MemoryContextSwitchTo(old_context);
	return *caught ? RIBBON_INTERRUPTED : RIBBON_OK;
}

static RibbonStatus
core_add(RibbonStore *store, const uint64_t *words, size_t n)
{
	CoreStore *core = (CoreStore *) store;
	CoreCall call = {.what = CALL_ADD, .words = words, .n = n};

	if (likely(core->ncollected + n <= COLLECTED_WORDS))
	{
		collect(core, words, n);
		return RIBBON_OK;
	}
	return attempt(core, &call);
}

static RibbonStatus
core_seal(RibbonStore *store, uint64_t *nwords)
{
	CoreCall call = {.what = CALL_SEAL};
	RibbonStatus status = attempt((CoreStore *) store, &call);

	*nwords = call.result;
	return status;
}

static RibbonStatus
core_read(RibbonStore *store, uint64_t first, uint64_t last, uint64_t *words,
		  size_t room, size_t *n)
{
	CoreCall call = {.what = CALL_READ,
					 .first = first,
					 .last = last,
					 .room = words,
					 .nroom = room};
	RibbonStatus status = attempt((CoreStore *) store, &call);

	*n = call.result;
	return status;
}

static void
core_close(RibbonStore *store)
{
	CoreStore *core = (CoreStore *) store;

	if (core->context != NULL)
		MemoryContextDelete(core->context);
}

static CoreStore *
new_store(MemoryContext context, RibbonKeyStore *keys, bool *caught)
{
	CoreStore *core = MemoryContextAllocZero(context, sizeof(CoreStore));

	core->store.add = core_add;
	core->store.seal = core_seal;
	core->store.read = core_read;
	core->store.close = core_close;
	core->caught = caught;
	core->keys = keys;
	return core;
}

/* The key store gives its blocks back when the context goes. */
static CoreStore *
open_store(RibbonSpill *spill, bool *caught)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "ribbon core store",
												  ALLOCSET_DEFAULT_SIZES);
	CoreStore *core = new_store(context, ribbon_keystore_create(context, spill),
								caught);

	core->context = context;
	core->collected = MemoryContextAlloc(context,
										 COLLECTED_WORDS * sizeof(uint64));
	return core;
}

static RibbonStatus
attempt(CoreStore *core, CoreCall *call)
{
	MemoryContext old_context = CurrentMemoryContext;

	PG_TRY();
	{
		perform(core, call);
	}
	PG_CATCH();
	{
		/* the error stays on the stack until it is thrown on */
		*core->caught = true;
	}
	PG_END_TRY();

	MemoryContextSwitchTo(old_context);
	return *core->caught ? RIBBON_INTERRUPTED : RIBBON_OK;
}

static void
perform(CoreStore *core, CoreCall *call)
{
	switch (call->what)
	{
		case CALL_ADD:
			while (call->n > 0)
			{
				size_t now = Min(call->n, COLLECTED_WORDS - core->ncollected);

				collect(core, call->words, now);
				call->words += now;
				call->n -= now;
				if (core->ncollected == COLLECTED_WORDS)
					add_collected(core);
			}
			break;
		case CALL_SEAL:
			add_collected(core);
			pfree(core->collected);
			core->collected = NULL;
			call->result = ribbon_keystore_seal(core->keys);
			break;
		case CALL_READ:
			call->result = ribbon_keystore_read(core->keys, call->first,
												call->last, call->room,
												call->nroom);
			break;
	}
}

static void
collect(CoreStore *core, const uint64 *words, size_t n)
{
	memcpy(core->collected + core->ncollected, words, n * sizeof(uint64));
	core->ncollected += n;
}

static void
add_collected(CoreStore *core)
{
	ribbon_keystore_add(core->keys, core->collected, core->ncollected);
	core->ncollected = 0;
}
