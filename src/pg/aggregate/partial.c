/*
 * partial.c - states of ribbon_build and ribbon_map that leave their node
 *
 * A parallel worker aggregates its share of the rows, and sends each group's
 * state to the leader as bytes (serialize), which reads them (deserialize) and
 * adds them to what it has (combine).  Partitionwise plans do the same
 * within one process.
 *
 * Bytes are costly to send: the leader takes longer to receive a hash than to
 * compute it, and a partial state may not exceed 1 GB.  So only small states
 * are sent whole.  A large one goes into a file that the leader can open, if
 * it is not in one already, and what is sent is the file's name and the
 * blocks that belong to the group (partialstore.c).  The leader makes these
 * blocks its own by adding them to its lists, and reads them once the set is
 * complete.  partialbytes.h has the layout of both.
 *
 * No SQL statement can call these functions, which take and return values of
 * type internal.  But an extension that ships states to other servers may: it
 * may have functions of its own, for every user, that call deserialize with any
 * bytes and combine with any states of ours.  So
 *
 * - all of the bytes are checked, and a state of another key class is refused;
 * - files are named only to a node of a plan that calls us itself (buildstate.c
 *   finds out), and looked for only by one, whose bytes come from another node
 *   of the plan.  For any other caller states are sent whole, and must be;
 * - a file is opened only by the random number in it (sharedfile.c), and only
 *   blocks that are in it are taken, each once (partialstore.c).
 *
 * What cannot be checked is that a state is one: a pointer to something else is
 * for the extension not to hand to us, as with any value of type internal.
 */
#include "aggregate/aggregate.h"

#include "aggregate/partialbytes.h"
#include "key/key.h"
#include "mb/pg_wchar.h"
#include "server/server.h"
#include "utils/memutils.h"

/* 128 kB: to send more takes longer than to write a file. */
#define MAX_SMALL_WORDS (16 * 1024)

static Datum combine_states(FunctionCallInfo fcinfo, RibbonSqlType type);
static Datum serialize_state(FunctionCallInfo fcinfo, RibbonSqlType type);
static Datum deserialize_state(FunctionCallInfo fcinfo, RibbonSqlType type);
static BuildSpace *open_space(FunctionCallInfo fcinfo);
static BuildState *create_like(MemoryContext context, const BuildState *other);
static void absorb_store(BuildState *state, BuildState *other,
						 BuildSpace *space);
static bool is_class_of(const RibbonPartial *partial);
static void restore_values(BuildState *state, const RibbonPartial *partial);
static bool is_head(const uint8_t *head, uint32_t nhead);
static void check_words(const BuildState *state);
static size_t measure(const BuildState *state, size_t nwords, size_t size);
static struct varlena *begin_partial(const BuildState *state, bool large,
									 size_t nwords, size_t size, uint8_t **out);
static struct varlena *serialize_words(const BuildState *state,
									   const uint64 *words, size_t n);
static struct varlena *serialize_store_whole(BuildState *state);
static struct varlena *serialize_store_lists(BuildState *state);
static void take_lists(BuildState *state, BuildSpace *space,
					   const RibbonPartial *partial);
pg_noreturn static void refuse_state(RibbonAggregate aggregate);

RIBBON_SQL_PAIR(ribbon_build_combinefn, ribbon_map_combinefn, combine_states);
RIBBON_SQL_PAIR(ribbon_build_serialfn, ribbon_map_serialfn, serialize_state);
RIBBON_SQL_PAIR(ribbon_build_deserialfn, ribbon_map_deserialfn,
				deserialize_state);

/* ribbon_build_combinefn(state, state), ribbon_map_combinefn(state, state) */
static Datum
combine_states(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	bool map = type == RIBBON_SQL_MAP;
	BuildSpace *space = open_space(fcinfo);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);
	BuildState *other = ribbon_buildstate_argument(fcinfo, 1);

	if (state == NULL && other == NULL)
		PG_RETURN_NULL();
	if (other == NULL || other == state)
		PG_RETURN_POINTER(state);
	if (other->params.map != map ||
		(state != NULL &&
		 (state->params.map != map ||
		  state->params.exact != other->params.exact)))
		refuse_state((RibbonAggregate) map);

	if (state == NULL)
		state = create_like(ribbon_buildstate_context(fcinfo, map), other);
	ribbon_buildstate_check_same(&state->params, &other->params);
	if (map)
		ribbon_buildvalues_join(state, other);
	state->params.key_class = ribbon_keyclass_join(state->params.key_class,
												   other->params.key_class);

	ribbon_buildstate_add(state, space, other->words, other->nwords);
	if (other->store != NULL)
		absorb_store(state, other, space);
	PG_RETURN_POINTER(state);
}

