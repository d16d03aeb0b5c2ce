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

#define LANES		   4
#define LANE_STEPS	   16384 /* of each lane, between looks for interrupts */
#define LANES_MIN_KEYS 4096	 /* fewer are inserted one by one */

#define RIBBON_BITS 32
#include "homog_template.h"
#define RIBBON_BITS 64
#include "homog_template.h"
#define RIBBON_BITS 128
#include "homog_template.h"

#define MORE_SLOTS_TRIES 3 /* before the hashes are blamed, and salted */

static RibbonStatus
fill(const RibbonEnv *env, const RibbonBand *band, const RibbonRegion *region,
	 const uint64_t *words, size_t nwords)
{
	switch (region->width)
	{
		case 32:
			return homog32_fill(env, band, region, words, nwords);
		case 64:
			return homog64_fill(env, band, region, words, nwords);
		default:
			return homog128_fill(env, band, region, words, nwords);
	}
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
	status = ribbon_band_create(env, band, nslots, (size_t) filter->width / 8,
								false);
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
	RibbonBand band = {0, NULL, NULL};
	RibbonStatus status;

	ribbon_format_init_empty(&filter, params->key_class);
	filter.kind = RIBBON_HOMOGENEOUS;
	filter.nzones[0] = 1;
	filter.nkeys = nhashes;
	filter.width = params->width;

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
