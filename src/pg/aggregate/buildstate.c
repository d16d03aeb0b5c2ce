/*
 * buildstate.c - what a group has, in memory as long as that lasts
 *
 * The budget of the node (buildspace.c) is for all groups together, and for
 * sorting the largest of them in the end, which takes its size once more.  So
 * an array grows as long as
 *
 *	 memory of the context + what it grows by + scratch space to sort it
 *
 * is within the budget.  Otherwise the array's hashes go to the store and it
 * starts again.  Arrays of a few blocks always may grow: many small groups are
 * the executor's to spill, which counts the same memory.
 */
#include "aggregate/buildstate.h"

#include "base/hash.h"
#include "key/keyclass.h"
#include "miscadmin.h"
#include "server/server.h"
#include "utils/memutils.h"

#define INITIAL_CAPACITY 8

/* 32 kB: an array at most so long may grow, whatever the memory used. */
#define SMALL_CAPACITY RIBBON_BLOCK_WORDS

/* Of so many hashes, one is looked at to find out how many are duplicates. */
#define SAMPLED 16

/* 512 kB: words of an array that are read at a time. */
#define PIECE_WORDS (64 * 1024)

RibbonBuildState *
ribbon_buildstate_create(MemoryContext context, const RibbonBuildParams *params)
{
	size_t size = sizeof(RibbonBuildState) +
		(ribbon_buildparams_is_map(params) ? sizeof(RibbonBuildValues) : 0);
	RibbonBuildState *state = MemoryContextAllocZero(context, size);

	state->params = *params;
	return state;
}

RibbonBuildState *
ribbon_buildstate_create_like(MemoryContext context,
							  const RibbonBuildState *other)
{
	RibbonBuildState *state = ribbon_buildstate_create(context, &other->params);

	if (ribbon_buildparams_is_map(&state->params))
		ribbon_buildvalues_init_like(state->values, context, other->values);
	return state;
}

/* A sentence about the key with this hash: of an integer it is known. */
static const char *
describe_key(const RibbonBuildParams *params, uint64 hash)
{
	if (params->seed != 0)
		return psprintf("The hash of the key under seed %u is %lld.",
						params->seed, (long long) hash);
	if (params->key_class != RIBBON_CLASS_INTEGER)
		return psprintf("ribbon_hash(key) is %lld.", (long long) hash);
	return psprintf("The key is %lld, and ribbon_hash(key) is %lld.",
					(long long) ribbon_hash_to_number(hash), (long long) hash);
}

/*
 * Throw the error for two records with one hash and two values; or, in an exact
 * set, for a key that is both a member and not.
 */
pg_noreturn static void
report_conflict(const void *arg, const uint64_t *two_records)
{
	const RibbonBuildState *state = arg;
	const char *key = describe_key(&state->params, two_records[0]);

	if (ribbon_buildparams_is_map(&state->params))
		ribbon_buildvalues_report_two(state->values, two_records,
									  state->params.seed, key);
	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_build_exact is both a member and not a member"),
			 errdetail_internal("%s", key),
			 errhint("Aggregate first, so that each key comes once: with bool_or(member) it is a member if any of its rows says so.")));
	pg_unreachable();
}

/* What the elements of a state's array and store are. */
static RibbonRecords
records_of(const RibbonBuildState *state)
{
	const RibbonAggregateInfo *info = ribbon_buildparams_info(&state->params);

	return (RibbonRecords){.kind = info->elements,
						   .words = info->words,
						   .conflict = report_conflict,
						   .arg = state};
}

uint64
ribbon_buildstate_count(const RibbonBuildState *state)
{
	uint64 n = state->nwords;

	if (state->store != NULL)
		n += ribbon_keystore_nwords(state->store);
	return n / ribbon_buildparams_info(&state->params)->words;
}

/* A ribbonkeys has a context of its own, with its state in it. */
MemoryContext
ribbon_buildstate_groups(const RibbonBuildState *state)
{
	MemoryContext context = GetMemoryChunkContext((void *) state);

	return ribbon_buildparams_info(&state->params)->in_keys ?
		MemoryContextGetParent(context) :
		context;
}

