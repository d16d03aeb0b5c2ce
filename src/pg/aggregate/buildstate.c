/*
 * buildstate.c - what a group has, in memory as long as that lasts
 *
 * How much memory is there?  What a sort or a hash table of this node may
 * have: work_mem, times hash_mem_multiplier if groups are hashed.  It is for
 * all groups together, and for sorting the largest of them in the end,
 * which takes its size once more.  So an array grows as long as
 *
 *	 memory of the context + what it grows by + scratch space to sort it
 *
 * is within the budget; the context keeps count of all groups in it.  Otherwise
 * the array's hashes go to the store and it starts again.  Arrays of a
 * few blocks always may grow: many small groups are the executor's to spill,
 * which counts the same memory.
 */
#include "aggregate/aggregate.h"

#include "executor/nodeAgg.h"
#include "key/key.h"
#include "miscadmin.h"
#include "nodes/execnodes.h"
#include "server/server.h"
#include "utils/memutils.h"

#define INITIAL_CAPACITY 8

/* 32 kB: an array at most so long may grow, whatever the memory used. */
#define SMALL_CAPACITY RIBBON_BLOCK_WORDS

/* Of so many hashes, one is looked at to find out how many are duplicates. */
#define SAMPLED 16

/* With less, blocks of files would be written with few hashes in them. */
#define MIN_BUDGET (4 * 1024 * 1024)

/* What the context itself costs does not count. */
#define CONTEXT_OVERHEAD (64 * 1024)

MemoryContext
ribbon_buildstate_context(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	MemoryContext context;

	if (!AggCheckCallContext(fcinfo, &context))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("%s support function called outside an aggregate",
						ribbon_aggregate_name(aggregate))));
	return context;
}

/*
 * The aggregate node that makes this call itself, or NULL.  Another extension's
 * aggregate that calls us passes its node on, but not the node's FmgrInfo.
 */
static AggState *
calling_node(FunctionCallInfo fcinfo)
{
	AggState *node = (AggState *) fcinfo->context;

	if (node == NULL || !IsA(node, AggState))
		return NULL;
	for (int i = 0; i < node->numtrans; i++)
	{
		AggStatePerTrans pertrans = &node->pertrans[i];

		if (fcinfo->flinfo == &pertrans->transfn ||
			fcinfo->flinfo == &pertrans->serialfn ||
			fcinfo->flinfo == &pertrans->deserialfn)
			return node;
	}
	return NULL;
}

/* Are all groups there at once? */
static bool
is_hashed(FunctionCallInfo fcinfo)
{
	AggState *node = (AggState *) fcinfo->context;

	return node != NULL && IsA(node, AggState) &&
		(node->aggstrategy == AGG_HASHED || node->aggstrategy == AGG_MIXED);
}

static size_t
find_budget(FunctionCallInfo fcinfo)
{
	size_t budget = is_hashed(fcinfo) ? get_hash_memory_limit() :
										(size_t) work_mem * 1024;

	return Max(budget, MIN_BUDGET);
}

void
ribbon_buildstate_init_space(BuildSpace *space, FunctionCallInfo fcinfo)
{
	AggState *caller = calling_node(fcinfo);

	space->budget = find_budget(fcinfo);
	if (caller != NULL)
	{
		space->plan = caller->ss.ps.state->es_query_cxt;
		space->takes = DO_AGGSPLIT_DESERIALIZE(caller->aggsplit);
		/* what was taken is not ours to give on; no plan asks for that */
		space->gives = DO_AGGSPLIT_SERIALIZE(caller->aggsplit) && !space->takes;
	}
}

BuildSpace *
ribbon_buildstate_open_space(FunctionCallInfo fcinfo)
{
	BuildSpace *space = fcinfo->flinfo->fn_extra;

	if (unlikely(space == NULL))
	{
		space = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
									   sizeof(BuildSpace));
		ribbon_buildstate_init_space(space, fcinfo);
		fcinfo->flinfo->fn_extra = space;
	}
	return space;
}

