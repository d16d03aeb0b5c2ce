/*
 * buildresult.c - from the hashes of a group to its filter, or its records to a
 * map
 *
 * The core builds.  Here it gets its parameters, its memory and its stores, and
 * the result becomes a datum.  When all values of a map are known they get their
 * codes, and the core asks for the code of each word that it stores.
 */
#include "aggregate/aggregate.h"

#include <math.h>

#include "server/server.h"
#include "type/type.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(ribbon_size);

/* What the core is to build. */
typedef struct CoreParams
{
	RibbonSqlType type;
	RibbonParams filter;
	RibbonMapParams map;
} CoreParams;

static CoreParams core_params(const BuildParams *build,
							  const BuildValues *values,
							  const RibbonValueCodes *codes);
static RibbonStatus build_array(const CoreParams *params, BuildState *state,
								uint8_t **bytes, size_t *nbytes);
static RibbonStatus build_stored(const CoreParams *params, BuildState *state,
								 uint8_t **bytes, size_t *nbytes);
static void check_size(const CoreParams *params, uint64 nkeys);
static RibbonStatus open_store(void *arg, uint64_t nexpected,
							   RibbonStore **store);

struct varlena *
ribbon_buildresult_create(BuildState *state)
{
	RibbonValueCodes codes = {0};
	CoreParams params;
	RibbonStatus status;
	uint8_t *bytes = NULL;
	size_t nbytes = 0;

	if (state->values != NULL)
		codes = ribbon_buildvalues_codes(state->values);
	params = core_params(&state->params, state->values, &codes);

	if (state->store != NULL)
		status = build_stored(&params, state, &bytes, &nbytes);
	else
		status = build_array(&params, state, &bytes, &nbytes);

	if (codes.bytes != NULL)
		pfree(codes.bytes);
	if (codes.slots != NULL)
		pfree(codes.slots);
	return ribbon_value_finish(params.type, status, bytes, nbytes);
}

/* ribbon_size(keys, fpr, options) */
Datum
ribbon_size(PG_FUNCTION_ARGS)
{
	int64 nkeys = PG_GETARG_INT64(0);
	struct varlena *options = PG_GETARG_VARLENA_PP(2);
	BuildParams build = ribbon_buildparams_default(0, false);
	CoreParams params;

	if (nkeys < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of keys must not be negative")));
	build.fpr = PG_GETARG_FLOAT8(1);
	ribbon_error_check_fpr(build.fpr, false);
	ribbon_options_parse(VARDATA_ANY(options), (int) VARSIZE_ANY_EXHDR(options),
						 &build);
	params = core_params(&build, NULL, NULL);
	check_size(&params, (uint64) nkeys);
	PG_RETURN_INT64((int64) ribbon_expected_bytes(&params.filter,
												  (uint64) nkeys));
}

/* codes are those of a map's values, and must stay; values is NULL for a filter. */
static CoreParams
core_params(const BuildParams *build, const BuildValues *values,
			const RibbonValueCodes *codes)
{
	CoreParams params = {0};

	if (values == NULL)
	{
		params.type = RIBBON_SQL_FILTER;
		params.filter.kind = (RibbonKind) build->kind;
		params.filter.width = build->width;
		params.filter.fpr = build->fpr;
		params.filter.key_class = build->key_class;
		return params;
	}
	params.type = RIBBON_SQL_MAP;
	params.map.width = build->width;
	params.map.fpr = build->fpr;
	params.map.key_class = build->key_class;
	params.map.value_class = values->range.value_class;
	params.map.has_null = codes->has_null;
	params.map.seed = build->seed;
	params.map.base = (int64) codes->base;
	params.map.value_bits = codes->value_bits;
	if (codes->has_null || codes->slots != NULL)
	{
		params.map.code = ribbon_valuecodes_get;
		params.map.code_arg = codes;
	}
	params.map.dictionary = codes->bytes;
	params.map.ndictionary = codes->nbytes;
	return params;
}

/* Of the hashes or records in the array, which are sorted there. */
static RibbonStatus
build_array(const CoreParams *params, BuildState *state, uint8_t **bytes,
			size_t *nbytes)
{
	RibbonEnv env = ribbon_env_create();
	RibbonRecords records = ribbon_buildstate_records(state);
	size_t n;

	ribbon_distinct_array(&records, state->words, &state->nwords);
	n = state->nwords / records.words;
	check_size(params, n);
	if (params->type == RIBBON_SQL_MAP)
		return ribbon_map_build(&env, &params->map, state->words, n, VARHDRSZ,
								bytes, nbytes);
	return ribbon_build(&env, &params->filter, state->words, n, VARHDRSZ, bytes,
						nbytes);
}

/* Of those in the array and in the store, which is sealed. */
static RibbonStatus
build_stored(const CoreParams *params, BuildState *state, uint8_t **bytes,
			 size_t *nbytes)
{
	RibbonEnv env = ribbon_env_create();
	RibbonStore *store;
	RibbonStatus status;
	uint64 n;

	ribbon_buildstate_flush(state, NULL);
	n = ribbon_keystore_seal(state->store) / state->store->records.words;
	store = ribbon_corestore_create(state->store);
	check_size(params, n);
	env.open_store = env.open_store_of_records = open_store;
	env.arg = state->store;
	if (params->type == RIBBON_SQL_MAP)
		status = ribbon_map_build_stored(&env, &params->map, store, n, VARHDRSZ,
										 bytes, nbytes);
	else
		status = ribbon_build_stored(&env, &params->filter, store, n, VARHDRSZ,
									 bytes, nbytes);
	pfree(store);
	return status;
}

/* A RibbonEnv's, whose arg is a key store: another like it. */
static RibbonStatus
open_store(void *arg, uint64_t nexpected, RibbonStore **store)
{
	const RibbonKeyStore *like = arg;

	(void) nexpected;
	*store = ribbon_corestore_open(like->spill, &like->records);
	return RIBBON_OK;
}

/* Refuse what cannot be a value, before time is spent on it. */
static void
check_size(const CoreParams *params, uint64 nkeys)
{
	bool map = params->type == RIBBON_SQL_MAP;
	double nbytes = map ? ribbon_map_least_bytes(&params->map, nkeys) +
			(double) params->map.ndictionary :
						  ribbon_least_bytes(&params->filter, nkeys);
	double megabytes = ceil(nbytes / (1024 * 1024));

	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("%s of %llu keys would exceed the maximum of 1 GB",
						ribbon_sqltype_name(params->type),
						(unsigned long long) nkeys),
				 map ?
					 errdetail("With %u bits of value, and at a false-positive rate of %g, it takes %.0f MB at least.",
							   params->map.value_bits, params->map.fpr,
							   megabytes) :
					 errdetail("At a false-positive rate of %g it takes %.0f MB at least.",
							   params->filter.fpr, megabytes),
				 ribbon_value_hint_too_large(params->type)));
}
