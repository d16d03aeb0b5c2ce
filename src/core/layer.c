/*
 * layer.c - one overloaded layer of BuRR, and the keys it bumps
 */
#include "layer.h"

#include "backsubst.h"

/* A successful insertion into the current bucket, in case it is rolled back. */
typedef struct Insertion
{
	uint64_t slot;
	unsigned position;
} Insertion;

/* The code of the smallest threshold that bumps this position. */
static inline unsigned
smallest_code_above(const RibbonBuckets *buckets, unsigned position)
{
	return position < buckets->threshold[1] ? 1 :
		position < buckets->threshold[2]	? 2 :
											  3;
}

#define RIBBON_BITS 32
#include "layer_template.h"
#define RIBBON_BITS 64
#include "layer_template.h"
#define RIBBON_BITS 128
#include "layer_template.h"

RibbonStatus
ribbon_layer_build(const RibbonEnv *env, const RibbonRegion *region,
				   const RibbonBuckets *buckets, const uint64_t *words,
				   size_t nwords, uint64_t *bumped, size_t max_bumped,
				   uint8_t *thresholds, uint8_t *slots, size_t *nbumped)
{
	RibbonBand band;
	RibbonStatus status;
	Insertion *latest;

	status = ribbon_band_create(env, &band, region->nslots, region->width / 8,
								true);
	if (status != RIBBON_OK)
		return status;

	/* a bucket's keys end in slots from its first to w - 1 after its last */
	latest = ribbon_alloc(env,
						  ((size_t) 1 << buckets->log2_size) *
								  sizeof(Insertion) +
							  region->width * sizeof(Insertion));
	if (latest == NULL)
		status = RIBBON_OUT_OF_MEMORY;
	else
	{
		switch (region->width)
		{
			case 32:
				status = layer32_fill(env, &band, region, buckets, latest,
									  words, nwords, bumped, max_bumped,
									  thresholds, nbumped);
				break;
			case 64:
				status = layer64_fill(env, &band, region, buckets, latest,
									  words, nwords, bumped, max_bumped,
									  thresholds, nbumped);
				break;
			default:
				status = layer128_fill(env, &band, region, buckets, latest,
									   words, nwords, bumped, max_bumped,
									   thresholds, nbumped);
				break;
		}
		ribbon_free(env, latest);
	}
	if (status == RIBBON_OK && *nbumped <= max_bumped)
		status = ribbon_backsubst(env, &band, region, RIBBON_FREE_ZERO, slots);
	ribbon_band_free(env, &band);
	return status;
}
