/*
 * layer.c - one overloaded layer of BuRR, and the keys it bumps
 *
 * An insertion is a chain of two dozen dependent steps, which leave most of
 * the CPU idle.  So a large layer is cut into stretches of buckets that are
 * filled side by side, each by a lane that is advanced a step at a time.
 *
 *----------
 *	 |---- stretch 0 ----|---- stretch 1 ----|---- stretch 2 ----| ...
 *	 |   body     | tail |   body     | tail |   body     | tail |
 *	      1          2        1          2        1          2
 *----------
 *
 * What is bumped depends on what was inserted before, so the order must not
 * depend on the number of lanes or their speed.  It is this: first all bodies,
 * which cannot reach into each other, then all tails.  A tail's keys overflow
 * into the next stretch as any bucket's do into the next one.  To leave slots
 * for them there, the first bucket of a stretch is bumped up to the upper
 * threshold beforehand (which BuRR 7.3 does to build in parallel).  How many
 * slots stay empty at the end of a tail depends on what flows into its last
 * buckets, so it is filled several times, with less or more of its first
 * bucket bumped, and the best is kept.
 */
#include "layer.h"

#include "backsubst.h"

#include <limits.h>

#define LANES	   4 /* stretches of a large layer; it shows in the bytes */
#define LANE_STEPS 131072 /* steps between looks for interrupts */
#define UPPER_CODE 2	  /* of the upper threshold */

/* A successful insertion into the current bucket, in case it is taken back. */
typedef struct Insertion
{
	uint64_t slot;
	unsigned position;
} Insertion;

/* What all lanes share. */
typedef struct Layer
{
	const RibbonEnv *env;
	const RibbonBand *band;
	const RibbonRegion *region;
	const RibbonBuckets *buckets;
	const uint64_t *words;
	uint8_t *thresholds;
	uint64_t position_mask;
	uint32_t result_mask;
	size_t max_latest; /* insertions that a bucket can take */
} Layer;

/* Words by index: the body is [body, tail), the tail [tail, end). */
typedef struct Stretch
{
	size_t body;
	size_t tail;
	size_t end;
	uint64_t tail_bucket; /* the tail's first */
	uint64_t end_bucket;
	uint64_t slot_limit; /* of the tail's insertions */
} Stretch;

/* Slots as they were before a tail was filled. */
typedef struct Saved
{
	uint64_t begin;
	size_t nslots;
	void *coeff;
	uint32_t *result;
} Saved;

static inline unsigned
get_code(const Layer *layer, uint64_t bucket)
{
	return layer->thresholds[bucket / 4] >> 2 * (bucket % 4) & 3;
}

static inline void
set_code(const Layer *layer, uint64_t bucket, unsigned code)
{
	uint8_t *byte = &layer->thresholds[bucket / 4];
	unsigned shift = 2 * (bucket % 4);

	*byte = (uint8_t) ((*byte & ~(3u << shift)) | code << shift);
}

/* The bucket of word i. */
static inline uint64_t
bucket_of(const Layer *layer, size_t i)
{
	return ribbon_region_start(layer->region, layer->words[i]) >>
		layer->buckets->log2_size;
}

/* The position of word i in its bucket. */
static inline uint64_t
position_of(const Layer *layer, size_t i)
{
	return ribbon_region_start(layer->region, layer->words[i]) &
		layer->position_mask;
}

/* The code of the smallest threshold that bumps this position. */
static inline unsigned
smallest_code_above(const RibbonBuckets *buckets, unsigned position)
{
	unsigned code = 1;

	while (position >= buckets->threshold[code])
		code++;
	return code;
}

static void
free_saved(const Layer *layer, Saved *saved)
{
	ribbon_free(layer->env, saved->coeff);
	ribbon_free(layer->env, saved->result);
}

