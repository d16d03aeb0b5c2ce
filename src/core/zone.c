/*
 * zone.c - the last layer: Standard Ribbon with smash, retried until it holds
 */
#include "zone.h"

#include "backsubst.h"
#include "icml.h"
#include "params.h"

/* Try to bring all words into the band; *solved tells whether it worked. */
static RibbonStatus
try_seed(const RibbonEnv *env, const RibbonBand *band,
		 const RibbonRegion *region, const uint64_t *words, size_t nwords,
		 bool *solved)
{
	*solved = false;
	memset(band->coeff, 0, region->nslots * (region->width / 8));
	for (size_t i = 0; i < nwords; i++)
	{
		if (ribbon_band_insert_word(band, region,
									ribbon_hash_seeded(words[i],
													   region->seed)) ==
			RIBBON_BAND_INCONSISTENT)
			break;
		if (i % RIBBON_INTERRUPT_KEYS == RIBBON_INTERRUPT_KEYS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
		*solved = i + 1 == nwords;
	}
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}

/* With nslots slots, try every seed. */
static RibbonStatus
try_seeds(const RibbonEnv *env, unsigned width, uint64_t nslots,
		  const uint64_t *words, size_t nwords, unsigned columns,
		  RibbonZone *zone, bool *solved)
{
	RibbonColumns whole = {columns, 0};
	RibbonStatus status;
	RibbonBand band;

	status = ribbon_band_create(env, &band, nslots, width, columns);
	for (unsigned seed = 0;
		 status == RIBBON_OK && !*solved && seed < RIBBON_ZONE_SEEDS; seed++)
	{
		ribbon_region_init_zone(&zone->region, nslots, width, seed, whole);
		status = try_seed(env, &band, &zone->region, words, nwords, solved);
	}
	if (status == RIBBON_OK && *solved)
	{
		zone->slots = ribbon_alloc_zeroed(env,
										  ribbon_icml_bytes(&zone->region));
		if (zone->slots == NULL)
			status = RIBBON_OUT_OF_MEMORY;
		else
			status = ribbon_backsubst(env, &band, &zone->region,
									  RIBBON_FREE_ZERO, zone->slots);
		if (status != RIBBON_OK)
		{
			ribbon_free(env, zone->slots);
			zone->slots = NULL;
		}
	}
	ribbon_band_free(env, &band);
	return status;
}

RibbonStatus
ribbon_zone_build(const RibbonEnv *env, unsigned width, const uint64_t *words,
				  size_t nwords, unsigned columns, unsigned max_sizes,
				  RibbonZone *zone, bool *solved)
{
	RibbonColumns whole = {columns, 0};
	uint64_t spare = ribbon_params_zone_spare(width, nwords);

	zone->slots = NULL;
	ribbon_region_init_zone(&zone->region, 0, width, 0, whole);
	*solved = nwords == 0;
	for (unsigned size = 0; !*solved && size < max_sizes; size++)
	{
		RibbonStatus status = try_seeds(env, width, nwords + spare, words,
										nwords, columns, zone, solved);

		if (status != RIBBON_OK)
			return status;
		spare += 1 + spare / 8;
	}
	return RIBBON_OK;
}
