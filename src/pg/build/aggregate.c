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
#include "build/aggregate.h"

#include "key/keyhash.h"
#include "server/server.h"
#include "utils/memutils.h"

#define DEFAULT_FPR 0.01

/* What a call site of the transition function keeps in fn_extra. */
typedef struct BuildSite
{
	BuildSpace space; /* of all groups */
	RibbonKeyType key_type;
	RibbonParams params;	 /* of the row before, and valid */
	struct varlena *options; /* their text, or NULL */
} BuildSite;

PG_FUNCTION_INFO_V1(ribbon_build_transfn);
PG_FUNCTION_INFO_V1(ribbon_build_finalfn);

static BuildSite *open_site(FunctionCallInfo fcinfo);
static void read_fpr(FunctionCallInfo fcinfo, BuildSite *site);
static void read_options(FunctionCallInfo fcinfo, BuildSite *site);
static RibbonParams default_params(int key_class);
static struct varlena *build(BuildState *state);
static struct varlena *copy(const struct varlena *filter,
							MemoryContext context);
static struct varlena *build_empty(FunctionCallInfo fcinfo);

/* ribbon_build_transfn(state, key [, fpr [, options]]) */
Datum
ribbon_build_transfn(PG_FUNCTION_ARGS)
{
	BuildSite *site = open_site(fcinfo);
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);

	/* a NULL key is no reason to overlook a bad parameter beside it */
	if (PG_NARGS() > 2)
		read_fpr(fcinfo, site);
	if (PG_NARGS() > 3)
		read_options(fcinfo, site);

	if (state == NULL)
		state = ribbon_buildstate_create(ribbon_buildstate_context(fcinfo),
										 &site->params);
	ribbon_buildstate_check_same(&state->params, &site->params);

	if (!PG_ARGISNULL(1))
	{
		uint64_t hash = ribbon_keyhash_row(&site->key_type, PG_GETARG_DATUM(1));

		if (unlikely(state->params.key_class != site->key_type.key_class))
			state->params.key_class =
				ribbon_keyclass_join(state->params.key_class,
									 site->key_type.key_class);
		if (state->nhashes == state->capacity)
			ribbon_buildstate_grow(state, &site->space);
		state->hashes[state->nhashes++] = hash;
	}

	PG_RETURN_POINTER(state);
}

/* ribbon_build_finalfn(state, NULL [, NULL [, NULL]]) returns ribbonfilter */
Datum
ribbon_build_finalfn(PG_FUNCTION_ARGS)
{
	BuildState *state = ribbon_buildstate_argument(fcinfo, 0);
	RibbonBuilt built;
	struct varlena *filter;
	struct varlena *kept = NULL;

	if (state == NULL)
		PG_RETURN_POINTER(build_empty(fcinfo));

	/* a copy: what is kept goes when something is added */
	built = ribbon_buildstate_result(state, &kept);
	if (built == RIBBON_KEPT)
		PG_RETURN_POINTER(copy(kept, CurrentMemoryContext));

	filter = build(state);
	if (built == RIBBON_BUILT &&
		ribbon_buildstate_may_keep(state, fcinfo, VARSIZE(filter)))
		kept = copy(filter, GetMemoryChunkContext(state));
	ribbon_buildstate_built(state, kept);
	PG_RETURN_POINTER(filter);
}

/* What is known of this call site, or can be found out, for all signatures. */
static BuildSite *
open_site(FunctionCallInfo fcinfo)
{
	BuildSite *site = fcinfo->flinfo->fn_extra;

	if (unlikely(site == NULL))
	{
		site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
									  sizeof(BuildSite));
		ribbon_buildstate_init_space(&site->space, fcinfo);
		ribbon_keytype_decide_argument(&site->key_type, fcinfo, 1);
		site->params = default_params(site->key_type.key_class);
		fcinfo->flinfo->fn_extra = site;
	}
	return site;
}

static void
read_fpr(FunctionCallInfo fcinfo, BuildSite *site)
{
	RibbonParams params;
	RibbonStatus status;

	if (PG_ARGISNULL(2))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("false-positive rate of ribbon_build must not be null")));

	if (likely(PG_GETARG_FLOAT8(2) == site->params.fpr))
		return;

	params = site->params;
	params.fpr = PG_GETARG_FLOAT8(2);
	status = ribbon_params_check(&params);
	if (status != RIBBON_OK)
		ribbon_error_throw(status);
	site->params = params;
}

/*
 * Parse the options, unless they are the text that was parsed last.  An error
 * leaves the site as it was, for who catches it may call again.
 */
static void
read_options(FunctionCallInfo fcinfo, BuildSite *site)
{
	struct varlena *options;
	struct varlena *text;
	size_t size;
	RibbonParams params = default_params(site->params.key_class);

	if (PG_ARGISNULL(3))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("options of ribbon_build must not be null")));

	options = PG_GETARG_VARLENA_PP(3);
	size = VARSIZE_ANY(options);
	if (likely(site->options != NULL && VARSIZE_ANY(site->options) == size &&
			   memcmp(site->options, options, size) == 0))
		return;

	params.fpr = site->params.fpr;
	ribbon_options_parse(VARDATA_ANY(options), (int) VARSIZE_ANY_EXHDR(options),
						 &params);
	text = MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, size);
	memcpy(text, options, size);

	if (site->options != NULL)
		pfree(site->options);
	site->options = text;
	site->params = params;
}

static RibbonParams
default_params(int key_class)
{
	RibbonParams params;

	params.kind = RIBBON_BURR;
	params.width = RIBBON_DEFAULT_WIDTH;
	params.fpr = DEFAULT_FPR;
	params.key_class = key_class;
	return params;
}

/* The filter of the keys so far. */
static struct varlena *
build(BuildState *state)
{
	if (state->store != NULL)
	{
		ribbon_buildstate_flush(state, NULL);
		return ribbon_filter_build_stored(&state->params, state->store);
	}

	ribbon_distinct_array(state->hashes, &state->nhashes);
	return ribbon_filter_build(&state->params, state->hashes, state->nhashes);
}

static struct varlena *
copy(const struct varlena *filter, MemoryContext context)
{
	size_t size = VARSIZE(filter);
	struct varlena *result = MemoryContextAllocHuge(context, size);

	memcpy(result, filter, size);
	return result;
}

/* Not one row came: the filter is empty, but has the class of its key type. */
static struct varlena *
build_empty(FunctionCallInfo fcinfo)
{
	BuildSite *site = open_site(fcinfo);

	return ribbon_filter_build(&site->params, NULL, 0);
}
