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

static RibbonParams map_params(const MapState *state,
							   const RibbonValues *values);
static RibbonValues map_values(const MapState *state,
							   const RibbonValueCodes *codes);
static struct varlena *build_array(const RibbonParams *params,
								   BuildState *state);
static struct varlena *build_stored(const RibbonParams *params,
									BuildState *state);
static void check_size(const RibbonParams *params, uint64 nkeys);
static RibbonStatus open_store(void *arg, uint64_t nexpected, unsigned words,
							   RibbonStore **store);

struct varlena *
ribbon_map_build_state(BuildState *state)
{
	RibbonValueCodes codes = ribbon_mapstate_codes((MapState *) state);
	RibbonValues values = map_values((MapState *) state, &codes);
	RibbonParams params = map_params((MapState *) state, &values);
	struct varlena *map;

	map = (state->store != NULL ? build_stored : build_array)(&params, state);
	if (codes.bytes != NULL)
		pfree(codes.bytes);
	if (codes.slots != NULL)
		pfree(codes.slots);
	return map;
}

static RibbonParams
map_params(const MapState *state, const RibbonValues *values)
{
	const BuildParams *build = &state->build.params;

	return (RibbonParams){.kind = RIBBON_BURR,
						  .width = build->width,
						  .fpr = build->fpr,
						  .key_class = build->key_class,
						  .values = values};
}

static RibbonValues
map_values(const MapState *state, const RibbonValueCodes *codes)
{
	RibbonValues values = {.value_class = state->values.value_class,
						   .has_null = codes->has_null,
						   .seed = state->build.params.seed,
						   .base = (int64) codes->base,
						   .bits = codes->value_bits,
						   .dictionary = codes->bytes,
						   .ndictionary = codes->nbytes};

	if (codes->has_null || codes->slots != NULL)
	{
		values.code = ribbon_valuecodes_get;
		values.code_arg = codes;
	}
	return values;
}

static struct varlena *
build_array(const RibbonParams *params, BuildState *state)
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
	status = ribbon_build(&env, params, state->words, nrecords, VARHDRSZ,
						  &bytes, &nbytes);
	return ribbon_value_finish(RIBBON_SQL_MAP, status, bytes, nbytes);
}

static struct varlena *
build_stored(const RibbonParams *params, BuildState *state)
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
	env.open_store = open_store;
	env.arg = &stores;
	status = ribbon_build_stored(&env, params, store, nrecords, VARHDRSZ,
								 &bytes, &nbytes);
	pfree(store);
	return ribbon_value_finish(RIBBON_SQL_MAP, status, bytes, nbytes);
}

/* Refuse what cannot be a value, before time is spent on it. */
static void
check_size(const RibbonParams *params, uint64 nkeys)
{
	double nbytes = ribbon_least_bytes(params, nkeys) +
		(double) params->values->ndictionary;

	if (nbytes > MaxAllocSize - VARHDRSZ)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("ribbonmap of %llu keys would exceed the maximum of 1 GB",
						(unsigned long long) nkeys),
				 errdetail("With %u bits of value, and at a false-positive rate of %g, it takes %.0f MB at least.",
						   params->values->bits, params->fpr,
						   ceil(nbytes / (1024 * 1024))),
				 ribbon_value_hint_too_large(RIBBON_SQL_MAP)));
}

/* A RibbonEnv's, whose arg are the MapStores. */
static RibbonStatus
open_store(void *arg, uint64_t nexpected, unsigned words, RibbonStore **store)
{
	const MapStores *stores = arg;

	(void) nexpected;
	(void) words;
	*store = ribbon_corestore_open(stores->spill, &stores->records);
	return RIBBON_OK;
}
