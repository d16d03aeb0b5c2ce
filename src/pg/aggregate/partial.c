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

PG_FUNCTION_INFO_V1(ribbon_build_combinefn);
PG_FUNCTION_INFO_V1(ribbon_build_serialfn);
PG_FUNCTION_INFO_V1(ribbon_build_deserialfn);
PG_FUNCTION_INFO_V1(ribbon_map_combinefn);
PG_FUNCTION_INFO_V1(ribbon_map_serialfn);
PG_FUNCTION_INFO_V1(ribbon_map_deserialfn);

static BuildSpace *open_space(FunctionCallInfo fcinfo);
static BuildState *combine(FunctionCallInfo fcinfo, bool map);
static struct varlena *serialize(FunctionCallInfo fcinfo);
static BuildState *deserialize(FunctionCallInfo fcinfo, bool map);
static BuildState *create_like(MemoryContext context, const BuildState *other);
static struct varlena *new_partial(const BuildState *state, size_t nwords,
								   size_t size);
static uint8_t *put_beginning(const BuildState *state, struct varlena *partial,
							  bool large, size_t nwords);
static void init_values(MapState *state, const RibbonPartial *partial);
static void check_words(const MapState *state);
static struct varlena *serialize_words(const BuildState *state,
									   const uint64 *words, size_t n);
static struct varlena *serialize_store_whole(BuildState *state);
static struct varlena *serialize_store_lists(BuildState *state);
static void take_lists(BuildState *state, BuildSpace *space,
					   const RibbonPartial *partial);
pg_noreturn static void refuse(bool map);