/* Save the slots that a tail's keys can end in; free_saved in any case. */
static RibbonStatus
save_slots(const Layer *layer, const Stretch *stretch, size_t row_bytes,
		   Saved *saved)
{
	saved->begin = stretch->tail_bucket << layer->buckets->log2_size;
	saved->nslots = (size_t) (stretch->slot_limit - saved->begin);
	saved->coeff = ribbon_alloc(layer->env, saved->nslots * row_bytes);
	saved->result = ribbon_alloc(layer->env, saved->nslots * sizeof(uint32_t));
	if (saved->coeff == NULL || saved->result == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memcpy(saved->coeff,
		   (uint8_t *) layer->band->coeff + saved->begin * row_bytes,
		   saved->nslots * row_bytes);
	memcpy(saved->result, layer->band->result + saved->begin,
		   saved->nslots * sizeof(uint32_t));
	return RIBBON_OK;
}

#define RIBBON_BITS 32
#include "layer_template.h"
#define RIBBON_BITS 64
#include "layer_template.h"
#define RIBBON_BITS 128
#include "layer_template.h"

/* The index of the first of the sorted words that is in bucket or behind it. */
static size_t
first_word_of(const Layer *layer, size_t nwords, uint64_t bucket)
{
	size_t low = 0;
	size_t high = nwords;

	while (low < high)
	{
		size_t middle = low + (high - low) / 2;

		if (bucket_of(layer, middle) < bucket)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Cut the words into stretches; returns how many. */
static unsigned
cut_stretches(const Layer *layer, size_t nwords, Stretch *stretches)
{
	unsigned log2_size = layer->buckets->log2_size;
	uint64_t nbuckets = ((layer->region->nstarts - 1) >> log2_size) + 1;
	uint64_t ntail = (layer->region->width >> log2_size) + 2;
	unsigned n = layer->region->nslots < RIBBON_STRETCHED_SLOTS ? 1 : LANES;

	for (unsigned i = 0; i < n; i++)
	{
		Stretch *stretch = &stretches[i];
		bool last = i + 1 == n;

		stretch->end_bucket = nbuckets * (i + 1) / n;
		stretch->tail_bucket = stretch->end_bucket -
			ribbon_min64(ntail, nbuckets);
		stretch->body = i == 0 ? 0 : stretches[i - 1].end;
		stretch->tail = first_word_of(layer, nwords, stretch->tail_bucket);
		stretch->end = first_word_of(layer, nwords, stretch->end_bucket);
		stretch->slot_limit = last ?
			layer->region->nslots :
			(stretch->end_bucket << log2_size) + layer->region->width;
		if (!last)
			set_code(layer, stretch->end_bucket, UPPER_CODE);
	}
	return n;
}

static RibbonStatus
fill(const Layer *layer, size_t nwords)
{
	Stretch stretches[LANES];
	unsigned nstretches = cut_stretches(layer, nwords, stretches);
	Insertion *latest =
		ribbon_alloc(layer->env, LANES * layer->max_latest * sizeof(Insertion));
	RibbonStatus status;

	if (latest == NULL)
		return RIBBON_OUT_OF_MEMORY;
	switch (layer->region->width)
	{
		case 32:
			status = layer32_fill(layer, stretches, nstretches, latest);
			break;
		case 64:
			status = layer64_fill(layer, stretches, nstretches, latest);
			break;
		default:
			status = layer128_fill(layer, stretches, nstretches, latest);
			break;
	}
	ribbon_free(layer->env, latest);
	return status;
}

/*
 * Copy the words that the thresholds bump; *nbumped is max_bumped + 1 if there
 * is no room for all.
 */
static RibbonStatus
collect_bumped(const Layer *layer, size_t nwords, uint64_t *bumped,
			   size_t max_bumped, size_t *nbumped)
{
	RibbonRegion region = *layer->region;
	size_t n = 0;

	region.thresholds = layer->thresholds;
	for (size_t i = 0; i < nwords && n <= max_bumped; i++)
	{
		uint64_t word = layer->words[i];

		if (ribbon_layer_bumps(&region, layer->buckets,
							   ribbon_region_start(&region, word)))
		{
			if (n < max_bumped)
				bumped[n] = word;
			n++;
		}
		if (ribbon_looks_now(i) && ribbon_interrupted(layer->env))
			return RIBBON_INTERRUPTED;
	}
	*nbumped = n;
	return RIBBON_OK;
}

RibbonStatus
ribbon_layer_build(const RibbonEnv *env, const RibbonRegion *region,
				   const RibbonBuckets *buckets, const uint64_t *words,
				   size_t nwords, uint64_t *bumped, size_t max_bumped,
				   uint8_t *thresholds, uint8_t *slots, size_t *nbumped)
{
	RibbonBand band;
	Layer layer = {env, &band, region, buckets, words, thresholds, 0, 0, 0};
	RibbonStatus status;

	layer.position_mask = (UINT64_C(1) << buckets->log2_size) - 1;
	layer.result_mask = (uint32_t) ribbon_low_mask(region->columns +
												   (region->wide > 0));
	/* a bucket's keys end in slots from its first to w - 1 after its last */
	layer.max_latest = ((size_t) 1 << buckets->log2_size) + region->width;

	status = ribbon_band_create(env, &band, region->nslots, region->width / 8,
								true);
	if (status != RIBBON_OK)
		return status;
	status = fill(&layer, nwords);
	if (status == RIBBON_OK)
		status = collect_bumped(&layer, nwords, bumped, max_bumped, nbumped);
	if (status == RIBBON_OK && *nbumped <= max_bumped)
		status = ribbon_backsubst(env, &band, region, RIBBON_FREE_ZERO, slots);
	ribbon_band_free(env, &band);
	return status;
}
