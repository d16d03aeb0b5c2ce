/*
 * aggregate.c - ribbon_build: keys in, a filter out
 *
 * The transition state of a group is the array of its key hashes so far, in
 * the order they came and with their duplicates, growing by doubling; small
 * enough at first that many groups fit in memory.  The final function has the
 * core build the filter.  The core sorts, so neither order nor duplicates nor
 * the plan leave a trace in the result.
 *
 * Parallel workers send their states as bytes (serialize, deserialize), which
 * the leader appends to its own (combine).
 *
 * The core uses the hashes as scratch space, and they are big.  An aggregate
 * is done with them once its group is complete, so the final function lets
 * the core have them and keeps the filter instead, in case it is called again:
 * a rescanned hash aggregate does that.  A window function goes on adding rows,
 * so there the filter is built from a copy.  Either way the final function
 * leaves the meaning of the state alone, and is READ_ONLY to the planner.
 */
#include "ribbon_pg.h"

#include "utils/memutils.h"

#define DEFAULT_FPR		 0.01
#define INITIAL_CAPACITY 8

/* The state of a group. */
typedef struct BuildState
{
	MemoryContext context; /* of the hashes and the result */
	RibbonParams params;   /* the same for every row of the group */
	size_t nhashes;
	size_t capacity;
	uint64_t *hashes;		/* NULL as long as capacity is 0 */
	struct varlena *result; /* the filter, once the hashes are used up */
} BuildState;

/* What a call site of the transition function keeps in fn_extra. */
typedef struct BuildSite
{
	RibbonKeyType key_type;
	RibbonParams params;	 /* of the row before, and valid */
	struct varlena *options; /* their text, or NULL */
} BuildSite;

/*
 * A state as bytes: this header, then the hashes, all little-endian.  It does
 * not leave the server, but checking it costs nothing.
 */
typedef struct PartialHeader
{
	uint8 version;
	uint8 key_class;
	uint8 kind;
	uint8 width;
	uint32 reserved; /* 0 */
	uint64 fpr;		 /* the bits of a double */
	uint64 nhashes;
} PartialHeader;

#define PARTIAL_VERSION 1
#define MAX_PARTIAL_HASHES \
	((MaxAllocSize - VARHDRSZ - sizeof(PartialHeader)) / sizeof(uint64_t))

PG_FUNCTION_INFO_V1(ribbon_build_transfn);
PG_FUNCTION_INFO_V1(ribbon_build_combinefn);
PG_FUNCTION_INFO_V1(ribbon_build_serialfn);
PG_FUNCTION_INFO_V1(ribbon_build_deserialfn);
PG_FUNCTION_INFO_V1(ribbon_build_finalfn);

static BuildState *state_argument(FunctionCallInfo fcinfo, int arg);
static BuildSite *open_site(FunctionCallInfo fcinfo);
static void read_fpr(FunctionCallInfo fcinfo, BuildSite *site);
static void read_options(FunctionCallInfo fcinfo, BuildSite *site);
static RibbonParams default_params(int key_class);
static void check_same_params(const RibbonParams *a, const RibbonParams *b);
static MemoryContext aggregate_context(FunctionCallInfo fcinfo);
static BuildState *new_state(MemoryContext context, const RibbonParams *params);
static void reserve(BuildState *state, size_t nmore);
static struct varlena *build_in_place(BuildState *state);
static struct varlena *build_from_copy(const BuildState *state);
static struct varlena *build_empty(FunctionCallInfo fcinfo);
static void copy_words(void *to, const void *from, size_t n);
pg_noreturn static void reject_partial(void);

/* ribbon_build_transfn(state, key [, fpr [, options]]) */
Datum
ribbon_build_transfn(PG_FUNCTION_ARGS)
{
	BuildSite *site = open_site(fcinfo);
	BuildState *state = state_argument(fcinfo, 0);

	/* a NULL key is no reason to overlook a bad parameter beside it */
	if (PG_NARGS() > 2)
		read_fpr(fcinfo, site);
	if (PG_NARGS() > 3)
		read_options(fcinfo, site);

	if (state == NULL)
		state = new_state(aggregate_context(fcinfo), &site->params);
	check_same_params(&state->params, &site->params);

	if (!PG_ARGISNULL(1))
	{
		uint64_t hash = ribbon_keyhash_value(&site->key_type,
											 PG_GETARG_DATUM(1));

		if (state->nhashes == state->capacity)
			reserve(state, 1);
		state->hashes[state->nhashes++] = hash;
	}

	PG_RETURN_POINTER(state);
}

