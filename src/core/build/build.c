/*
 * build.c - from any array of hashes to a filter of the kind asked for
 */
#include "base/sort.h"
#include "build/burr.h"
#include "build/homog.h"
#include "build/output.h"
#include "build/params.h"
#include "format/format.h"

static RibbonStatus
build_empty(const RibbonEnv *env, int key_class, size_t headroom,
			uint8_t **bytes, size_t *nbytes)
{
	RibbonFilter filter;

	ribbon_format_init_empty(&filter, key_class);
	return ribbon_output_header(env, &filter, headroom, 0, bytes, nbytes);
}

RibbonStatus
ribbon_distinct(const RibbonEnv *env, uint64_t *hashes, size_t *nhashes)
{
	size_t ndistinct;
	RibbonStatus status = ribbon_sort_distinct(env, hashes, *nhashes,
											   &ndistinct);

	if (status != RIBBON_OK || ndistinct == *nhashes)
		return status;
	status = ribbon_sort(env, hashes, *nhashes);
	if (status == RIBBON_OK)
		status = ribbon_sort_unique(env, hashes, nhashes);
	return status;
}

double
ribbon_least_bytes(const RibbonParams *params, uint64_t nkeys)
{
	return (double) nkeys *
		ribbon_result_bits_mean(ribbon_result_bits_for(params->fpr)) / 8;
}

/* Build a filter of sorted, distinct hashes, one at least. */
static RibbonStatus
build(const RibbonEnv *env, const RibbonParams *params, RibbonHashes *hashes,
	  size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonParams chosen = *params;

	if (hashes->n > RIBBON_MAX_KEYS)
		return RIBBON_OUT_OF_MEMORY;
	ribbon_params_choose(&chosen, hashes->n);
	if (chosen.kind == RIBBON_HOMOGENEOUS)
		return ribbon_homog_build(env, &chosen, hashes, headroom, bytes,
								  nbytes);
	return ribbon_burr_build(env, &chosen, hashes, headroom, 0, bytes, nbytes);
}

RibbonStatus
ribbon_build(const RibbonEnv *env, const RibbonParams *params, uint64_t *hashes,
			 size_t nhashes, size_t headroom, uint8_t **bytes, size_t *nbytes)
{
	RibbonStatus status = ribbon_params_check(params);
	RibbonHashes set;

	if (status != RIBBON_OK)
		return status;
	if (nhashes == 0)
		return build_empty(env, params->key_class, headroom, bytes, nbytes);

	status = ribbon_distinct(env, hashes, &nhashes);
	if (status != RIBBON_OK)
		return status;
	set = ribbon_hashes_of_array(hashes, nhashes, NULL);
	return build(env, params, &set, headroom, bytes, nbytes);
}

RibbonStatus
ribbon_build_stored(const RibbonEnv *env, const RibbonParams *params,
					RibbonStore *store, uint64_t nhashes, size_t headroom,
					uint8_t **bytes, size_t *nbytes)
{
	RibbonStatus status = ribbon_params_check(params);
	RibbonHashes set = ribbon_hashes_of_store(store, nhashes, NULL);

	if (status != RIBBON_OK)
		return status;
	if (nhashes == 0)
		return build_empty(env, params->key_class, headroom, bytes, nbytes);

	if (nhashes <= RIBBON_HASHES_IN_MEMORY)
		status = ribbon_hashes_load(env, &set);
	if (status == RIBBON_OK)
		status = build(env, params, &set, headroom, bytes, nbytes);
	ribbon_hashes_free(env, &set);
	return status;
}
