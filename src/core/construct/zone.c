/*
 * zone.c - solve a zone of the last layer: Standard Ribbon with smash, retried
 */
#include "construct/zone.h"

#include "construct/params.h"
#include "construct/seeded.h"
#include "format/icml.h"
#include "solve/solver.h"
#include "solve/sweep.h"

#define BUCKET_SLOTS RIBBON_SWEEP_BUCKET_SLOTS

typedef enum Outcome
{
	FAILED, /* most tries do */
	SOLVED,
	SUSPICIOUS /* hashes cluster under this seed: keys were chosen for it */
} Outcome;

/* A zone's rotated hashes, and room for the same under the seed being tried. */
typedef struct Keys
{
	const uint64_t *hashes;
	size_t nhashes;
	const RibbonSupply *supply;
	RibbonSeeded seeded;
	RibbonSweep *sweep; /* NULL if they are few */
} Keys;

/* Insert hashes, first remixed with the system's seed if remix.  Do all fit? */
static bool
insert(const RibbonBand *band, const RibbonSystem *system,
	   const uint64_t *hashes, size_t nhashes, bool remix)
{
	size_t stride = ribbon_supply_stride(band->supply);

	for (size_t i = 0; i < nhashes; i++)
	{
		const uint64_t *element = hashes + i * stride;
		uint64_t hash = remix ? ribbon_hash_seeded(*element, system->seed) :
								*element;

		if (ribbon_band_insert_element(band, system, hash, element) ==
			RIBBON_BAND_INCONSISTENT)
			return false;
	}
	return true;
}

/* Band the seeded hashes, which are in order, by sweeps.  Do all fit? */
static bool
sweep_all(const Keys *keys, const RibbonBand *band, const RibbonSystem *system)
{
	RibbonSweep *sweep = keys->sweep;

	for (size_t i = 0; i < keys->nhashes;)
	{
		const uint64_t *hashes = keys->seeded.ordered +
			i * ribbon_supply_stride(keys->supply);
		uint64_t bucket = ribbon_system_start(system, *hashes) / BUCKET_SLOTS;
		size_t n = ribbon_sweep_begin(sweep, band, system,
									  &ribbon_sweep_buckets, hashes,
									  keys->nhashes - i, bucket * BUCKET_SLOTS,
									  BUCKET_SLOTS, UINT64_MAX);

		if (n > RIBBON_SWEEP_KEYS)
		{
			n = RIBBON_SWEEP_KEYS;
			if (!insert(band, system, hashes, n, false))
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

/* Band all keys under the system's seed. */
static RibbonStatus
try_seed(const RibbonEnv *env, Keys *keys, const RibbonBand *band,
		 const RibbonSystem *system, Outcome *outcome)
{
	bool solved;

	memset(band->coeff, 0, system->nslots * (system->width / 8));
	if (keys->sweep == NULL)
		solved = insert(band, system, keys->hashes, keys->nhashes, true);
	else
	{
		bool clustered;
		RibbonStatus status = ribbon_seeded_order(env, &keys->seeded, system,
												  keys->hashes, keys->nhashes,
												  &clustered);

		if (status != RIBBON_OK)
			return status;
		if (clustered)
		{
			*outcome = SUSPICIOUS;
			return RIBBON_OK;
		}
		solved = sweep_all(keys, band, system);
	}
	*outcome = solved ? SOLVED : FAILED;
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}

/*
 * Try the seeds with nslots slots, as long as *tries > 0; solve if one works.
 */
static RibbonStatus
try_seeds(const RibbonEnv *env, Keys *keys, unsigned width, uint64_t nslots,
		  unsigned result_bits, unsigned *tries, RibbonZone *zone,
		  Outcome *outcome)
{
	unsigned nseeds = (unsigned) ribbon_min64(*tries, RIBBON_ZONE_SEEDS);
	RibbonResultBits whole = {result_bits, 0};
	RibbonStatus status;
	RibbonBand band;

	ribbon_system_init_zone(&zone->system, nslots, width, 0, whole);
	status = ribbon_band_create(env, &band, nslots, width, result_bits);
	band.supply = keys->supply;
	for (unsigned seed = 0;
		 status == RIBBON_OK && *outcome == FAILED && seed < nseeds; seed++)
	{
		--*tries;
		ribbon_system_set_seed(&zone->system, seed);
		status = try_seed(env, keys, &band, &zone->system, outcome);
	}
	if (status == RIBBON_OK && *outcome == SOLVED)
	{
		zone->slots = ribbon_alloc_zeroed(env,
										  ribbon_icml_bytes(&zone->system));
		if (zone->slots == NULL)
			status = RIBBON_OUT_OF_MEMORY;
		else
		{
			RibbonBacksubst run = ribbon_backsubst_all(&band, &zone->system,
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
ribbon_zone_build(const RibbonEnv *env, unsigned width,
				  const RibbonSupply *supply, const uint64_t *hashes,
				  size_t nhashes, unsigned result_bits, unsigned *tries,
				  RibbonZone *zone, bool *solved)
{
	RibbonResultBits whole = {result_bits, 0};
	uint64_t spare = ribbon_params_zone_spare(width, nhashes);
	Keys keys = {.hashes = hashes, .nhashes = nhashes, .supply = supply};
	Outcome outcome = nhashes == 0 ? SOLVED : FAILED;
	RibbonStatus status = RIBBON_OK;

	zone->slots = NULL;
	ribbon_system_init_zone(&zone->system, 0, width, 0, whole);
	if (nhashes >= width) /* a sweep's rows must not be short */
	{
		status = ribbon_seeded_create(env, &keys.seeded, supply, nhashes);
		keys.sweep = ribbon_alloc(env, sizeof(RibbonSweep));
		if (keys.sweep == NULL)
			status = RIBBON_OUT_OF_MEMORY;
	}
	while (status == RIBBON_OK && outcome == FAILED && *tries > 0)
	{
		status = try_seeds(env, &keys, width, nhashes + spare, result_bits,
						   tries, zone, &outcome);
		spare += 1 + spare / 8;
	}
	*solved = outcome == SOLVED;
	ribbon_seeded_free(env, &keys.seeded);
	ribbon_free(env, keys.sweep);
	return status;
}