BuildState *
ribbon_buildstate_create(MemoryContext context, const BuildParams *params)
{
	size_t size = sizeof(BuildState) +
		(params->aggregate == RIBBON_AGGREGATE_MAP ? sizeof(BuildValues) : 0);
	BuildState *state = MemoryContextAllocZero(context, size);

	state->params = *params;
	return state;
}

RibbonRecords
ribbon_buildstate_records(const BuildState *state)
{
	bool exact = ribbon_buildparams_is_exact(&state->params);

	if (!exact && state->params.aggregate != RIBBON_AGGREGATE_MAP)
		return (RibbonRecords){.kind = RIBBON_HASHES, .words = 1};
	return (RibbonRecords){.kind = exact ? RIBBON_EXACT_RECORDS :
										   RIBBON_MAP_RECORDS,
						   .words = RIBBON_RECORD_WORDS,
						   .conflict = ribbon_buildvalues_conflict,
						   .arg = state};
}

/* A group is built with one set of parameters, however its rows are split. */
void
ribbon_buildstate_check_same(const BuildParams *a, const BuildParams *b)
{
	bool exact = ribbon_buildparams_is_exact(a);

	if (unlikely(!exact && a->fpr != b->fpr))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("false-positive rate of %s must not change within a group",
						ribbon_buildparams_name(a)),
				 errdetail("There are rows with %g and with %g.",
						   Min(a->fpr, b->fpr), Max(a->fpr, b->fpr))));
	if (unlikely(a->kind != b->kind || a->width != b->width ||
				 a->seed != b->seed || a->coding != b->coding ||
				 a->has_as_of != b->has_as_of ||
				 (exact && a->as_of != b->as_of)))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("options of %s must not change within a group",
						ribbon_buildparams_name(a))));
	if (unlikely(ribbon_key_class_of(a->key_class) !=
					 ribbon_key_class_of(b->key_class) &&
				 a->key_class != 0 && b->key_class != 0))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("type of the key of %s must not change within a group",
						ribbon_buildparams_name(a)),
				 errdetail("There are states of %s keys and of %s keys.",
						   ribbon_keyclass_name(a->key_class),
						   ribbon_keyclass_name(b->key_class))));
}

void
ribbon_buildparams_join_class(BuildParams *params, int key_class, bool hashed)
{
	if (hashed && !ribbon_keyclass_mix(params->key_class, key_class))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("type of the key of %s must not change within a group",
						ribbon_buildparams_name(params)),
				 errdetail("There are hashes of %s and of %s.",
						   ribbon_keyclass_describe(params->key_class),
						   ribbon_keyclass_describe(key_class))));
	params->key_class = ribbon_keyclass_join(params->key_class, key_class);
}

void
ribbon_buildstate_report(const BuildState *state)
{
	uint64 stored = state->store == NULL ? 0 :
										   ribbon_keystore_nwords(state->store);

	ribbon_progress_collected((state->nwords + stored) /
							  ribbon_buildstate_records(state).words);
}

/* Is there room in the budget for so many bytes more? */
static bool
has_memory(const BuildState *state, size_t budget, size_t more)
{
	MemoryContext context = GetMemoryChunkContext((void *) state);

	if (state->params.aggregate >= RIBBON_AGGREGATE_KEYS)
		context = MemoryContextGetParent(context);
	return MemoryContextMemAllocated(context, true) + more <=
		budget + CONTEXT_OVERHEAD;
}

bool
ribbon_buildstate_may_keep(const BuildState *state, FunctionCallInfo fcinfo,
						   size_t nbytes)
{
	return !is_hashed(fcinfo) || has_memory(state, find_budget(fcinfo), nbytes);
}

static bool
may_grow(const BuildState *state, const BuildSpace *space, size_t capacity)
{
	size_t more = (2 * capacity - state->capacity) * sizeof(uint64_t);

	return capacity <= SMALL_CAPACITY || has_memory(state, space->budget, more);
}

