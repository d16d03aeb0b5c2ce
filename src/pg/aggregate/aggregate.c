/*
 * aggregate.c - ribbon_build: keys in, a filter out
 *
 * The transition function adds each key's hash to the state of its group
 * (aggregate.h).  The final function has the core build the filter.  The core
 * sorts, so neither order nor duplicates nor the plan leave a trace in the
 * result.  What parallel plans need besides is in partial.c.
 *
 * The final function is READ_ONLY, as window functions require, and to be
 * relied upon by extensions that have a state: it may be called again, and rows
 * and states may still be added.  It sorts the hashes where they are and drops
 * duplicates, which leaves the set as it was, and the core only reads them.
 *
 * If it is called again for the same set, as when a hash aggregate is scanned
 * again, the filter is kept from then on, until something is added.  Not at
 * once: a node would have hashes and filters of all its groups.  And not if the
 * groups are hashed and their memory is used up: their filters may be larger
 * than what they have there, if their hashes are in files.
 */
#include "aggregate/aggregate.h"

#include "key/keyhash.h"

PG_FUNCTION_INFO_V1(ribbon_build_transfn);
PG_FUNCTION_INFO_V1(ribbon_build_finalfn);

static struct varlena *build(BuildState *state);
static struct varlena *build_empty(FunctionCallInfo fcinfo);

/* ribbon_build_transfn(state, key [, fpr [, options]]) */
Datum
ribbon_build_transfn(PG_FUNCTION_ARGS)
{
	BuildSite *site = ribbon_buildsite_open(fcinfo, false);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	/* a NULL key is no reason to overlook a bad parameter beside it */
	if (PG_NARGS() > 2)
		ribbon_buildsite_read_fpr(fcinfo, site, 2);
	if (PG_NARGS() > 3)
		ribbon_buildsite_read_options(fcinfo, site, 3);

	if (state == NULL)
		state = ribbon_buildstate_create(ribbon_buildstate_context(fcinfo,
																   false),
										 &site->params);
	ribbon_buildstate_check_same(&state->params, &site->params);

	if (!PG_ARGISNULL(1))
	{
		uint64_t hash = ribbon_keyhash_row(&site->key_type, PG_GETARG_DATUM(1));

		if (unlikely(state->params.key_class != site->key_type.key_class))
			state->params.key_class =
				ribbon_keyclass_join(state->params.key_class,
									 site->key_type.key_class);
		if (state->nwords == state->capacity)
			ribbon_buildstate_grow(state, &site->space);
		state->words[state->nwords++] = hash;
	}

	PG_RETURN_POINTER(state);
}

/* ribbon_build_finalfn(state, NULL [, NULL [, NULL]]) returns ribbonfilter */
Datum
ribbon_build_finalfn(PG_FUNCTION_ARGS)
{
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	if (state == NULL)
		PG_RETURN_POINTER(build_empty(fcinfo));
	PG_RETURN_POINTER(ribbon_buildstate_result(state, fcinfo, build));
}

/* The filter of the keys so far. */
static struct varlena *
build(BuildState *state)
{
	RibbonRecords records = ribbon_buildstate_records(state);

	if (state->store != NULL)
	{
		ribbon_buildstate_flush(state, NULL);
		return ribbon_filter_build_stored(&state->params, state->store);
	}

	ribbon_distinct_array(&records, state->words, &state->nwords);
	return ribbon_filter_build(&state->params, state->words, state->nwords);
}

/* Not one row came: the filter is empty, but has the class of its key type. */
static struct varlena *
build_empty(FunctionCallInfo fcinfo)
{
	BuildSite *site = ribbon_buildsite_open(fcinfo, false);

	return ribbon_filter_build(&site->params, NULL, 0);
}