static bool
may_grow(const RibbonBuildState *state, const RibbonBuildSpace *space,
		 size_t capacity)
{
	size_t more = (2 * capacity - state->capacity) * sizeof(uint64_t);

	return capacity <= SMALL_CAPACITY ||
		ribbon_buildspace_has_memory(space->budget,
									 ribbon_buildstate_groups(state), more);
}

/*
 * Are there so many duplicates in a full array that it is worth sorting?  That
 * takes long, so first look at one key in 16, by the highest bits of its hash.
 * If keys were chosen so that these are far from random, it is not known.
 */
static bool
has_many_duplicates(const RibbonBuildState *state, const RibbonRecords *records)
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
ribbon_buildstate_open_store(RibbonBuildState *state, RibbonBuildSpace *space)
{
	MemoryContext context = GetMemoryChunkContext(state);
	RibbonRecords records = records_of(state);

	state->store =
		ribbon_keystore_create(context, ribbon_buildspace_spill(space, context),
							   &records);
}

void
ribbon_buildstate_grow(RibbonBuildState *state, RibbonBuildSpace *space)
{
	size_t capacity = Max(2 * state->capacity, INITIAL_CAPACITY);

	ribbon_buildresult_drop(state);
	ribbon_progress_begin((RibbonAggregate) state->params.aggregate);
	if (state->nwords > 0)
		ribbon_progress_collected(ribbon_buildstate_count(state));
	if (may_grow(state, space, capacity))
	{
		state->words = ribbon_enlarge(GetMemoryChunkContext(state),
									  state->words,
									  capacity * sizeof(uint64_t));
		state->capacity = capacity;
		return;
	}

	/* the set may be small, and its keys many times in it */
	if (state->store == NULL)
	{
		RibbonRecords records = records_of(state);

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
ribbon_buildstate_add(RibbonBuildState *state, RibbonBuildSpace *space,
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
ribbon_buildstate_absorb(RibbonBuildState *state, RibbonBuildSpace *space,
						 RibbonBuildState *other)
{
	RibbonKeyStore *store = other->store;

	ribbon_buildstate_add(state, space, other->words, other->nwords);
	if (store == NULL)
		return;

	/* what is in a spill of the plan can stay there */
	if (space->spill == NULL &&
		ribbon_spill_context(ribbon_keystore_spill(store)) == space->plan)
		space->spill = ribbon_keystore_spill(store);
	if (state->store == NULL)
		ribbon_buildstate_open_store(state, space);
	ribbon_buildresult_drop(state);
	ribbon_keystore_absorb(state->store, store);
	if (ribbon_keystore_spill(store) == NULL)
		other->store = NULL;
}

void
ribbon_buildstate_flush(RibbonBuildState *state)
{
	if (state->nwords > 0)
		ribbon_keystore_add(state->store, state->words, state->nwords);
	if (state->words != NULL)
		pfree(state->words);
	state->words = NULL;
	state->nwords = 0;
	state->capacity = 0;
}

void
ribbon_buildstate_sort(RibbonBuildState *state)
{
	RibbonRecords records = records_of(state);

	if (state->store != NULL)
	{
		ribbon_buildstate_flush(state);
		ribbon_keysort_seal(state->store);
	}
	else
		ribbon_keysort_array(&records, state->words, &state->nwords);
}

size_t
ribbon_buildstate_read(const RibbonBuildState *state, RibbonBuildReader *reader,
					   const uint64 **words)
{
	size_t n = 0;

	CHECK_FOR_INTERRUPTS();
	if (state->store != NULL)
	{
		if (reader->block == NULL)
			reader->block = ribbon_alloc_words(RIBBON_BLOCK_WORDS);
		n = ribbon_keystore_next(state->store, &reader->position,
								 reader->block);
	}
	if (n > 0)
	{
		*words = reader->block;
		return n;
	}
	if (reader->block != NULL && reader->at == state->nwords)
	{
		pfree(reader->block);
		reader->block = NULL;
	}
	n = Min(PIECE_WORDS, state->nwords - reader->at);
	*words = state->words + reader->at;
	reader->at += n;
	return n;
}
