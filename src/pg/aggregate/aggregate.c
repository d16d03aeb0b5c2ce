/*
 * aggregate.c - ribbon_build: keys in, a filter out; ribbon_map: keys and
 * values, a map; ribbon_build_exact: the keys of a universe, with whether they
 * are members, an exact set
 *
 * The transition function adds each key's hash to the state of its group
 * (aggregate.h), and behind it, for a map, a word for the value.  The final
 * function has the core build the filter or map.  The core sorts, so neither
 * order nor duplicates nor the plan leave a trace in the result.  A key that
 * has two values is found when records are sorted, in the end or sooner.
 * States of parts of a group are combined; partial.c sends them between
 * processes.
 *
 * A row of ribbon_build_exact is a record, too: the key's hash, and its second
 * hash with the lowest bit replaced by whether it is a member.  So a key that
 * is both is found when records are sorted, and keys of one hash are told
 * apart.  It has the combine, serial and deserial functions of ribbon_build: a
 * state says itself what it is of.
 *
 * The final function is READ_ONLY, as window functions require, and to be
 * relied upon by extensions that have a state: it may be called again, and rows
 * and states may still be added.  It sorts the hashes where they are and drops
 * duplicates, which leaves the set as it was, and the core only reads them.
 */
#include "aggregate/aggregate.h"

#include "key/keyhash.h"
#include "server/server.h"

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
								dictionary ? (uint8 *) dictionary->bytes.data :
											 NULL,
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

/* ribbon_build_combinefn(state, state), ribbon_map_combinefn(state, state) */
static Datum
combine_states(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	bool map = type == RIBBON_SQL_MAP;
	BuildSpace *space = ribbon_buildstate_open_space(fcinfo);
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
		ribbon_partial_refuse((RibbonAggregate) map);

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

RIBBON_SQL_PAIR(ribbon_build_combinefn, ribbon_map_combinefn, combine_states);

/*
 * ribbon_build_transfn(state, key [, fpr [, options]]),
 * ribbon_map_transfn(state, key, value [, fpr [, options]]),
 * ribbon_build_exact_transfn(state, key, member [, options])
 *
 * Compiled for each aggregate, which is a constant where it is called.
 */
static pg_attribute_always_inline Datum
add_row(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	bool map = aggregate == RIBBON_AGGREGATE_MAP;
	bool exact = aggregate == RIBBON_AGGREGATE_EXACT;
	BuildSite *site = ribbon_buildsite_open(fcinfo, aggregate);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);
	int fpr = map ? 3 : 2;
	int options = fpr + 1;

	/* a NULL key is no reason to overlook a bad parameter beside it */
	if (!exact && PG_NARGS() > fpr)
		ribbon_buildparams_read_fpr(fcinfo, &site->params, fpr);
	if (PG_NARGS() > options)
		ribbon_buildsite_read_options(fcinfo, site, options);

	if (state == NULL)
		state =
			ribbon_buildsite_new_state(site,
									   ribbon_buildstate_context(fcinfo,
																 aggregate));
	ribbon_buildstate_check_same(&state->params, &site->params);

	if (!PG_ARGISNULL(1) && !(exact && PG_ARGISNULL(2)))
	{
		Datum key = PG_GETARG_DATUM(1);
		RibbonKeyHashes hashes = {0};
		uint64_t word = 0;
		uint64_t *record;

		if (exact)
			hashes = ribbon_keyhash_both(&site->key_type, key);
		else
			hashes.first = ribbon_keyhash_row(&site->key_type, key);
		if (exact)
			word = ribbon_exact_word(hashes.second, PG_GETARG_BOOL(2));
		if (map)
			word = ribbon_buildvalues_add(state, site, fcinfo->args[2]);
		record = ribbon_buildstate_next(state, site);
		record[0] = hashes.first;
		if (map || exact)
			record[1] = word;
		state->nwords += map || exact ? RIBBON_RECORD_WORDS : 1;
	}

	PG_RETURN_POINTER(state);
}

/*
 * ribbon_build_finalfn(state, NULL [, NULL [, NULL]]) returns ribbonfilter,
 * ribbon_map_finalfn(state, NULL, NULL [, NULL [, NULL]]) ribbonmap,
 * ribbon_build_exact_finalfn(state, NULL, NULL [, NULL]) ribbonfilter
 */
static Datum
return_result(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	/* not one row came, but the types are known */
	if (state == NULL)
		state = ribbon_buildsite_new_state(ribbon_buildsite_open(fcinfo,
																 aggregate),
										   CurrentMemoryContext);
	PG_RETURN_POINTER(ribbon_buildstate_result(state, fcinfo));
}

/* The functions of SQL, of each aggregate the same. */
#define FUNCTIONS(name, aggregate) \
	PG_FUNCTION_INFO_V1(name##_transfn); \
	PG_FUNCTION_INFO_V1(name##_finalfn); \
	Datum name##_transfn(PG_FUNCTION_ARGS) \
	{ \
		return add_row(fcinfo, aggregate); \
	} \
	Datum name##_finalfn(PG_FUNCTION_ARGS) \
	{ \
		return return_result(fcinfo, aggregate); \
	} \
	extern Datum name##_finalfn(PG_FUNCTION_ARGS)

FUNCTIONS(ribbon_build, RIBBON_AGGREGATE_BUILD);
FUNCTIONS(ribbon_map, RIBBON_AGGREGATE_MAP);
FUNCTIONS(ribbon_build_exact, RIBBON_AGGREGATE_EXACT);
