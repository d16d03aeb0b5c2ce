/*
 * mapaggregate.c - ribbon_map: keys and values in, a map out
 *
 * As aggregate.c, but that the state of a group gets records: a key's hash, and
 * a word for its value.  A key that has two values is found when records are
 * sorted, in the end or sooner.
 */
#include "aggregate/aggregate.h"

#include "key/keyhash.h"

PG_FUNCTION_INFO_V1(ribbon_map_transfn);
PG_FUNCTION_INFO_V1(ribbon_map_finalfn);

static MapState *create_state(MemoryContext context, BuildSite *site);

/* ribbon_map_transfn(state, key, value [, fpr [, options]]) */
Datum
ribbon_map_transfn(PG_FUNCTION_ARGS)
{
	BuildSite *site = ribbon_buildsite_open(fcinfo, true);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	if (PG_NARGS() > 3)
		ribbon_buildsite_read_fpr(fcinfo, site, 3);
	if (PG_NARGS() > 4)
		ribbon_buildsite_read_options(fcinfo, site, 4);

	if (state == NULL)
		state =
			&create_state(ribbon_buildstate_context(fcinfo, true), site)->build;
	ribbon_buildstate_check_same(&state->params, &site->params);

	if (!PG_ARGISNULL(1))
	{
		uint64 hash = ribbon_keyhash_row(&site->key_type, PG_GETARG_DATUM(1));
		uint64 word = ribbon_mapstate_add((MapState *) state, site,
										  fcinfo->args[2]);

		if (unlikely(state->params.key_class != site->key_type.key_class))
			state->params.key_class =
				ribbon_keyclass_join(state->params.key_class,
									 site->key_type.key_class);
		if (state->nwords == state->capacity)
			ribbon_buildstate_grow(state, &site->space);
		state->words[state->nwords] = hash;
		state->words[state->nwords + 1] = word;
		state->nwords += RIBBON_RECORD_WORDS;
	}

	PG_RETURN_POINTER(state);
}

/* ribbon_map_finalfn(state, NULL, NULL [, NULL [, NULL]]) returns ribbonmap */
Datum
ribbon_map_finalfn(PG_FUNCTION_ARGS)
{
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	/* not one row came, but the types are known */
	if (state == NULL)
		PG_RETURN_POINTER(ribbon_map_build_state(&create_state(CurrentMemoryContext,
															   ribbon_buildsite_open(fcinfo,
																					 true))
													  ->build));
	PG_RETURN_POINTER(ribbon_buildstate_result(state, fcinfo,
											   ribbon_map_build_state));
}

static MapState *
create_state(MemoryContext context, BuildSite *site)
{
	MapState *state = (MapState *) ribbon_buildstate_create(context,
															&site->params);
	RibbonValueType *value_type = &site->value_type;
	RibbonTypeHead *head = &value_type->head;

	if (value_type->value_class == RIBBON_VALUE_DICTIONARY)
		ribbon_valuecache_renew(site->values, value_type);
	ribbon_mapstate_init(state, value_type->value_class, head->bytes,
						 head->nbytes);
	return state;
}