/*
 * Are there so many duplicates in a full array that it is worth sorting?  That
 * takes long, so first look at one key in 16, by the highest bits of its hash.
 * If keys were chosen so that these are far from random, it is not known.
 */
static bool
has_many_duplicates(const BuildState *state, const RibbonRecords *records)
{
	size_t room = state->nwords / SAMPLED * 2 + records->words;
	uint64_t *sample = MemoryContextAllocHuge(CurrentMemoryContext,
											  room * sizeof(uint64_t));
	size_t n = 0;
	size_t left;

	for (size_t i = 0; i < state->nwords && n + records->words <= room;
		 i += records->words)
		if (state->words[i] < PG_UINT64_MAX / SAMPLED)
		{
			memcpy(sample + n, state->words + i,
				   records->words * sizeof(uint64_t));
			n += records->words;
		}
	left = n;
	ribbon_keysort_array(records, sample, &left);
	pfree(sample);
	return n < room / 4 || n + records->words > room || left <= n / 8 * 5;
}

void
ribbon_buildstate_grow(BuildState *state, BuildSpace *space)
{
	size_t capacity = Max(2 * state->capacity, INITIAL_CAPACITY);

	ribbon_buildresult_drop(state);
	ribbon_progress_begin((RibbonAggregate) state->params.aggregate);
	if (state->nwords > 0)
		ribbon_buildstate_report(state);
	if (may_grow(state, space, capacity))
	{
		if (state->words == NULL)
			state->words = MemoryContextAlloc(GetMemoryChunkContext(state),
											  capacity * sizeof(uint64_t));
		else
			state->words = repalloc_huge(state->words,
										 capacity * sizeof(uint64_t));
		state->capacity = capacity;
		return;
	}

	/* the set may be small, and its keys many times in it */
	if (state->store == NULL)
	{
		RibbonRecords records = ribbon_buildstate_records(state);

		if (has_many_duplicates(state, &records))
			ribbon_keysort_array(&records, state->words, &state->nwords);
		if (state->nwords <= state->capacity / 2)
			return;
		ribbon_buildstate_open_store(state, space);
	}
	ribbon_keystore_add(state->store, state->words, state->nwords);
	state->nwords = 0;
}

void
ribbon_buildstate_add(BuildState *state, BuildSpace *space,
					  const uint64_t *words, size_t n)
{
	while (n > 0)
	{
		size_t now;

		if (state->nwords == state->capacity)
			ribbon_buildstate_grow(state, space);
		now = Min(n, state->capacity - state->nwords);
		memcpy(state->words + state->nwords, words, now * sizeof(uint64_t));
		state->nwords += now;
		words += now;
		n -= now;
	}
}

void
ribbon_buildstate_flush(BuildState *state, BuildSpace *space)
{
	if (state->store == NULL)
		ribbon_buildstate_open_store(state, space);
	if (state->nwords > 0)
		ribbon_keystore_add(state->store, state->words, state->nwords);
	if (state->words != NULL)
		pfree(state->words);
	state->words = NULL;
	state->nwords = 0;
	state->capacity = 0;
}

uint64
ribbon_buildstate_sort(BuildState *state)
{
	RibbonRecords records = ribbon_buildstate_records(state);

	if (state->store != NULL)
	{
		ribbon_buildstate_flush(state, NULL);
		return ribbon_keystore_seal(state->store);
	}
	ribbon_keysort_array(&records, state->words, &state->nwords);
	return state->nwords;
}

void
ribbon_buildstate_open_store(BuildState *state, BuildSpace *space)
{
	MemoryContext context = GetMemoryChunkContext(state);
	RibbonRecords records = ribbon_buildstate_records(state);
	RibbonSpill *spill;

	if (space->plan == NULL)
		spill = ribbon_spill_create(context, false);
	else
	{
		if (space->spill == NULL)
			space->spill = ribbon_spill_create(space->plan, space->gives);
		spill = space->spill;
	}
	state->store = ribbon_keystore_create(context, spill, &records);
}
