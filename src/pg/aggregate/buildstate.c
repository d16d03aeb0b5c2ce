/*
 * buildstate.c - what a group has, in memory as long as that lasts
 *
 * The budget of the node (buildspace.c) is for all groups together, and for
 * sorting the largest of them in the end, which takes its size once more.  So
 * a set's array grows as long as
 *
 *	 memory of the context + what it grows by + scratch space to sort it
 *
 * is within the budget.  One block always may be in memory: many small
 * groups are the executor's to spill, which counts the same memory.
 */
#include "aggregate/aggregate.h"

#include "key/keyclass.h"
#include "keys/hashes.h"
#include "server/progress.h"
#include "server/server.h"
#include "utils/memutils.h"

#define INITIAL_CAPACITY 8

/* 32 kB: so many words may be in memory, whatever the memory used. */
#define SMALL_CAPACITY RIBBON_BLOCK_WORDS

/* 4 kB: words that go to a set before it counts them, and progress is shown. */
#define UNCOUNTED_CAPACITY 512

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
	uint32 seed = ribbon_buildparams_is_map(params) ? params->seed : 0;

	if (seed != 0)
		return psprintf("The hash of the key under seed %u is %lld.", seed,
						(long long) hash);
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
report_conflict(const RibbonBuildState *state, const RibbonRecord *two_records)
{
	const char *key = describe_key(&state->params, two_records[0].hash);

	if (ribbon_buildparams_is_map(&state->params))
		ribbon_buildvalues_report_two(state->values, two_records, key);
	ereport(ERROR,
			(errcode(ERRCODE_CARDINALITY_VIOLATION),
			 errmsg("a key of ribbon_build_exact is both a member and not a member"),
			 errdetail_internal("%s", key),
			 errhint("Aggregate first, so that each key comes once: with bool_or(member) it is a member if any of its rows says so.")));
}

void
ribbon_buildstate_check(const RibbonBuildState *state, const RibbonSet *set,
						RibbonStatus status)
{
	if (unlikely(status == RIBBON_CONFLICT))
		report_conflict(state, set->conflict);
	ribbon_error_check(ribbon_buildparams_info(&state->params)->type, status);
}

uint64
ribbon_buildstate_count(const RibbonBuildState *state)
{
	uint64 n = state->nwords / ribbon_buildparams_stride(&state->params);

	if (state->set != NULL)
		n += state->set->n;
	return n;
}

/* A ribbonkeys has a context of its own, with its state in it. */
MemoryContext
ribbon_buildstate_groups(const RibbonBuildState *state)
{
	MemoryContext context = GetMemoryChunkContext((void *) state);

	return ribbon_buildparams_info(&state->params)->is_internal ?
		context :
		MemoryContextGetParent(context);
}

/* The file that the state's set is in, or is to go to. */
static RibbonFile *
choose_file(RibbonBuildState *state, RibbonBuildSpace *space)
{
	MemoryContext context = GetMemoryChunkContext(state);

	return state->set->file != NULL ?
		state->set->file :
		&ribbon_buildspace_spill(space, context)->base;
}

/* Let the array of the state's set double, if there is memory. */
static void
limit_set(RibbonBuildState *state, RibbonBuildSpace *space)
{
	size_t room = state->set->room;
	bool doubles = 2 * room <= SMALL_CAPACITY ||
		ribbon_buildspace_has_memory(space->budget,
									 ribbon_buildstate_groups(state),
									 3 * room * sizeof(uint64_t));

	ribbon_set_limit(state->set, doubles ? Max(2 * room, SMALL_CAPACITY) : room,
					 choose_file(state, space));
}

/*
 * The state's set, with all elements; made if there is none.  It is free to
 * move them, so room for more has to be made anew.
 */
static RibbonSet *
complete_set(RibbonBuildState *state)
{
	size_t n = state->nwords / ribbon_buildparams_stride(&state->params);

	if (state->set == NULL)
	{
		state->set =
			ribbon_spillset_create(GetMemoryChunkContext(state),
								   ribbon_buildparams_info(&state->params)
									   ->elements);
		ribbon_buildstate_check(state, state->set,
								ribbon_set_collect(state->set, state->words,
												   n));
		if (state->words != NULL)
			pfree(state->words);
	}
	else if (n > 0)
		ribbon_set_count_more(state->set, n);
	state->words = NULL;
	state->nwords = state->capacity = 0;
	return state->set;
}

/* All elements of a state: its set; if it has none, *array, made a set. */
static RibbonSet *
whole_set(RibbonBuildState *state, RibbonSet *array)
{
	RibbonEnv env;

	if (state->set != NULL)
		return complete_set(state);
	env = ribbon_env_create(CurrentMemoryContext);
	*array =
		ribbon_set_of_array(&env,
							ribbon_buildparams_info(&state->params)->elements,
							state->words, ribbon_buildstate_count(state));
	return array;
}

RibbonSet *
ribbon_buildstate_open_file(RibbonBuildState *state, RibbonBuildSpace *space)
{
	RibbonSet *set = complete_set(state);

	ribbon_set_enter_file(set, choose_file(state, space));
	return set;
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
						ribbon_buildparams_info(params)->name),
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
	ribbon_progress_collected(state->params.aggregate,
							  ribbon_buildstate_count(state));
	if (state->set == NULL && capacity <= SMALL_CAPACITY)
		state->words = ribbon_enlarge(GetMemoryChunkContext(state),
									  state->words,
									  capacity * sizeof(uint64_t));
	else
	{
		RibbonSet *set = complete_set(state);

		if (!ribbon_set_has_room(set, 1))
			limit_set(state, space);
		ribbon_buildstate_check(state, set, ribbon_set_make_room(set, 1));
		state->words = ribbon_set_end(set);
		capacity = Min(set->room - set->narray, UNCOUNTED_CAPACITY);
	}
	state->capacity = (uint32) capacity;
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
	RibbonSet array;
	RibbonSet *from = whole_set(other, &array);
	RibbonSet *set;

	if (!from->in_file)
	{
		ribbon_buildstate_add(state, space, from->array, from->narray);
		return;
	}

	drop_result(state);
	set = ribbon_buildstate_open_file(state, space);
	ribbon_buildstate_check(state, set, ribbon_spillset_absorb(set, from));
	if (from->n == 0)
		other->set = NULL; /* of which all has been taken over */
}

RibbonSet *
ribbon_buildstate_seal(RibbonBuildState *state, RibbonSet *array)
{
	RibbonSet *set = whole_set(state, array);

	ribbon_progress_collected(state->params.aggregate, set->n);
	ribbon_buildstate_check(state, set, ribbon_set_seal(set));
	if (state->set == NULL)
		state->nwords = (uint32) set->narray;
	return set;
}

void
ribbon_buildstate_each(RibbonBuildState *state, RibbonTakeElements take,
					   void *arg)
{
	RibbonSet array;
	const RibbonSet *set = whole_set(state, &array);

	ribbon_buildstate_check(state, set,
							ribbon_set_each(&set->env, set, take, arg));
}
