/*
 * buildstate.c - what a group has, in memory as long as that lasts
 *
 * The budget of the node (buildspace.c) is for all groups together, and for
 * sorting the largest of them in the end, which takes its size once more.  So
 * an array grows as long as
 *
 *	 memory of the context + what it grows by + scratch space to sort it
 *
 * is within the budget.  Otherwise the array's hashes go to the set and it
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

/* 16 GB: one that is longer never does.  No value holds a filter of so many. */
#define MAX_CAPACITY (UINT32_C(1) << 31)

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
report_conflict(const RibbonBuildState *state, const uint64_t *two_records)
{
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

/* Throw what a function of a set returns, unless it is RIBBON_OK. */
static void
check(const RibbonBuildState *state, const RibbonSet *set, RibbonStatus status)
{
	if (unlikely(status == RIBBON_CONFLICT))
		report_conflict(state, set->conflict);
	ribbon_error_check(RIBBON_SQL_FILTER, status);
}

/* Sort an array, and drop duplicates; returns the set that it is then. */
static RibbonSet
seal_array(const RibbonBuildState *state, uint64_t *words, uint32 nwords)
{
	RibbonEnv env = ribbon_env_create(CurrentMemoryContext);
	RibbonSet set =
		ribbon_set_of_array(&env, ribbon_buildparams_elements(&state->params),
							words,
							nwords / ribbon_buildparams_words(&state->params));

	check(state, &set, ribbon_set_seal(&set));
	return set;
}

/* The same of the state's own. */
static RibbonSet
seal_own_array(RibbonBuildState *state)
{
	RibbonSet set = seal_array(state, state->words, state->nwords);

	state->nwords = (uint32) (set.n * ribbon_set_words(&set));
	return set;
}

uint64
ribbon_buildstate_count(const RibbonBuildState *state)
{
	uint64 n = state->nwords / ribbon_buildparams_words(&state->params);

	if (state->set != NULL)
		n += state->set->n;
	return n;
}

/* A ribbonkeys has a context of its own, with its state in it. */
MemoryContext
ribbon_buildstate_groups(const RibbonBuildState *state)
{
	MemoryContext context = GetMemoryChunkContext((void *) state);

	return ribbon_aggregate_info((RibbonAggregate) state->params.aggregate)
			   ->in_keys ?
		MemoryContextGetParent(context) :
		context;
}

static bool
may_grow(const RibbonBuildState *state, const RibbonBuildSpace *space,
		 size_t capacity)
{
	size_t more = (2 * capacity - state->capacity) * sizeof(uint64_t);

	return capacity <= SMALL_CAPACITY ||
		(capacity <= MAX_CAPACITY &&
		 ribbon_buildspace_has_memory(space->budget,
									  ribbon_buildstate_groups(state), more));
}

/*
 * Are there so many duplicates in a full array that it is worth sorting?  That
 * takes long, so first look at one key in 16, by the highest bits of its hash.
 * If keys were chosen so that these are far from random, it is not known.
 */
static bool
has_many_duplicates(const RibbonBuildState *state)
{
	unsigned each = ribbon_buildparams_words(&state->params);
	size_t room = state->nwords / SAMPLED * 2 + each;
	uint64_t *sample = MemoryContextAllocHuge(CurrentMemoryContext,
											  room * sizeof(uint64_t));
	uint32 n = 0;
	uint64 left;

	for (size_t i = 0; i < state->nwords && n + each <= room; i += each)
		if (state->words[i] < PG_UINT64_MAX / SAMPLED)
		{
			memcpy(sample + n, state->words + i, each * sizeof(uint64_t));
			n += each;
		}
	left = seal_array(state, sample, n).n * each;
	pfree(sample);
	return n < room / 4 || n + each > room || left <= n / 8 * 5;
}

void
ribbon_buildstate_open_set(RibbonBuildState *state, RibbonBuildSpace *space)
{
	MemoryContext context = GetMemoryChunkContext(state);

	state->set =
		ribbon_spillset_create(context, ribbon_buildspace_spill(space, context),
							   ribbon_buildparams_elements(&state->params));
}

/* Move the array's elements to the set. */
static void
empty_array(RibbonBuildState *state)
{
	size_t n = state->nwords / ribbon_buildparams_words(&state->params);

	check(state, state->set, ribbon_set_add(state->set, state->words, n));
	state->nwords = 0;
}

/* Before something changes of which it was built. */
static void
drop_result(RibbonBuildState *state)
{
	if (state->result != NULL)
		pfree(state->result);
	state->result = NULL;
	state->is_built = false;
}

void
ribbon_buildstate_join_class(RibbonBuildState *state, int key_class)
{
	RibbonBuildParams *params = &state->params;

	if (params->key_class == key_class)
		return;
	if (!ribbon_key_class_mix(params->key_class, key_class))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("type of the key of %s must not change within a group",
						ribbon_buildparams_name(params)),
				 errdetail("There are hashes of %s and of %s.",
						   ribbon_keyclass_describe(params->key_class),
						   ribbon_keyclass_describe(key_class))));
	drop_result(state);
	params->key_class = ribbon_keyclass_join(params->key_class, key_class);
}

