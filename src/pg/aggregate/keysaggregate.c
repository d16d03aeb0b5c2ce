/*
 * keysaggregate.c - ribbon_keys, ribbon_build_keys and ribbon_build(ribbonkey)
 *
 *	 ribbon_keys(key)						keys in, a ribbonkeys out
 *	 ribbon_build_keys(ribbonkeys, ...)		such sets in, a filter out
 *	 ribbon_build(ribbonkey, ...)			hashed keys in, a filter out
 *
 * All three have a ribbonkeys as their state, with one combine function.  It
 * is a type that any engine can send from one node to another, other than the
 * states of ribbon_build, which are pointers (aggregate.c).  What is to be
 * built travels in it.
 *
 * An engine may call a transition function with a call site of its own for
 * each row, and without an expression.  So those of ribbonkeys and ribbonkey
 * keep nothing at the call site: all is in the state.
 */
#include "aggregate/keysvalue.h"

#include "key/keyhash.h"
#include "server/server.h"

PG_FUNCTION_INFO_V1(ribbon_keys_transfn);
PG_FUNCTION_INFO_V1(ribbon_keys_hashed_transfn);
PG_FUNCTION_INFO_V1(ribbon_keys_combinefn);
PG_FUNCTION_INFO_V1(ribbon_keys_finalfn);
PG_FUNCTION_INFO_V1(ribbon_build_keys_transfn);
PG_FUNCTION_INFO_V1(ribbon_build_keys_finalfn);

static RibbonKeys *open_state(FunctionCallInfo fcinfo, int key_class);
static void read_params(FunctionCallInfo fcinfo, RibbonKeys *keys, bool is_new);
static void copy_params(RibbonKeys *keys, const BuildParams *params);

/* ribbon_keys_transfn(ribbonkeys, key) */
Datum
ribbon_keys_transfn(PG_FUNCTION_ARGS)
{
	RibbonKeyType *key_type = fcinfo->flinfo->fn_extra;
	RibbonKeys *keys;
	uint64_t hash;

	if (unlikely(key_type == NULL))
	{
		key_type = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
										  sizeof(RibbonKeyType));
		ribbon_keytype_decide_argument(key_type, fcinfo, 1);
		fcinfo->flinfo->fn_extra = key_type;
	}
	if (PG_ARGISNULL(0))
		ribbon_keynest_forget(key_type); /* of another group's keys */
	keys = open_state(fcinfo, key_type->key_class);
	if (!PG_ARGISNULL(1))
	{
		hash = ribbon_keyhash_row(key_type, PG_GETARG_DATUM(1));
		ribbon_keys_add(keys, key_type->key_class, hash);
	}
	return ribbon_keys_datum(keys);
}

/* ribbon_build_transfn(ribbonkeys, ribbonkey [, fpr [, options]]) */
Datum
ribbon_keys_hashed_transfn(PG_FUNCTION_ARGS)
{
	bool is_new = PG_ARGISNULL(0);
	RibbonKeys *keys = open_state(fcinfo, 0);
	const uint8 *bytes;
	int key_class;

	/* a NULL key is no reason to overlook a bad parameter beside it */
	if (PG_NARGS() > 2)
		read_params(fcinfo, keys, is_new);
	if (PG_ARGISNULL(1))
		return ribbon_keys_datum(keys);

	bytes = (const uint8 *) PG_GETARG_POINTER(1);
	key_class = ribbon_sqlkey_class(bytes);
	if (unlikely(key_class != keys->state->params.key_class))
		key_class = ribbon_sqlkey_check(bytes);
	ribbon_keys_add(keys, key_class, ribbon_sqlkey_hashes(bytes).first);
	return ribbon_keys_datum(keys);
}

/* ribbon_build_keys_transfn(ribbonkeys, ribbonkeys [, fpr [, options]]) */
Datum
ribbon_build_keys_transfn(PG_FUNCTION_ARGS)
{
	bool is_new = PG_ARGISNULL(0);
	RibbonKeys *keys = open_state(fcinfo, 0);
	RibbonKeysHead head;

	if (PG_NARGS() > 2)
		read_params(fcinfo, keys, is_new);
	if (!PG_ARGISNULL(1))
		ribbon_keys_add_all(keys, PG_GETARG_DATUM(1), &head);
	return ribbon_keys_datum(keys);
}

