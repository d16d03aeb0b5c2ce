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

/* Which arguments are the key and, of ribbon_map, the value. */
#define KEY_ARGUMENT   1
#define VALUE_ARGUMENT 2

/*
 * What a call site of a transition function keeps in fn_extra.  The types of
 * its arguments are looked at once, and the rate and the options when they
 * change; else each row compares them with those of the row before.
 */
typedef struct CallSite
{
	BuildSpace space; /* of all groups */
	RibbonKeyType key_type;
	BuildParams params;			/* of the row before, and valid */
	struct varlena *options;	/* their text, or NULL */
	RibbonValueType value_type; /* of a map */
} CallSite;

/* Find out what there is to know of a call site, for all signatures. */
static pg_noinline CallSite *
create_site(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	bool map = aggregate == RIBBON_AGGREGATE_MAP;
	CallSite *site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
											sizeof(CallSite));

	ribbon_buildstate_init_space(&site->space, fcinfo);
	site->key_type.of = map ? RIBBON_SQL_MAP : RIBBON_SQL_FILTER;
	ribbon_keytype_decide_argument(&site->key_type, fcinfo, KEY_ARGUMENT);
	site->params = ribbon_buildparams_default(site->key_type.key_class,
											  aggregate);
	if (map)
		ribbon_valuetype_decide_argument(&site->value_type, fcinfo,
										 VALUE_ARGUMENT);
	fcinfo->flinfo->fn_extra = site;
	return site;
}

/* The state that is an argument; NULL if there is none yet. */
static inline BuildState *
state_argument(FunctionCallInfo fcinfo, int arg)
{
	return PG_ARGISNULL(arg) ? NULL : (BuildState *) PG_GETARG_POINTER(arg);
}

/* What is known of this call site. */
static inline CallSite *
open_site(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	CallSite *site = fcinfo->flinfo->fn_extra;

	return likely(site != NULL) ? site : create_site(fcinfo, aggregate);
}

/* Read the options, which are argument arg, if they have changed. */
static void
read_options(FunctionCallInfo fcinfo, CallSite *site, int arg)
{
	struct varlena *options = ribbon_buildparams_read_options(fcinfo,
															  &site->params,
															  arg,
															  site->options);

	if (likely(options == NULL))
		return;
	ribbon_buildparams_keep_options(&site->options, options,
									fcinfo->flinfo->fn_mcxt);
	ribbon_keyhash_seed(&site->key_type, site->params.seed);
}

/* The state of a new group. */
static BuildState *
create_state(CallSite *site, MemoryContext context)
{
	BuildState *state = ribbon_buildstate_create(context, &site->params);
	RibbonValueType *value_type = &site->value_type;

	if (site->params.aggregate != RIBBON_AGGREGATE_MAP)
		return state;
	if (value_type->value_class == RIBBON_VALUE_DICTIONARY)
		ribbon_valuetype_renew(value_type);
	ribbon_buildvalues_init(state, value_type->value_class, value_type->head,
							value_type->nhead);
	return state;
}

/*
 * Where the hash or record of a row goes, that was hashed with the site's key
 * type.  The caller adds to state->nwords.
 */
static inline uint64_t *
next_record(BuildState *state, CallSite *site)
{
	if (unlikely(state->params.key_class != site->key_type.key_class))
		ribbon_buildparams_join_class(&state->params, site->key_type.key_class,
									  site->key_type.form == RIBBON_KEY_HASHED);
	if (state->nwords == state->capacity)
		ribbon_buildstate_grow(state, &site->space);
	return state->words + state->nwords;
}

/* Add a value, which may be NULL, to those of a state; its word. */
static inline uint64
add_value(BuildState *state, CallSite *site, NullableDatum value)
{
	BuildValues *values = state->values;
	uint64 word;

	if (unlikely(value.isnull))
	{
		values->flags |= BUILD_HAS_NULL;
		return RIBBON_VALUE_NULL;
	}
	if (values->dictionary != NULL)
		return ribbon_encode_value(&site->value_type, value.value,
								   values->dictionary, values->id,
								   state->params.seed);

	word = ribbon_valuetype_word(&site->value_type, value.value);
	if (unlikely(word == RIBBON_VALUE_NULL))
		values->flags |= BUILD_HAS_NUMBER_LIKE_NULL;
	ribbon_buildvalues_widen(values, (int64) word);
	return word;
}

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
	CallSite *site = open_site(fcinfo, aggregate);
	BuildState *state = state_argument(fcinfo, 0);
	int fpr = map ? 3 : 2;
	int options = fpr + 1;

	/* a NULL key is no reason to overlook a bad parameter beside it */
	if (!exact && PG_NARGS() > fpr)
		ribbon_buildparams_read_fpr(fcinfo, &site->params, fpr);
	if (PG_NARGS() > options)
		read_options(fcinfo, site, options);

	if (state == NULL)
		state = create_state(site,
							 ribbon_buildstate_context(fcinfo, aggregate));
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
			word = add_value(state, site, fcinfo->args[2]);
		record = next_record(state, site);
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
	BuildState *state = state_argument(fcinfo, 0);

	/* not one row came, but the types are known */
	if (state == NULL)
		state = create_state(open_site(fcinfo, aggregate),
							 CurrentMemoryContext);
	PG_RETURN_POINTER(ribbon_buildresult_get(state, fcinfo));
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

/* An empty state, for what is in another. */
static BuildState *
create_like(MemoryContext context, const BuildState *other)
{
	BuildState *state = ribbon_buildstate_create(context, &other->params);

	if (other->params.aggregate == RIBBON_AGGREGATE_MAP)
	{
		const BuildValues *values = other->values;
		const RibbonDictionary *dictionary = values->dictionary;

		ribbon_buildvalues_init(state, (RibbonValueClass) values->value_class,
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
	ribbon_buildresult_drop(state);
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
	BuildState *state = state_argument(fcinfo, 0);
	BuildState *other = state_argument(fcinfo, 1);

	if (state == NULL && other == NULL)
		PG_RETURN_NULL();
	if (other == NULL || other == state)
		PG_RETURN_POINTER(state);
	if ((other->params.aggregate == RIBBON_AGGREGATE_MAP) != map ||
		(state != NULL && state->params.aggregate != other->params.aggregate))
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
