/*
 * zone.c - the last layer: Standard Ribbon with smash, retried until it holds
 */
#include "build/zone.h"

#include "solve/backsubst.h"
#include "build/crowd.h"
#include "format/icml.h"
#include "build/params.h"
#include "base/sort.h"
#include "solve/sweep.h"

#define BUCKET_SLOTS 512 /* that are swept at once */

typedef enum Outcome
{
	FAILED, /* as most tries do */
	SOLVED,
	AIMED /* the words crowd: somebody has chosen keys for this seed */
} Outcome;

/* A zone's keys, and room for their words under the seed that is tried. */
typedef struct Keys
{
	const uint64_t *words;
	size_t nwords;
	uint64_t *seeded; /* NULL if they are few */
	RibbonSweep *sweep;
} Keys;

/* Insert words, or words remixed with the region's seed. */
static bool
insert(const RibbonBand *band, const RibbonRegion *region,
	   const uint64_t *words, size_t nwords, bool remix)
{
	for (size_t i = 0; i < nwords; i++)
	{
		uint64_t word = remix ? ribbon_hash_seeded(words[i], region->seed) :
								words[i];

		if (ribbon_band_insert_word(band, region, word) ==
			RIBBON_BAND_INCONSISTENT)
			return false;
	}
	return true;
}

/* Sweep the seeded words into the band, sorted; do they all fit? */
static bool
sweep_all(const Keys *keys, const RibbonBand *band, const RibbonRegion *region)
{
	/* a key that does not fit is a failure, wherever it is */
	static const RibbonBuckets bump_all = {9,
										   {0, BUCKET_SLOTS, BUCKET_SLOTS,
											BUCKET_SLOTS}};
	RibbonSweep *sweep = keys->sweep;

	for (size_t i = 0; i < keys->nwords;)
	{
		const uint64_t *words = keys->seeded + i;
		uint64_t bucket = ribbon_region_start(region, *words) / BUCKET_SLOTS;
		size_t n = ribbon_sweep_begin(sweep, band, region, &bump_all, words,
									  keys->nwords - i, bucket * BUCKET_SLOTS,
									  BUCKET_SLOTS, UINT64_MAX);

		if (n > RIBBON_SWEEP_KEYS)
		{
			n = RIBBON_SWEEP_KEYS;
			if (!insert(band, region, words, n, false))
				return false;
		}
		else
			while (ribbon_sweep_advance(sweep) && sweep->code == 0)
				;
		if (sweep->code > 0)
			return false;
		i += n;
	}
	return true;
}

/* Try to bring all keys into the band. */
static RibbonStatus
try_seed(const RibbonEnv *env, const Keys *keys, const RibbonBand *band,
		 const RibbonRegion *region, Outcome *outcome)
{
	bool solved;

	memset(band->coeff, 0, region->nslots * (region->width / 8));
	if (keys->seeded == NULL)
		solved = insert(band, region, keys->words, keys->nwords, true);
	else
	{
		RibbonStatus status;

		for (size_t i = 0; i < keys->nwords; i++)
			keys->seeded[i] = ribbon_hash_seeded(keys->words[i], region->seed);
		status = ribbon_sort(env, keys->seeded, keys->nwords);
		if (status != RIBBON_OK)
			return status;
		if (ribbon_is_crowded(keys->seeded, keys->nwords, UINT64_MAX,
							  keys->nwords))
		{
			*outcome = AIMED;
			return RIBBON_OK;
		}
		solved = sweep_all(keys, band, region);
	}
	*outcome = solved ? SOLVED : FAILED;
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}

/* With nslots slots, try every seed, as long as there are tries left. */
static RibbonStatus
try_seeds(const RibbonEnv *env, const Keys *keys, unsigned width,
		  uint64_t nslots, unsigned columns, unsigned *tries, RibbonZone *zone,
		  Outcome *outcome)
{
	unsigned nseeds = (unsigned) ribbon_min64(*tries, RIBBON_ZONE_SEEDS);
	RibbonColumns whole = {columns, 0};
	RibbonStatus status;
	RibbonBand band;

	ribbon_region_init_zone(&zone->region, nslots, width, 0, whole);
	status = ribbon_band_create(env, &band, nslots, width, columns);
	for (unsigned seed = 0;
		 status == RIBBON_OK && *outcome == FAILED && seed < nseeds; seed++)
	{
		--*tries;
		ribbon_region_set_seed(&zone->region, seed);
		status = try_seed(env, keys, &band, &zone->region, outcome);
	}
	if (status == RIBBON_OK && *outcome == SOLVED)
	{
		zone->slots = ribbon_alloc_zeroed(env,
										  ribbon_icml_bytes(&zone->region));
		if (zone->slots == NULL)
			status = RIBBON_OUT_OF_MEMORY;
		else
		{
			RibbonBacksubst run = ribbon_backsubst_all(&band, &zone->region,
													   RIBBON_FREE_ZERO,
													   zone->slots);

			status = ribbon_backsubst(env, &run);
		}
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
				  size_t nwords, unsigned columns, unsigned *tries,
				  RibbonZone *zone, bool *solved)
{
	RibbonColumns whole = {columns, 0};
	uint64_t spare = ribbon_params_zone_spare(width, nwords);
	Keys keys = {words, nwords, NULL, NULL};
	Outcome outcome = nwords == 0 ? SOLVED : FAILED;
	RibbonStatus status = RIBBON_OK;

	zone->slots = NULL;
	ribbon_region_init_zone(&zone->region, 0, width, 0, whole);
	if (nwords >= width) /* a sweep's rows must not be short */
	{
		keys.seeded = ribbon_alloc_array(env, nwords, sizeof(uint64_t));
		keys.sweep = ribbon_alloc(env, sizeof(RibbonSweep));
		if (keys.seeded == NULL || keys.sweep == NULL)
			status = RIBBON_OUT_OF_MEMORY;
	}
	while (status == RIBBON_OK && outcome == FAILED && *tries > 0)
	{
		status = try_seeds(env, &keys, width, nwords + spare, columns, tries,
						   zone, &outcome);
		spare += 1 + spare / 8;
	}
	*solved = outcome == SOLVED;
	ribbon_free(env, keys.seeded);
	ribbon_free(env, keys.sweep);
	return status;
}