/* ribbon_build_combinefn(state, state) */
Datum
ribbon_build_combinefn(PG_FUNCTION_ARGS)
{
	BuildState *state = state_argument(fcinfo, 0);
	BuildState *other = state_argument(fcinfo, 1);

	if (other == NULL)
	{
		if (state == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(state);
	}

	if (state == NULL)
		state = new_state(aggregate_context(fcinfo), &other->params);
	check_same_params(&state->params, &other->params);

	if (other->nhashes > 0)
	{
		reserve(state, other->nhashes);
		memcpy(state->hashes + state->nhashes, other->hashes,
			   other->nhashes * sizeof(uint64_t));
		state->nhashes += other->nhashes;
	}

	PG_RETURN_POINTER(state);
}

/* ribbon_build_serialfn(state) returns bytea */
Datum
ribbon_build_serialfn(PG_FUNCTION_ARGS)
{
	BuildState *state = (BuildState *) PG_GETARG_POINTER(0);
	PartialHeader header = {0};
	struct varlena *partial;
	size_t size;

	if (state->nhashes > MAX_PARTIAL_HASHES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("partial state of ribbon_build exceeds the maximum of 1 GB"),
				 errdetail("A parallel worker has collected %zu keys.",
						   state->nhashes),
				 errhint("Set max_parallel_workers_per_gather to 0 for this query.")));

	header.version = PARTIAL_VERSION;
	header.key_class = (uint8) state->params.key_class;
	header.kind = (uint8) state->params.kind;
	header.width = (uint8) state->params.width;
	copy_words(&header.fpr, &state->params.fpr, 1);
	header.nhashes = ribbon_little64(state->nhashes);

	size = VARHDRSZ + sizeof(header) + state->nhashes * sizeof(uint64_t);
	partial = palloc(size);
	SET_VARSIZE(partial, size);
	memcpy(VARDATA(partial), &header, sizeof(header));
	copy_words(VARDATA(partial) + sizeof(header), state->hashes,
			   state->nhashes);

	PG_RETURN_POINTER(partial);
}

/* ribbon_build_deserialfn(bytea, internal) returns a state */
Datum
ribbon_build_deserialfn(PG_FUNCTION_ARGS)
{
	struct varlena *partial = PG_GETARG_VARLENA_PP(0);
	size_t size = VARSIZE_ANY_EXHDR(partial);
	PartialHeader header;
	RibbonParams params;
	BuildState *state;
	size_t nhashes;

	if (size < sizeof(header))
		reject_partial();
	memcpy(&header, VARDATA_ANY(partial), sizeof(header));

	params.kind = (RibbonKind) header.kind;
	params.width = header.width;
	params.key_class = header.key_class;
	copy_words(&params.fpr, &header.fpr, 1);
	nhashes = (size - sizeof(header)) / sizeof(uint64_t);

	if (header.version != PARTIAL_VERSION || header.reserved != 0 ||
		ribbon_params_check(&params) != RIBBON_OK ||
		!ribbon_keyclass_is_known(params.key_class) ||
		ribbon_little64(header.nhashes) != nhashes ||
		size != sizeof(header) + nhashes * sizeof(uint64_t))
		reject_partial();

	state = new_state(CurrentMemoryContext, &params);
	if (nhashes > 0)
	{
		reserve(state, nhashes);
		copy_words(state->hashes, VARDATA_ANY(partial) + sizeof(header),
				   nhashes);
		state->nhashes = nhashes;
	}

	PG_RETURN_POINTER(state);
}

/* ribbon_build_finalfn(state, NULL [, NULL [, NULL]]) returns ribbonfilter */
Datum
ribbon_build_finalfn(PG_FUNCTION_ARGS)
{
	BuildState *state = state_argument(fcinfo, 0);

	if (state == NULL)
		PG_RETURN_POINTER(build_empty(fcinfo));

	if (AggCheckCallContext(fcinfo, NULL) == AGG_CONTEXT_AGGREGATE)
		PG_RETURN_POINTER(build_in_place(state));

	PG_RETURN_POINTER(build_from_copy(state));
}

/* The state, or NULL if there is none yet. */
static BuildState *
state_argument(FunctionCallInfo fcinfo, int arg)
{
	return PG_ARGISNULL(arg) ? NULL : (BuildState *) PG_GETARG_POINTER(arg);
}

/* What is known of this call site, or can be found out, for all signatures. */
static BuildSite *
open_site(FunctionCallInfo fcinfo)
{
	BuildSite *site = fcinfo->flinfo->fn_extra;

	if (unlikely(site == NULL))
	{
		site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
									  sizeof(BuildSite));
		ribbon_keyclass_decide_argument(&site->key_type, fcinfo, 1);
		site->params = default_params(site->key_type.key_class);
		fcinfo->flinfo->fn_extra = site;
	}
	return site;
}

static void
read_fpr(FunctionCallInfo fcinfo, BuildSite *site)
{
	RibbonStatus status;

	if (PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("false-positive rate of ribbon_build must not be null")));

	if (likely(PG_GETARG_FLOAT8(2) == site->params.fpr))
		return;

	site->params.fpr = PG_GETARG_FLOAT8(2);
	status = ribbon_params_check(&site->params);
	if (status != RIBBON_OK)
		ribbon_adapter_report(status);
}