/* ribbon_keys_combinefn(ribbonkeys, ribbonkeys) */
Datum
ribbon_keys_combinefn(PG_FUNCTION_ARGS)
{
	bool is_new = PG_ARGISNULL(0);
	RibbonKeys *keys;
	RibbonKeysHead head;

	if (PG_ARGISNULL(1) && is_new)
		PG_RETURN_NULL();
	keys = open_state(fcinfo, 0);
	if (PG_ARGISNULL(1) || ribbon_keys_expanded(PG_GETARG_DATUM(1)) == keys)
		return ribbon_keys_datum(keys);

	ribbon_keys_add_all(keys, PG_GETARG_DATUM(1), &head);
	if (head.builds && is_new)
		copy_params(keys, &head.params);
	else if (head.builds)
		ribbon_buildstate_check_same(&keys->state->params, &head.params);
	return ribbon_keys_datum(keys);
}

/* ribbon_keys_finalfn(ribbonkeys, NULL) returns ribbonkeys */
Datum
ribbon_keys_finalfn(PG_FUNCTION_ARGS)
{
	RibbonKeyType key_type = {0};
	RibbonKeys *keys;

	if (!PG_ARGISNULL(0))
	{
		keys = ribbon_keys_expanded(PG_GETARG_DATUM(0));
		if (keys != NULL)
			PG_RETURN_POINTER(ribbon_keys_flatten(keys));
		PG_RETURN_DATUM(PG_GETARG_DATUM(0));
	}

	/* not one row came, but the type is known */
	ribbon_keytype_decide_argument(&key_type, fcinfo, 1);
	keys = ribbon_keys_create(fcinfo, CurrentMemoryContext, key_type.key_class);
	PG_RETURN_POINTER(ribbon_keys_flatten(keys));
}

/* ribbon_build_keys_finalfn(ribbonkeys) returns ribbonfilter */
Datum
ribbon_build_keys_finalfn(PG_FUNCTION_ARGS)
{
	RibbonKeys *keys = NULL;
	RibbonKeysHead head;

	if (!PG_ARGISNULL(0))
		keys = ribbon_keys_expanded(PG_GETARG_DATUM(0));
	if (keys == NULL)
	{
		keys = ribbon_keys_create(fcinfo, CurrentMemoryContext, 0);
		if (!PG_ARGISNULL(0))
		{
			ribbon_keys_add_all(keys, PG_GETARG_DATUM(0), &head);
			if (head.builds)
				copy_params(keys, &head.params);
		}
	}
	PG_RETURN_POINTER(ribbon_buildstate_result(keys->state, fcinfo));
}

/* The state that is argument 0, or a new one. */
static RibbonKeys *
open_state(FunctionCallInfo fcinfo, int key_class)
{
	RibbonKeys *keys = ribbon_keys_state(fcinfo);

	if (keys == NULL)
		keys =
			ribbon_keys_create(fcinfo,
							   ribbon_buildstate_context(fcinfo,
														 RIBBON_AGGREGATE_BUILD),
							   key_class);
	return keys;
}

/* Read the rate and the options, arguments 2 and 3: they must not change. */
static void
read_params(FunctionCallInfo fcinfo, RibbonKeys *keys, bool is_new)
{
	BuildParams *now = &keys->state->params;
	BuildParams params = *now;
	struct varlena *options = NULL;

	ribbon_buildparams_read_fpr(fcinfo, &params, 2);
	if (PG_NARGS() > 3)
		options = ribbon_buildparams_read_options(fcinfo, &params, 3,
												  keys->options);
	if (is_new)
		copy_params(keys, &params);
	else
		ribbon_buildstate_check_same(now, &params);
	if (options != NULL)
		ribbon_buildparams_keep_options(&keys->options, options,
										keys->header.eoh_context);
}

/* Build by these, and say so where the set travels. */
static void
copy_params(RibbonKeys *keys, const BuildParams *params)
{
	keys->builds = true;
	keys->state->params.fpr = params->fpr;
	keys->state->params.kind = params->kind;
	keys->state->params.width = params->width;
}