void
ribbon_buildstate_grow(RibbonBuildState *state, RibbonBuildSpace *space)
{
	size_t capacity = Max(2 * (size_t) state->capacity, INITIAL_CAPACITY);

	drop_result(state);
	if (state->nwords < state->capacity)
		return;
	ribbon_progress_collected((RibbonAggregate) state->params.aggregate,
							  ribbon_buildstate_count(state));
	if (may_grow(state, space, capacity))
	{
		state->words = ribbon_enlarge(GetMemoryChunkContext(state),
									  state->words,
									  capacity * sizeof(uint64_t));
		state->capacity = (uint32) capacity;
		return;
	}

	/* the set may be small, and its keys many times in it */
	if (state->set == NULL)
	{
		if (has_many_duplicates(state))
			(void) seal_own_array(state);
		if (state->nwords <= state->capacity / 2)
			return;
		ribbon_buildstate_open_set(state, space);
	}
	empty_array(state);
}

void
ribbon_buildstate_add(RibbonBuildState *state, RibbonBuildSpace *space,
					  const uint64_t *words, size_t n)
{
	while (n > 0)
	{
		uint32 now;

		ribbon_buildstate_grow(state, space);
		now = (uint32) Min(n, state->capacity - state->nwords);
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
	RibbonSet *set = other->set;

	ribbon_buildstate_add(state, space, other->words, other->nwords);
	if (set == NULL)
		return;

	/* what is in a spill of the plan can stay there */
	if (space->spill == NULL &&
		ribbon_spillset_spill(set)->context == space->plan)
		space->spill = ribbon_spillset_spill(set);
	if (state->set == NULL)
		ribbon_buildstate_open_set(state, space);
	drop_result(state);
	check(state, state->set, ribbon_spillset_absorb(state->set, set));
	if (set->n == 0)
		other->set = NULL;
}

void
ribbon_buildstate_flush(RibbonBuildState *state)
{
	if (state->nwords > 0)
		empty_array(state);
	if (state->words != NULL)
		pfree(state->words);
	state->words = NULL;
	state->capacity = 0;
}

RibbonSet *
ribbon_buildstate_seal(RibbonBuildState *state, RibbonSet *array)
{
	if (state->set == NULL)
	{
		*array = seal_own_array(state);
		return array;
	}
	ribbon_buildstate_flush(state);
	check(state, state->set, ribbon_set_seal(state->set));
	return state->set;
}

size_t
ribbon_buildstate_read(const RibbonBuildState *state, RibbonBuildReader *reader,
					   const uint64 **words)
{
	size_t n = 0;

	CHECK_FOR_INTERRUPTS();
	if (state->set != NULL)
	{
		if (reader->block == NULL)
			reader->block = palloc(RIBBON_BLOCK_WORDS * sizeof(uint64));
		check(state, state->set,
			  ribbon_set_next(state->set, &reader->position, reader->block,
							  &n));
	}
	if (n > 0)
	{
		*words = reader->block;
		return n * ribbon_buildparams_words(&state->params);
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