/* Parse the options, unless they are the text that was parsed last. */
static void
read_options(FunctionCallInfo fcinfo, BuildSite *site)
{
	struct varlena *options;
	size_t size;
	double fpr = site->params.fpr;

	if (PG_ARGISNULL(3))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("options of ribbon_build must not be null")));

	options = PG_GETARG_VARLENA_PP(3);
	size = VARSIZE_ANY(options);
	if (likely(site->options != NULL && VARSIZE_ANY(site->options) == size &&
			   memcmp(site->options, options, size) == 0))
		return;

	site->params = default_params(site->key_type.key_class);
	site->params.fpr = fpr;
	ribbon_options_parse(VARDATA_ANY(options), (int) VARSIZE_ANY_EXHDR(options),
						 &site->params);

	if (site->options != NULL)
		pfree(site->options);
	site->options = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, size);
	memcpy(site->options, options, size);
}

static RibbonParams
default_params(int key_class)
{
	RibbonParams params;

	params.kind = RIBBON_BURR;
	params.width = RIBBON_DEFAULT_WIDTH;
	params.fpr = DEFAULT_FPR;
	params.key_class = key_class;
	return params;
}

/* A group is built with one set of parameters, however its rows are split. */
static void
check_same_params(const RibbonParams *a, const RibbonParams *b)
{
	if (unlikely(a->fpr != b->fpr))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("false-positive rate of ribbon_build must not change within a group"),
				 errdetail("There are rows with %g and with %g.",
						   Min(a->fpr, b->fpr), Max(a->fpr, b->fpr))));
	if (unlikely(a->kind != b->kind || a->width != b->width))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("options of ribbon_build must not change within a group")));
}

static MemoryContext
aggregate_context(FunctionCallInfo fcinfo)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		elog(ERROR,
			 "ribbon_build support function called outside an aggregate");
	return context;
}

static BuildState *
new_state(MemoryContext context, const RibbonParams *params)
{
	BuildState *state = MemoryContextAllocZero(context, sizeof(BuildState));

	state->context = context;
	state->params = *params;
	return state;
}

/* Make room for nmore hashes.  The array may be larger than 1 GB. */
static void
reserve(BuildState *state, size_t nmore)
{
	size_t needed = state->nhashes + nmore;
	size_t capacity = Max(2 * state->capacity, INITIAL_CAPACITY);

	if (needed <= state->capacity)
		return;
	capacity = Max(capacity, needed);

	if (state->hashes == NULL)
		state->hashes = MemoryContextAllocHuge(state->context,
											   capacity * sizeof(uint64_t));
	else
		state->hashes = repalloc_huge(state->hashes,
									  capacity * sizeof(uint64_t));
	state->capacity = capacity;
}

/* Use up the hashes; the filter takes their place. */
static struct varlena *
build_in_place(BuildState *state)
{
	if (state->result == NULL)
	{
		state->result = ribbon_adapter_build(&state->params, state->hashes,
											 state->nhashes, state->context);
		if (state->hashes != NULL)
			pfree(state->hashes);
		state->hashes = NULL;
		state->nhashes = 0;
		state->capacity = 0;
	}
	return state->result;
}

static struct varlena *
build_from_copy(const BuildState *state)
{
	size_t size = Max(state->nhashes, 1) * sizeof(uint64_t);
	uint64_t *hashes = MemoryContextAllocHuge(CurrentMemoryContext, size);
	struct varlena *result;

	if (state->nhashes > 0)
		memcpy(hashes, state->hashes, size);
	result = ribbon_adapter_build(&state->params, hashes, state->nhashes,
								  CurrentMemoryContext);
	pfree(hashes);
	return result;
}

/* Not one row came: the filter is empty, but has the class of its key type. */
static struct varlena *
build_empty(FunctionCallInfo fcinfo)
{
	BuildSite *site = open_site(fcinfo);

	return ribbon_adapter_build(&site->params, NULL, 0, CurrentMemoryContext);
}

/* Copy 64-bit words into or out of their little-endian form. */
static void
copy_words(void *to, const void *from, size_t n)
{
#ifdef WORDS_BIGENDIAN
	for (size_t i = 0; i < n; i++)
	{
		uint64 word;

		memcpy(&word, (const char *) from + i * sizeof(word), sizeof(word));
		word = pg_bswap64(word);
		memcpy((char *) to + i * sizeof(word), &word, sizeof(word));
	}
#else
	if (n > 0)
		memcpy(to, from, n * sizeof(uint64));
#endif
}

static void
reject_partial(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid partial state of ribbon_build")));
	pg_unreachable();
}
