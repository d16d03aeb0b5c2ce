/*
 * keysaggregate.c - ribbon_keys, ribbon_build_keys and ribbon_build(ribbonkey)
 *
 *	 ribbon_keys(key), (ribbonkey)			keys in, a ribbonkeys out
 *	 ribbon_build_keys(ribbonkeys, ...)		such sets in, a filter out
 *	 ribbon_build(ribbonkey, ...)			hashed keys in, a filter out
 *
 * All three have a ribbonkeys as their state (keysobject.h), with one combine
 * function.  It is a type that any engine can send from one node to another,
 * unlike the states of ribbon_build, which are pointers (buildaggregate.c).
 * What is to be built travels in it.
 *
 * An engine may call a transition function with a call site of its own for
 * each row, and without an expression.  So those of ribbonkeys and ribbonkey
 * keep nothing at the call site: all is in the state.
 */
#include "aggregate/keysobject.h"

#include "key/key.h"
#include "nodes/primnodes.h"

/*
 * The state of a transition or combine function, which is argument 0; a new
 * one, of this class, if that is NULL.  Throws if no aggregate calls.
 */
static RibbonKeys *
get_state(FunctionCallInfo fcinfo, RibbonAggregate aggregate, int key_class)
{
	MemoryContext context = ribbon_buildspace_context(fcinfo, aggregate);
	RibbonKeys *keys;
	Datum datum;

	if (PG_ARGISNULL(0))
		return ribbon_keysobject_create(fcinfo, aggregate, context, key_class);
	datum = PG_GETARG_DATUM(0);
	if (likely(VARATT_IS_EXTERNAL_EXPANDED_RW(DatumGetPointer(datum)) &&
			   (keys = ribbon_keysobject_get(datum)) != NULL))
		return keys;

	/* not ours to change: a copy */
	keys = ribbon_keysobject_create(fcinfo, aggregate, context, 0);
	ribbon_keysobject_combine(keys, datum);
	return keys;
}

/* ribbon_keys_transfn(ribbonkeys, key) */
RIBBON_SQL_ENTRY(ribbon_keys_transfn)
{
	RibbonKeyHasher *hasher = ribbon_keyhash_of_argument(fcinfo, 1);
	RibbonKeys *keys;
	uint64_t hash;

	if (PG_ARGISNULL(0))
		ribbon_keyhash_forget(hasher); /* of another group's keys */
	keys = get_state(fcinfo, RIBBON_AGGREGATE_KEYS, hasher->last_class);
	if (!PG_ARGISNULL(1))
	{
		hash = ribbon_keyhash_row(hasher, PG_GETARG_DATUM(1));
		*ribbon_buildstate_append(keys->state, &keys->space, hasher->last_class,
								  1) = hash;
	}
	return EOHPGetRWDatum(&keys->header);
}

/* Add argument 1, a ribbonkey, if it is not NULL. */
static inline void
add_hashed(FunctionCallInfo fcinfo, RibbonKeys *keys)
{
	const uint8 *bytes;
	int key_class;

	if (PG_ARGISNULL(1))
		return;
	bytes = (const uint8 *) PG_GETARG_POINTER(1);
	key_class = ribbonkey_class(bytes);
	if (unlikely(key_class != keys->state->params.key_class))
		key_class = ribbonkey_check(bytes);
	*ribbon_buildstate_append(keys->state, &keys->space, key_class,
							  1) = ribbonkey_hashes(bytes).first;
}

/* ribbon_keys_transfn(ribbonkeys, ribbonkey) */
RIBBON_SQL_ENTRY(ribbon_keys_hashed_transfn)
{
	RibbonKeys *keys = get_state(fcinfo, RIBBON_AGGREGATE_KEYS, 0);

	add_hashed(fcinfo, keys);
	return EOHPGetRWDatum(&keys->header);
}

