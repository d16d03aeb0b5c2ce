/*
 * zone.c - the last layer: Standard Ribbon with smash, retried until it holds
 */
#include "zone.h"

#include "backsubst.h"
#include "icml.h"
#include "params.h"

/* Try to bring all words into the band; *solved tells whether it worked. */
static RibbonStatus
try_zone(const RibbonEnv *env, const RibbonBand *band,
		 const RibbonRegion *region, const uint64_t *words, size_t nwords,
		 bool *solved)
{
	uint32_t result_mask = (uint32_t) ribbon_low_mask(region->columns);

	*solved = false;
	memset(band->coeff, 0, region->nslots * sizeof(RibbonRow64));
	for (size_t i = 0; i < nwords; i++)
	{
		uint64_t word = ribbon_hash_seeded(words[i], region->seed);
		uint64_t start = ribbon_region_start(region, word);
		RibbonRow64 row = ribbon_row64_coeff(word, region->row_bits);
		uint32_t result = ribbon_hash_fingerprint(word) & result_mask;

		if (ribbon_band64_insert(band, start, row, result, true) ==
			RIBBON_BAND_INCONSISTENT)
			return RIBBON_OK;
		if (i % RIBBON_INTERRUPT_KEYS == RIBBON_INTERRUPT_KEYS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	*solved = true;
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}

/* With nslots slots, try every seed. */
static RibbonStatus
try_seeds(const RibbonEnv *env, uint64_t nslots, const uint64_t *words,
		  size_t nwords, unsigned columns, RibbonZone *zone, bool *solved)
{
	RibbonColumns whole = {columns, 0};
	RibbonStatus status;
	RibbonBand band;

	status = ribbon_band_create(env, &band, nslots, sizeof(RibbonRow64), true);
	for (unsigned seed = 0;
		 status == RIBBON_OK && !*solved && seed < RIBBON_ZONE_SEEDS; seed++)
	{
		ribbon_region_init_zone(&zone->region, nslots, seed, whole);
		status = try_zone(env, &band, &zone->region, words, nwords, solved);
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
ribbon_zone_build(const RibbonEnv *env, const uint64_t *words, size_t nwords,
				  unsigned columns, RibbonZone *zone)
{
	RibbonColumns whole = {columns, 0};
	bool solved = false;
	uint64_t spare = ribbon_params_zone_spare(nwords);

	zone->slots = NULL;
	ribbon_region_init_zone(&zone->region, 0, 0, whole);
	while (nwords > 0 && !solved)
	{
		RibbonStatus status = try_seeds(env, nwords + spare, words, nwords,
										columns, zone, &solved);

		if (status != RIBBON_OK)
			return status;
		spare += 1 + spare / 8;
	}
	return RIBBON_OK;
}
