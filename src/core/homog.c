/*
 * homog.c - homogeneous ribbon: every key's result is zero
 *
 * The columns are chosen last: banding does not depend on them, and only the
 * finished band tells P, so that the FPR comes out as asked for although P
 * varies from set to set, and although keys may have been chosen to raise it.
 */
#include "homog.h"

#include "backsubst.h"
#include "format.h"
#include "icml.h"
#include "params.h"
#include "salt.h"
#include "span.h"
#include "sweep.h"

#define LANES		   4
#define LANE_STEPS	   4096 /* of each lane, between looks for interrupts */
#define LANES_MIN_KEYS 4096 /* fewer are inserted one by one */
#define BUCKET_SLOTS   512	/* that are swept at once */

#define MORE_SLOTS_TRIES 3 /* before the hashes are blamed, and salted */

/* A lane bands a run of the sorted words, [next, end), bucket by bucket. */
typedef struct Lane
{
	const uint64_t *next;
	const uint64_t *end;
	bool busy;
	RibbonSweep sweep;
} Lane;

/* Insert words one after the other. */
static RibbonStatus
insert_words(const RibbonEnv *env, const RibbonBand *band,
			 const RibbonRegion *region, const uint64_t *words,
			 const uint64_t *end)
{
	for (size_t i = 0; words < end; i++)
	{
		ribbon_band_insert_word(band, region, *words++);
		if (i % RIBBON_INTERRUPT_KEYS == RIBBON_INTERRUPT_KEYS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* Begin with the lane's next bucket. */
static RibbonStatus
next_bucket(const RibbonEnv *env, const RibbonBand *band,
			const RibbonRegion *region, Lane *lane)
{
	RibbonStatus status = RIBBON_OK;

	lane->busy = false;
	while (status == RIBBON_OK && !lane->busy && lane->next < lane->end)
	{
		uint64_t bucket = ribbon_region_start(region, *lane->next) /
			BUCKET_SLOTS;
		size_t n = ribbon_sweep_begin(&lane->sweep, band, region, NULL,
									  lane->next,
									  (size_t) (lane->end - lane->next),
									  bucket * BUCKET_SLOTS, BUCKET_SLOTS,
									  UINT64_MAX);

		/* too many for a sweep: hashes do not come like that by chance */
		if (n > RIBBON_SWEEP_KEYS)
			status = insert_words(env, band, region, lane->next,
								  lane->next + RIBBON_SWEEP_KEYS);
		lane->busy = n <= RIBBON_SWEEP_KEYS;
		lane->next += ribbon_min64(n, RIBBON_SWEEP_KEYS);
	}
	return status;
}

/* Advance lanes in turn until they have come to their ends. */
static RibbonStatus
finish_lanes(const RibbonEnv *env, const RibbonBand *band,
			 const RibbonRegion *region, Lane *lanes)
{
	RibbonStatus status = RIBBON_OK;
	bool busy = true;

	while (status == RIBBON_OK && busy)
	{
		for (unsigned i = 0; i < LANE_STEPS && busy; i++)
		{
			busy = false;
			for (unsigned l = 0; l < LANES && status == RIBBON_OK; l++)
			{
				if (!lanes[l].busy)
					continue;
				busy = true;
				if (!ribbon_sweep_advance(&lanes[l].sweep))
					status = next_bucket(env, band, region, &lanes[l]);
			}
		}
		if (ribbon_interrupted(env))
			status = RIBBON_INTERRUPTED;
	}
	return status;
}

/*
 * Band the words.  Which slots are filled does not depend on their order, so
 * several runs of them are banded side by side.
 */
static RibbonStatus
fill(const RibbonEnv *env, const RibbonBand *band, const RibbonRegion *region,
	 const uint64_t *words, size_t nwords)
{
	const uint64_t *end = words + nwords;
	RibbonStatus status = RIBBON_OK;
	Lane *lanes;

	if (nwords < LANES_MIN_KEYS)
		return insert_words(env, band, region, words, end);
	lanes = ribbon_alloc(env, LANES * sizeof(Lane));
	if (lanes == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned l = 0; l < LANES && status == RIBBON_OK; l++)
	{
		lanes[l].next = words + nwords / LANES * l;
		lanes[l].end = l + 1 < LANES ? words + nwords / LANES * (l + 1) : end;
		status = next_bucket(env, band, region, &lanes[l]);
	}
	if (status == RIBBON_OK)
		status = finish_lanes(env, band, region, lanes);
	ribbon_free(env, lanes);
	return status;
}

/* With this P, can columns make up the FPR, and not too many of them? */
static bool
leaves_room(double fpr, double probability)
{
	double chance = ribbon_params_homog_chance(fpr, probability);

	return probability <= fpr / 2 &&
		probability + (1 - probability) * chance <= 1.003 * fpr;
}

/* Band the words into nslots slots, and tell P. */
static RibbonStatus
band_words(const RibbonEnv *env, RibbonFilter *filter, RibbonBand *band,
		   uint64_t nslots, const uint64_t *words, size_t nwords, double fpr,
		   double *probability)
{
	RibbonColumns columns = ribbon_params_columns(fpr);
	RibbonRegion *region = &filter->zones[0];
	RibbonStatus status;

	ribbon_region_init(region, nslots, (unsigned) filter->width, false,
					   columns);
	status = ribbon_band_create(env, band, nslots, (unsigned) filter->width, 0);
	if (status == RIBBON_OK)
		status = fill(env, band, region, words, nwords);
	if (status == RIBBON_OK)
		status = ribbon_span_probability(env, band, region,
										 columns.columns + (columns.wide > 0),
										 probability);
	return status;
}

/* Choose the columns for this P, and write the filter. */
static RibbonStatus
finish(const RibbonEnv *env, RibbonFilter *filter, const RibbonBand *band,
	   double fpr, double probability, size_t headroom, uint8_t **bytes,
	   size_t *nbytes)
{
	RibbonColumns columns;
	RibbonStatus status;
	uint8_t *buffer;

	filter->dependence = ribbon_format_encode_dependence(probability);
	columns = ribbon_params_columns(ribbon_params_homog_chance(fpr,
															   probability));
	filter->columns = columns.columns;
	filter->wide = filter->split = columns.wide;

	status = ribbon_format_create(env, filter, headroom, &buffer);
	if (status != RIBBON_OK)
		return status;
	status = ribbon_backsubst(env, band, &filter->zones[0], RIBBON_FREE_UNIT,
							  (uint8_t *) filter->zones[0].slots);
	if (status != RIBBON_OK)
	{
		ribbon_free(env, buffer);
		return status;
	}
	*bytes = buffer;
	*nbytes = filter->total_bytes;
	return RIBBON_OK;
}

RibbonStatus
ribbon_homog_build(const RibbonEnv *env, const RibbonParams *params,
				   uint64_t *hashes, size_t nhashes, size_t headroom,
				   uint8_t **bytes, size_t *nbytes)
{
	uint64_t usual_nslots = ribbon_params_homog_slots(params->width,
													  params->fpr, nhashes);
	uint64_t nslots = usual_nslots;
	RibbonFilter filter;
	RibbonBand band;
	RibbonStatus status;

	ribbon_format_init_empty(&filter, params->key_class);
	filter.kind = RIBBON_HOMOGENEOUS;
	filter.nzones[0] = 1;
	filter.nkeys = nhashes;
	filter.width = params->width;
	memset(&band, 0, sizeof(band));

	for (int attempt = 1;; attempt++)
	{
		double probability = 0;

		status = band_words(env, &filter, &band, nslots, hashes, nhashes,
							params->fpr, &probability);
		if (status == RIBBON_OK && !leaves_room(params->fpr, probability))
		{
			ribbon_band_free(env, &band);
			nslots += nslots / 32 + 4;
			if (attempt == MORE_SLOTS_TRIES)
			{
				nslots = usual_nslots;
				status = ribbon_salt_hashes(env, &filter, hashes, nhashes);
			}
			if (status == RIBBON_OK)
				continue;
		}
		else if (status == RIBBON_OK)
			status = finish(env, &filter, &band, params->fpr, probability,
							headroom, bytes, nbytes);
		ribbon_band_free(env, &band);
		return status;
	}
}