/* Read the rate and the options, if there are any: they must not change. */
static inline void
read_keys_params(FunctionCallInfo fcinfo, RibbonKeys *keys)
{
	const RibbonAggregateInfo *info =
		ribbon_aggregate_info(RIBBON_AGGREGATE_BUILD_KEYS);
	const RibbonBuildParams *params = &keys->given.params;

	if (likely(keys->builds && PG_NARGS() == info->fpr_arg))
		return;
	(void) ribbon_buildparams_read(fcinfo, info, &keys->given);
	ribbon_keysobject_build_by(keys, params->fpr, params->kind, params->width);
}

/* ribbon_build_transfn(ribbonkeys, ribbonkey [, fpr [, options]]) */
RIBBON_SQL_ENTRY(ribbon_build_hashed_transfn)
{
	RibbonKeys *keys = get_state(fcinfo, RIBBON_AGGREGATE_BUILD_HASHED, 0);

	/* a NULL key is no reason to overlook a bad parameter beside it */
	read_keys_params(fcinfo, keys);
	add_hashed(fcinfo, keys);
	return EOHPGetRWDatum(&keys->header);
}

/* ribbon_build_keys_transfn(ribbonkeys, ribbonkeys [, fpr [, options]]) */
RIBBON_SQL_ENTRY(ribbon_build_keys_transfn)
{
	RibbonKeys *keys = get_state(fcinfo, RIBBON_AGGREGATE_BUILD_KEYS, 0);

	read_keys_params(fcinfo, keys);
	if (!PG_ARGISNULL(1))
		(void) ribbon_keysobject_add(keys, PG_GETARG_DATUM(1));
	return EOHPGetRWDatum(&keys->header);
}

/*
 * ribbon_keys_combinefn(ribbonkeys, ribbonkeys)
 *
 * Only ribbon_build_keys has an argument of the type of its state.  Which
 * aggregate it is matters to messages and ribbon_progress alone.
 */
RIBBON_SQL_ENTRY(ribbon_keys_combinefn)
{
	Aggref *aggref = AggGetAggref(fcinfo);
	bool of_sets = aggref != NULL &&
		list_member_oid(aggref->aggargtypes, aggref->aggtranstype);
	RibbonKeys *keys;

	if (PG_ARGISNULL(1) && PG_ARGISNULL(0))
		PG_RETURN_NULL();
	keys = get_state(fcinfo,
					 of_sets ? RIBBON_AGGREGATE_BUILD_KEYS :
							   RIBBON_AGGREGATE_KEYS,
					 0);
	if (!PG_ARGISNULL(1))
		ribbon_keysobject_combine(keys, PG_GETARG_DATUM(1));
	return EOHPGetRWDatum(&keys->header);
}

/* ribbon_keys_finalfn(ribbonkeys [, NULL]) returns ribbonkeys */
RIBBON_SQL_ENTRY(ribbon_keys_finalfn)
{
	Datum keys = PG_GETARG_DATUM(0);
	RibbonKeys *none;
	int key_class = 0;

	/* not one row came, but the type is known, unless keys are hashed */
	if (PG_ARGISNULL(0))
	{
		if (PG_NARGS() > 1)
			key_class = ribbon_keyhash_of_argument(fcinfo, 1)->last_class;
		none = ribbon_keysobject_create(fcinfo, RIBBON_AGGREGATE_KEYS,
										CurrentMemoryContext, key_class);
		keys = EOHPGetRODatum(&none->header);
	}
	PG_RETURN_POINTER(PG_DETOAST_DATUM_PACKED(keys));
}

/* ribbon_build_keys_finalfn(ribbonkeys) returns ribbonfilter */
RIBBON_SQL_ENTRY(ribbon_build_keys_finalfn)
{
	RibbonKeys *keys = NULL;

	if (!PG_ARGISNULL(0))
		keys = ribbon_keysobject_get(PG_GETARG_DATUM(0));
	if (keys == NULL)
	{
		keys = ribbon_keysobject_create(fcinfo, RIBBON_AGGREGATE_BUILD_HASHED,
										CurrentMemoryContext, 0);
		if (!PG_ARGISNULL(0))
			ribbon_keysobject_combine(keys, PG_GETARG_DATUM(0));
	}
	PG_RETURN_POINTER(ribbon_buildresult_build(keys->state, fcinfo));
}
