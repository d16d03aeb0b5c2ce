/*
 * buildaggregate.c - ribbon_build: keys in, a filter out; ribbon_map: keys and
 * values, a map; ribbon_build_exact: the keys of a universe, with whether they
 * are members, an exact set
 *
 * The transition function adds each key's hash to the state of its group, and
 * behind it, for a map, a word for the value; for an exact set the key's second
 * hash, which tells keys of one hash apart, with the lowest bit replaced by
 * whether it is a member.  The core sorts, so neither order nor duplicates nor
 * the plan leave a trace in the result.  A key that has two values, or is both
 * a member and not, is found when records are sorted, in the end or sooner.
 *
 * The final function is READ_ONLY, as window functions require, and to be
 * relied upon by extensions that have a state: it may be called again, and rows
 * and states may still be added.  It sorts the hashes where they are and drops
 * duplicates, which leaves the set as it was, and the core only reads them.
 */
#include "aggregate/aggregate.h"

#include "key/key.h"

/* Which arguments are the key and, behind it, the value or member. */
#define KEY_ARGUMENT   1
#define VALUE_ARGUMENT 2

/*
 * What a call site of a transition function keeps in fn_extra.  The types of
 * its arguments are looked at once, and the rate and the options when they
 * change; else each row compares them with those of the row before.
 */
typedef struct CallSite
{
	RibbonBuildSpace space; /* of all groups */
	RibbonKeyHasher hasher;
	RibbonRowParams row;		/* what to build, by the row before */
	RibbonValueType value_type; /* of a map */
} CallSite;

/* Find out what there is to know of a call site, for all signatures. */
static pg_noinline CallSite *
create_site(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	CallSite *site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
											sizeof(CallSite));

	ribbon_buildspace_init(&site->space, fcinfo);
	ribbon_keyhash_set_argument(&site->hasher, fcinfo, KEY_ARGUMENT);
	site->row.params = ribbon_buildparams_default(site->hasher.last_class,
												  aggregate);
	site->row.context = fcinfo->flinfo->fn_mcxt;
	if (aggregate == RIBBON_AGGREGATE_MAP)
	{
		ribbon_valuetype_init(&site->value_type, fcinfo, VALUE_ARGUMENT,
							  "value of ribbon_map");
		ribbon_valuetype_check(&site->value_type);
	}
	fcinfo->flinfo->fn_extra = site;
	return site;
}

static inline CallSite *
open_site(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	CallSite *site = fcinfo->flinfo->fn_extra;

	return likely(site != NULL) ? site : create_site(fcinfo, aggregate);
}

/* The state of a new group. */
static RibbonBuildState *
create_state(CallSite *site, MemoryContext context)
{
	RibbonBuildState *state = ribbon_buildstate_create(context,
													   &site->row.params);

	if (ribbon_buildparams_is_map(&state->params))
		ribbon_buildvalues_begin(state->values, context, state->params.seed,
								 &site->value_type);
	return state;
}

/* Add a row's key and, behind it, its value or whether it is a member. */
static pg_attribute_always_inline void
add_key(FunctionCallInfo fcinfo, CallSite *site, RibbonBuildState *state,
		const RibbonAggregateInfo *info)
{
	Datum key = PG_GETARG_DATUM(KEY_ARGUMENT);
	RibbonKeyHashes hashes = {0};
	uint64_t word = 0;
	uint64_t *record;

	if (info->elements == RIBBON_EXACT_RECORDS)
	{
		hashes = ribbon_keyhash_both(&site->hasher, key);
		word = ribbon_exact_word(hashes.second, PG_GETARG_BOOL(VALUE_ARGUMENT));
	}
	else
		hashes.first = ribbon_keyhash_row(&site->hasher, key);
	if (info->elements == RIBBON_MAP_RECORDS)
		word = ribbon_buildvalues_add(state->values, &site->value_type,
									  fcinfo->args[VALUE_ARGUMENT]);
	record = ribbon_buildstate_append(state, &site->space,
									  site->hasher.last_class,
									  ribbon_element_stride(info->elements));
	record[0] = hashes.first;
	if (info->elements != RIBBON_HASHES)
		record[1] = word;
}

/*
 * ribbon_build_transfn(state, key [, fpr [, options]]),
 * ribbon_map_transfn(state, key, value [, fpr [, options]]),
 * ribbon_build_exact_transfn(state, key, member [, options]),
 * ribbon_build_rated_transfn(state, key, member, fpr [, options])
 *
 * Compiled for each aggregate, which is a constant where it is called.
 */
static pg_attribute_always_inline Datum
add_row(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	const RibbonAggregateInfo *info = ribbon_aggregate_info(aggregate);
	CallSite *site = open_site(fcinfo, aggregate);
	RibbonBuildState *state = ribbon_buildstate_argument(fcinfo, 0);
	bool is_key = !PG_ARGISNULL(KEY_ARGUMENT) &&
		!(info->elements == RIBBON_EXACT_RECORDS &&
		  PG_ARGISNULL(VALUE_ARGUMENT));

	/* a NULL key is no reason to overlook a bad parameter beside it */
	if (ribbon_buildparams_read(fcinfo, info, &site->row) &&
		info->elements == RIBBON_MAP_RECORDS)
		ribbon_keyhash_set_seed(&site->hasher, site->row.params.seed);
	if (state == NULL)
		state = create_state(site,
							 ribbon_buildspace_context(fcinfo, aggregate));
	ribbon_buildparams_check_same(&state->params, &site->row.params);
	if (is_key)
		add_key(fcinfo, site, state, info);
	PG_RETURN_POINTER(state);
}

/*
 * ribbon_build_finalfn(state, NULL [, NULL [, NULL]]) returns ribbonfilter,
 * ribbon_map_finalfn(state, NULL, NULL [, NULL [, NULL]]) ribbonmap,
 * ribbon_build_exact_finalfn(state, NULL, NULL [, NULL]) ribbonfilter,
 * ribbon_build_rated_finalfn(state, NULL, NULL, NULL [, NULL]) ribbonfilter
 */
static Datum
build_group(FunctionCallInfo fcinfo, RibbonAggregate aggregate)
{
	RibbonBuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	/* not one row came, but the types are known */
	if (state == NULL)
		state = create_state(open_site(fcinfo, aggregate),
							 CurrentMemoryContext);
	PG_RETURN_POINTER(ribbon_buildresult_build(state, fcinfo));
}

/* The functions of SQL, of each aggregate the same. */
#define FUNCTIONS(name, aggregate) \
	RIBBON_SQL_FUNCTION(name##_transfn, add_row(fcinfo, aggregate)); \
	RIBBON_SQL_FUNCTION(name##_finalfn, build_group(fcinfo, aggregate))

FUNCTIONS(ribbon_build, RIBBON_AGGREGATE_BUILD);
FUNCTIONS(ribbon_map, RIBBON_AGGREGATE_MAP);
FUNCTIONS(ribbon_build_exact, RIBBON_AGGREGATE_EXACT);
FUNCTIONS(ribbon_build_rated, RIBBON_AGGREGATE_EXACT_RATED);