/* An empty state, for what is in another. */
static BuildState *
create_like(MemoryContext context, const BuildState *other)
{
	BuildState *state = ribbon_buildstate_create(context, &other->params);

	if (other->params.map)
	{
		const BuildValues *values = other->values;
		const RibbonDictionary *dictionary = values->dictionary;

		ribbon_buildvalues_init(state,
								(RibbonValueClass) values->range.value_class,
								dictionary ? dictionary->bytes : NULL,
								dictionary ? dictionary->nhead : 0);
	}
	return state;
}

/* Add what is in another state's store. */
static void
absorb_store(BuildState *state, BuildState *other, BuildSpace *space)
{
	RibbonSpill *spill = other->store->spill;
	RibbonRecords records = ribbon_buildstate_records(state);

	if (state->store == NULL && ribbon_spill_context(spill) == space->plan)
		state->store = ribbon_keystore_create(GetMemoryChunkContext(state),
											  spill, &records);
	else if (state->store == NULL)
		ribbon_buildstate_open_store(state, space);
	ribbon_buildstate_changes(state);
	ribbon_keystore_absorb(state->store, other->store);
	if (other->store->spill == NULL)
		other->store = NULL;
}

/* ribbon_build_serialfn(state), ribbon_map_serialfn(state) return bytea */
static Datum
serialize_state(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	BuildSpace *space = open_space(fcinfo);
	BuildState *state = (BuildState *) PG_GETARG_POINTER(0);

	(void) type; /* the state says it itself */
	if (state->store == NULL &&
		(state->nwords <= MAX_SMALL_WORDS || !space->gives))
		PG_RETURN_POINTER(serialize_words(state, state->words, state->nwords));

	ribbon_buildstate_flush(state, space);
	if (!space->gives || !ribbon_spill_is_shared(state->store->spill))
		PG_RETURN_POINTER(serialize_store_whole(state));
	PG_RETURN_POINTER(serialize_store_lists(state));
}

/*
 * ribbon_build_deserialfn(bytea, internal), ribbon_map_deserialfn(bytea,
 * internal) return a state
 */
static Datum
deserialize_state(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	bool map = type == RIBBON_SQL_MAP;
	BuildSpace *space = open_space(fcinfo);
	struct varlena *bytes = PG_GETARG_VARLENA_PP(0);
	RibbonPartial partial;
	BuildState *state;

	if (!ribbon_partial_read(&partial, (const uint8_t *) VARDATA_ANY(bytes),
							 VARSIZE_ANY_EXHDR(bytes)) ||
		!is_class_of(&partial) || partial.params.map != map)
		refuse_state((RibbonAggregate) map);

	state = ribbon_buildstate_create(CurrentMemoryContext, &partial.params);
	if (map)
		restore_values(state, &partial);
	if (partial.large)
		take_lists(state, space, &partial);
	else
	{
		state->words = palloc(Max(partial.nwords, 1) * sizeof(uint64_t));
		state->nwords = state->capacity = partial.nwords;
		ribbon_partial_words(&partial, state->words);
		check_words(state);
	}
	PG_RETURN_POINTER(state);
}

/* Can it be the class of these keys?  There is none if no ribbonkey came. */
static bool
is_class_of(const RibbonPartial *partial)
{
	int key_class = partial->params.key_class;

	return key_class == 0 ? partial->nwords == 0 && !partial->large :
							ribbon_keyclass_objection(key_class) == NULL;
}

/* The values of a map; of bytes that may be any. */
static void
restore_values(BuildState *state, const RibbonPartial *partial)
{
	RibbonValueClass value_class =
		(RibbonValueClass) partial->range.value_class;
	bool has_dictionary = partial->ntexts > 0;
	const uint8_t *at = partial->texts;
	const uint8_t *head = NULL;
	uint32_t nhead = 0;

	if (has_dictionary)
		head = ribbon_partial_next_text(&at, &nhead);
	if (value_class >= RIBBON_NVALUE_CLASSES ||
		(value_class == RIBBON_VALUE_DICTIONARY) != has_dictionary ||
		(has_dictionary &&
		 (!is_head(head, nhead) ||
		  (partial->range.flags & ~BUILD_HAS_NULL) != 0)))
		refuse_state(RIBBON_AGGREGATE_MAP);

	ribbon_buildvalues_init(state, value_class, head, nhead);
	state->values->range = partial->range;
	for (uint32 i = 1; i < partial->ntexts; i++)
	{
		uint32_t length;
		const char *text = (const char *) ribbon_partial_next_text(&at,
																   &length);

		if (!pg_verify_mbstr(PG_UTF8, text, (int) length, true))
			refuse_state(RIBBON_AGGREGATE_MAP);
		ribbon_dictionary_add(state->values->dictionary, text, length,
							  partial->params.seed);
	}
}

/*
 * Can these be the head of a dictionary: two names, not empty and in UTF-8?
 */
static bool
is_head(const uint8_t *head, uint32_t nhead)
{
	uint32_t at = 0;

	for (int name = 0; name < 2; name++)
	{
		if (at >= nhead || head[at] == 0 || head[at] >= nhead - at ||
			!pg_verify_mbstr(PG_UTF8, (const char *) head + at + 1, head[at],
							 true))
			return false;
		at += 1 + head[at];
	}
	return at == nhead;
}