/* ribbon_build_combinefn(state, state) */
Datum
ribbon_build_combinefn(PG_FUNCTION_ARGS)
{
	BuildState *state = combine(fcinfo, false);

	if (state == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(state);
}

/* ribbon_map_combinefn(state, state) */
Datum
ribbon_map_combinefn(PG_FUNCTION_ARGS)
{
	BuildState *state = combine(fcinfo, true);

	if (state == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(state);
}

/* ribbon_build_serialfn(state) returns bytea */
Datum
ribbon_build_serialfn(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(serialize(fcinfo));
}

/* ribbon_map_serialfn(state) returns bytea */
Datum
ribbon_map_serialfn(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(serialize(fcinfo));
}

/* ribbon_build_deserialfn(bytea, internal) returns a state */
Datum
ribbon_build_deserialfn(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(deserialize(fcinfo, false));
}

/* ribbon_map_deserialfn(bytea, internal) returns a state */
Datum
ribbon_map_deserialfn(PG_FUNCTION_ARGS)
{
	PG_RETURN_POINTER(deserialize(fcinfo, true));
}

static BuildState *
combine(FunctionCallInfo fcinfo, bool map)
{
	BuildSpace *space = open_space(fcinfo);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);
	BuildState *other = ribbon_buildstate_argument(fcinfo, 1);

	if (other == NULL || other == state)
		return state;
	if (other->params.map != map || (state != NULL && state->params.map != map))
		refuse(map);

	if (state == NULL)
		state = create_like(ribbon_buildstate_context(fcinfo, map), other);
	ribbon_buildstate_check_same(&state->params, &other->params);
	if (map)
		ribbon_mapstate_join((MapState *) state, (MapState *) other);
	state->params.key_class = ribbon_keyclass_join(state->params.key_class,
												   other->params.key_class);

	ribbon_buildstate_add(state, space, other->words, other->nwords);
	if (other->store != NULL)
	{
		RibbonRecords records = ribbon_buildstate_records(state);

		if (state->store == NULL &&
			ribbon_spill_context(other->store->spill) == space->plan)
			state->store = ribbon_keystore_create(GetMemoryChunkContext(state),
												  other->store->spill,
												  &records);
		else if (state->store == NULL)
			ribbon_buildstate_open_store(state, space);
		ribbon_buildstate_changes(state);
		ribbon_keystore_absorb(state->store, other->store);
		if (other->store->spill == NULL)
			other->store = NULL;
	}
	return state;
}

/* An empty state, for what is in another. */
static BuildState *
create_like(MemoryContext context, const BuildState *other)
{
	BuildState *state = ribbon_buildstate_create(context, &other->params);

	if (other->params.map)
	{
		const MapState *values = (const MapState *) other;
		const RibbonDictionary *dictionary = values->dictionary;

		ribbon_mapstate_init((MapState *) state,
							 (RibbonValueClass) values->values.value_class,
							 dictionary ? dictionary->bytes : NULL,
							 dictionary ? dictionary->nhead : 0);
	}
	return state;
}

static struct varlena *
serialize(FunctionCallInfo fcinfo)
{
	BuildSpace *space = open_space(fcinfo);
	BuildState *state = (BuildState *) PG_GETARG_POINTER(0);

	if (state->store == NULL &&
		(state->nwords <= MAX_SMALL_WORDS || !space->gives))
		return serialize_words(state, state->words, state->nwords);

	ribbon_buildstate_flush(state, space);
	if (!space->gives || !ribbon_spill_is_shared(state->store->spill))
		return serialize_store_whole(state);
	return serialize_store_lists(state);
}

static BuildState *
deserialize(FunctionCallInfo fcinfo, bool map)
{
	BuildSpace *space = open_space(fcinfo);
	struct varlena *bytes = PG_GETARG_VARLENA_PP(0);
	RibbonPartial partial;
	BuildState *state;

	if (!ribbon_partial_read(&partial, (const uint8_t *) VARDATA_ANY(bytes),
							 VARSIZE_ANY_EXHDR(bytes)) ||
		ribbon_keyclass_objection(partial.params.key_class) != NULL ||
		partial.params.map != map)
		refuse(map);

	state = ribbon_buildstate_create(CurrentMemoryContext, &partial.params);
	if (map)
		init_values((MapState *) state, &partial);
	if (partial.large)
		take_lists(state, space, &partial);
	else
	{
		state->words = palloc(Max(partial.nwords, 1) * sizeof(uint64_t));
		state->nwords = state->capacity = partial.nwords;
		ribbon_partial_words(&partial, state->words);
		if (map)
			check_words((MapState *) state);
	}
	return state;
}

StaticAssertDecl(RIBBON_PARTIAL_FINGERPRINT == RIBBON_DICTIONARY_FINGERPRINT,
				 "a state has the head of a dictionary");

/* Are the names in the head of a dictionary in UTF-8? */
static bool
is_head(const uint8_t *head, uint32_t nhead)
{
	uint32_t at = nhead > 0 ? ribbon_dictionary_names(head[0]) : 0;

	for (; at < nhead; at += 1 + head[at])
		if (!pg_verify_mbstr(PG_UTF8, (const char *) head + at + 1, head[at],
							 true))
			return false;
	return true;
}

/* The values of a map, which may be any. */
static void
init_values(MapState *state, const RibbonPartial *partial)
{
	RibbonValueClass value_class =
		(RibbonValueClass) partial->values.value_class;
	const uint8_t *at = partial->texts;
	uint8_t flags = partial->values.flags;

	if (value_class >= RIBBON_NVALUE_CLASSES ||
		(value_class == RIBBON_VALUE_DICTIONARY) != (partial->nhead > 0) ||
		(value_class == RIBBON_VALUE_DICTIONARY &&
		 (flags & ~BUILD_HAS_NULL) != 0) ||
		!is_head(partial->head, partial->nhead))
		refuse(true);

	ribbon_mapstate_init(state, value_class, partial->head, partial->nhead);
	state->values = partial->values;
	for (uint32 i = 0; i < partial->ntexts; i++)
	{
		uint32_t length;
		const char *text = (const char *) ribbon_partial_next_text(&at,
																   &length);

		if (!pg_verify_mbstr(PG_UTF8, text, (int) length, true))
			refuse(true);
		ribbon_dictionary_add(state->dictionary, text, length,
							  partial->params.seed);
	}
}

/* Are all values of a state's records known? */
static void
check_words(const MapState *state)
{
	for (size_t i = 1; i < state->build.nwords; i += RIBBON_RECORD_WORDS)
		if (!ribbon_mapstate_has(state, state->build.words[i]))
			refuse(true);
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

/* The bytes of a map's dictionary in a partial state. */
static uint32
dictionary_bytes(const RibbonDictionary *dictionary)
{
	return dictionary == NULL ?
		0 :
		dictionary->nbytes + dictionary->ntexts * RIBBON_PARTIAL_NUMBER;
}

/*
 * The size of a partial state that has nwords words and size bytes behind the
 * header, and behind what a map has there.
 */
static size_t
measure(const BuildState *state, size_t nwords, size_t size)
{
	size += VARHDRSZ + RIBBON_PARTIAL_HEADER;
	if (state->params.map)
		size += RIBBON_PARTIAL_VALUES +
			dictionary_bytes(((const MapState *) state)->dictionary);
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

/* Room for it. */
static struct varlena *
new_partial(const BuildState *state, size_t nwords, size_t size)
{
	struct varlena *partial;

	size = measure(state, nwords, size);
	partial = palloc(size);
	SET_VARSIZE(partial, size);
	return partial;
}

/* Write the header, and what a map has behind it; where the rest goes. */
static uint8_t *
put_beginning(const BuildState *state, struct varlena *partial, bool large,
			  size_t nwords)
{
	const MapState *map = (const MapState *) state;
	const RibbonDictionary *dictionary;
	uint8_t *out = ribbon_partial_put_header((uint8_t *) VARDATA(partial),
											 &state->params, large, nwords);

	if (!state->params.map)
		return out;
	dictionary = map->dictionary;
	out = ribbon_partial_put_values(out, &state->params, &map->values,
									dictionary ? dictionary->ntexts : 0,
									dictionary_bytes(dictionary));
	if (dictionary == NULL)
		return out;
	out = ribbon_partial_put_bytes(out, dictionary->bytes, dictionary->nhead);
	for (uint32 i = 0; i < dictionary->ntexts; i++)
	{
		const RibbonDictionaryText *text = &dictionary->texts[i];

		out = ribbon_partial_put_number(out, text->length);
		out = ribbon_partial_put_bytes(out, dictionary->bytes + text->at,
									   text->length);
	}
	return out;
}

static struct varlena *
serialize_words(const BuildState *state, const uint64 *words, size_t n)
{
	struct varlena *partial = new_partial(state, n, 0);
	uint8_t *out = put_beginning(state, partial, false, n);

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
	struct varlena *partial =
		new_partial(state, 0, ribbon_partialstore_bytes(state->store));
	uint8_t *out = put_beginning(state, partial, true, 0);
	uint8_t *end = ribbon_partialstore_give(out, state->store);

	Assert(end == (uint8_t *) partial + VARSIZE(partial));
	(void) end;
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
		refuse(state->params.map);
}

static void
refuse(bool map)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid partial state of %s",
					ribbon_aggregate_name(map))));
	pg_unreachable();
}
