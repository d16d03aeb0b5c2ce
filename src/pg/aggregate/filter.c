/*
 * filter.c - from the hashes of a set to its filter
 *
 * The core builds.  Here it gets its memory and its stores, and the result
 * becomes a datum.
 */
#include "aggregate/aggregate.h"

#include <math.h>

#include "server/server.h"
#include "type/type.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(ribbon_size);

static RibbonParams core_params(const BuildParams *build);
static void check_size(const RibbonParams *params, uint64 nkeys);
static RibbonStatus open_store(void *arg, uint64_t nexpected, unsigned words,
							   RibbonStore **store);

struct varlena *
ribbon_filter_build(const BuildParams *build, uint64_t *hashes, size_t n)
{
	RibbonEnv env = ribbon_env_create();
	RibbonParams params = core_params(build);
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	RibbonStatus status;

	check_size(&params, n);
	status = ribbon_build(&env, &params, hashes, n, VARHDRSZ, &bytes, &nbytes);
	return ribbon_value_finish(RIBBON_SQL_FILTER, status, bytes, nbytes);
}

struct varlena *
ribbon_filter_build_stored(const BuildParams *build, RibbonKeyStore *keys)
{
	RibbonEnv env = ribbon_env_create();
	RibbonParams params = core_params(build);
	uint64 nkeys = ribbon_keystore_seal(keys);
	RibbonStore *store = ribbon_corestore_create(keys);
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	RibbonStatus status;

	check_size(&params, nkeys);
	env.open_store = open_store;
	env.arg = keys->spill;
	status = ribbon_build_stored(&env, &params, store, nkeys, VARHDRSZ, &bytes,
								 &nbytes);
	pfree(store);
	return ribbon_value_finish(RIBBON_SQL_FILTER, status, bytes, nbytes);
}

/* ribbon_size(keys, fpr, options) */
Datum
ribbon_size(PG_FUNCTION_ARGS)
{
	int64 nkeys = PG_GETARG_INT64(0);
	struct varlena *options = PG_GETARG_VARLENA_PP(2);
	BuildParams build = {.fpr = PG_GETARG_FLOAT8(1), .kind = RIBBON_BURR};
	RibbonParams params;

	if (nkeys < 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of keys must not be negative")));
	ribbon_error_check_fpr(build.fpr, false);
	build.width = RIBBON_DEFAULT_WIDTH;
	ribbon_options_parse(VARDATA_ANY(options), (int) VARSIZE_ANY_EXHDR(options),
						 &build);
	params = core_params(&build);
	check_size(&params, (uint64) nkeys);
	PG_RETURN_INT64((int64) ribbon_expected_bytes(&params, (uint64) nkeys));
}

static RibbonParams
core_params(const BuildParams *build)
{
	RibbonParams params;

	params.kind = (RibbonKind) build->kind;
	params.width = build->width;
	params.fpr = build->fpr;
	params.key_class = build->key_class;
	params.values = NULL;
	return params;
}

/* Refuse what cannot be a value, before time is spent on it. */
static void
check_size(const RibbonParams *params, uint64 nkeys)
{
	double nbytes = ribbon_least_bytes(params, nkeys);

	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("ribbonfilter of %llu keys would exceed the maximum of 1 GB",
						(unsigned long long) nkeys),
				 errdetail("At a false-positive rate of %g it takes %.0f MB at least.",
						   params->fpr, ceil(nbytes / (1024 * 1024))),
				 ribbon_value_hint_too_large(RIBBON_SQL_FILTER)));
}

/* A RibbonEnv's, whose arg is the spill. */
static RibbonStatus
open_store(void *arg, uint64_t nexpected, unsigned words, RibbonStore **store)
{
	static const RibbonRecords hashes = {1, NULL, NULL};

	(void) nexpected;
	(void) words;
	*store = ribbon_corestore_open((RibbonSpill *) arg, &hashes);
	return RIBBON_OK;
}
