/*
 * map.c - from the records of a group to its map
 *
 * As filter.c.  When all values are known they get their codes, and the core
 * asks for the code of each word that it stores.
 */
#include "aggregate/aggregate.h"

#include <math.h>

#include "server/server.h"
#include "type/type.h"
#include "utils/memutils.h"

/* What the core's stores are made with. */
typedef struct MapStores
{
	RibbonSpill *spill;
	RibbonRecords records;
} MapStores;

static RibbonMapParams map_params(const MapState *state,
								  const RibbonValueCodes *codes);
static struct varlena *build_array(const RibbonMapParams *params,
								   BuildState *state);
static struct varlena *build_stored(const RibbonMapParams *params,
									BuildState *state);
static void check_size(const RibbonMapParams *params, uint64 nkeys);
static RibbonStatus open_store(void *arg, uint64_t nexpected,
							   RibbonStore **store);

struct varlena *
ribbon_map_build_state(BuildState *state)
{
	RibbonValueCodes codes = ribbon_mapstate_codes((MapState *) state);
	RibbonMapParams params = map_params((MapState *) state, &codes);
	struct varlena *map;

	map = (state->store != NULL ? build_stored : build_array)(&params, state);
	if (codes.bytes != NULL)
		pfree(codes.bytes);
	if (codes.slots != NULL)
		pfree(codes.slots);
	return map;
}

static RibbonMapParams
map_params(const MapState *state, const RibbonValueCodes *codes)
{
	const BuildParams *build = &state->build.params;
	RibbonMapParams params;

	memset(&params, 0, sizeof(params));
	params.width = build->width;
	params.fpr = build->fpr;
	params.key_class = build->key_class;
	params.value_class = state->values.value_class;
	params.has_null = codes->has_null;
	params.seed = build->seed;
	params.base = (int64) codes->base;
	params.value_bits = codes->value_bits;
	if (codes->has_null || codes->slots != NULL)
	{
		params.code = ribbon_valuecodes_get;
		params.code_arg = codes;
	}
	params.dictionary = codes->bytes;
	params.ndictionary = codes->nbytes;
	return params;
}

static struct varlena *
build_array(const RibbonMapParams *params, BuildState *state)
{
	RibbonEnv env = ribbon_env_create();
	RibbonRecords records = ribbon_buildstate_records(state);
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	size_t nrecords;
	RibbonStatus status;

	ribbon_distinct_array(&records, state->words, &state->nwords);
	nrecords = state->nwords / RIBBON_RECORD_WORDS;
	check_size(params, nrecords);
	status = ribbon_map_build(&env, params, state->words, nrecords, VARHDRSZ,
							  &bytes, &nbytes);
	return ribbon_value_finish(RIBBON_SQL_MAP, status, bytes, nbytes);
}

static struct varlena *
build_stored(const RibbonMapParams *params, BuildState *state)
{
	RibbonEnv env = ribbon_env_create();
	MapStores stores = {NULL, ribbon_buildstate_records(state)};
	uint64 nrecords;
	RibbonStore *store;
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	RibbonStatus status;

	ribbon_buildstate_flush(state, NULL);
	nrecords = ribbon_keystore_seal(state->store) / RIBBON_RECORD_WORDS;
	store = ribbon_corestore_create(state->store);
	check_size(params, nrecords);
	stores.spill = state->store->spill;
	env.open_store_of_records = open_store;
	env.arg = &stores;
	status = ribbon_map_build_stored(&env, params, store, nrecords, VARHDRSZ,
									 &bytes, &nbytes);
	pfree(store);
	return ribbon_value_finish(RIBBON_SQL_MAP, status, bytes, nbytes);
}

/* Refuse what cannot be a value, before time is spent on it. */
static void
check_size(const RibbonMapParams *params, uint64 nkeys)
{
	double nbytes = ribbon_map_least_bytes(params, nkeys) +
		(double) params->ndictionary;

	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("ribbonmap of %llu keys would exceed the maximum of 1 GB",
						(unsigned long long) nkeys),
				 errdetail("With %u bits of value, and at a false-positive rate of %g, it takes %.0f MB at least.",
						   params->value_bits, params->fpr,
						   ceil(nbytes / (1024 * 1024))),
				 ribbon_value_hint_too_large(RIBBON_SQL_MAP)));
}

/* A RibbonEnv's, whose arg are the MapStores. */
static RibbonStatus
open_store(void *arg, uint64_t nexpected, RibbonStore **store)
{
	const MapStores *stores = arg;

	(void) nexpected;
	*store = ribbon_corestore_open(stores->spill, &stores->records);
	return RIBBON_OK;
}