/* Are all values of a map's records known? */
static void
check_words(const BuildState *state)
{
	if (!state->params.map)
		return;
	for (size_t i = 1; i < state->nwords; i += RIBBON_RECORD_WORDS)
		if (!ribbon_buildvalues_has(state->values, state->words[i]))
			refuse_state(RIBBON_AGGREGATE_MAP);
}

static BuildSpace *
open_space(FunctionCallInfo fcinfo)
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

/*
 * The size of a partial state that has nwords words, and size bytes besides
 * behind the header and the values of a map.
 */
static size_t
measure(const BuildState *state, size_t nwords, size_t size)
{
	size += VARHDRSZ + RIBBON_PARTIAL_HEADER;
	if (state->params.exact)
		size += RIBBON_PARTIAL_AS_OF;
	if (state->params.map)
	{
		const RibbonDictionary *dictionary = state->values->dictionary;

		size += RIBBON_PARTIAL_VALUES;
		if (dictionary != NULL)
			size += dictionary->nbytes +
				(1 + (size_t) dictionary->ntexts) * RIBBON_PARTIAL_NUMBER;
	}
	if (size > MaxAllocSize || nwords > (MaxAllocSize - size) / sizeof(uint64))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("partial state of %s exceeds the maximum of 1 GB",
						ribbon_buildparams_name(&state->params)),
				 nwords > 0 ?
					 errdetail("It has %zu keys.",
							   nwords /
								   ribbon_buildstate_records(state).words) :
					 0));
	return size + nwords * sizeof(uint64);
}

/*
 * A partial state of the size that measure tells, with its header and what a
 * map has behind that; *out is where the rest goes.
 */
static struct varlena *
begin_partial(const BuildState *state, bool large, size_t nwords, size_t size,
			  uint8_t **out)
{
	const RibbonDictionary *dictionary = state->params.map ?
		state->values->dictionary :
		NULL;
	struct varlena *partial;

	size = measure(state, nwords, size);
	partial = palloc(size);
	SET_VARSIZE(partial, size);
	*out = ribbon_partial_put_header((uint8_t *) VARDATA(partial),
									 &state->params, large, nwords);
	if (state->params.exact)
		*out = ribbon_partial_put_exact(*out, &state->params);
	if (state->params.map)
		*out = ribbon_partial_put_values(*out, &state->params,
										 &state->values->range,
										 dictionary ? 1 + dictionary->ntexts :
													  0);
	if (dictionary != NULL)
	{
		*out = ribbon_partial_put_text(*out, dictionary->bytes,
									   dictionary->nhead);
		for (uint32 i = 0; i < dictionary->ntexts; i++)
			*out = ribbon_partial_put_text(*out,
										   dictionary->bytes +
											   dictionary->texts[i].at,
										   dictionary->texts[i].length);
	}
	return partial;
}

static struct varlena *
serialize_words(const BuildState *state, const uint64 *words, size_t n)
{
	uint8_t *out;
	struct varlena *partial = begin_partial(state, false, n, 0, &out);

	ribbon_partial_put_words(out, words, n);
	return partial;
}

/* For a process that cannot open our files. */
static struct varlena *
serialize_store_whole(BuildState *state)
{
	size_t n = ribbon_keystore_seal(state->store);
	uint64 *words;
	struct varlena *partial;

	(void) measure(state, n, 0);
	words = MemoryContextAllocHuge(CurrentMemoryContext,
								   Max(n, 1) * sizeof(uint64));
	n = ribbon_keystore_read(state->store, 0, PG_UINT64_MAX, words, n);
	partial = serialize_words(state, words, n);
	pfree(words);
	return partial;
}

/* For one that can: what a store's blocks are called. */
static struct varlena *
serialize_store_lists(BuildState *state)
{
	size_t size = ribbon_partialstore_bytes(state->store);
	uint8_t *out;
	struct varlena *partial = begin_partial(state, true, 0, size, &out);

	out = ribbon_partialstore_give(out, state->store);
	Assert(out == (uint8_t *) partial + VARSIZE(partial));
	return partial;
}

/* The reverse. */
static void
take_lists(BuildState *state, BuildSpace *space, const RibbonPartial *partial)
{
	if (!space->takes)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("partial state of %s is in temporary files",
						ribbon_buildparams_name(&state->params)),
				 errdetail("Such a state can be read only by the plan that it is a part of.")));

	ribbon_buildstate_open_store(state, space);
	if (!ribbon_partialstore_take(state->store, partial))
		refuse_state(ribbon_buildparams_aggregate(&state->params));
}

static void
refuse_state(RibbonAggregate aggregate)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid partial state of %s",
					ribbon_aggregate_name(aggregate))));
	pg_unreachable();
}
