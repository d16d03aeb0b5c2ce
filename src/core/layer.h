/*
 * layer.h - one overloaded layer of BuRR, and the keys it bumps
 *
 * A layer has fewer slots than keys (m = 0.94 n, say), so that hardly any slot
 * stays empty, and gets rid of the surplus by bumping [BuRR 3.2, 7.1].
 * Starting positions are cut into buckets of b.  Buckets are filled from left
 * to right, the keys of a bucket from right to left:
 *
 *----------
 *	 bucket k	 |<- bumped ->|<----------- kept ------------>|
 *	 position	 0            t                              b - 1
 *	                          ^ <-- insertion goes this way
 *----------
 *
 * When a key does not fit, its position and all those left of it are given up:
 * the smallest threshold t above it that two bits can name is stored, and the
 * keys below t that were already in are rolled back.  Filling a bucket
 * backwards shows how far it can be filled, and leaves the unfilled end next
 * to the previous bucket's overflow.  Bumped keys are the next layer's input.
 */
#ifndef RIBBON_LAYER_H
#define RIBBON_LAYER_H

#include "alloc.h"
#include "region.h"

/* Layers from this size on are filled in several stretches at once. */
#define RIBBON_STRETCHED_SLOTS 131072

/* Is a key that starts here bumped?  The region must be a bumped layer's. */
static inline bool
ribbon_layer_bumps(const RibbonRegion *region, const RibbonBuckets *buckets,
				   uint64_t start)
{
	uint64_t bucket = start >> buckets->log2_size;
	unsigned position = (unsigned) (start & ((1u << buckets->log2_size) - 1));
	unsigned code = region->thresholds[bucket / 4] >> 2 * (bucket % 4) & 3;

	return position < buckets->threshold[code];
}

/* Bytes of thresholds: two bits per bucket. */
static inline uint64_t
ribbon_layer_threshold_bytes(const RibbonRegion *region,
							 const RibbonBuckets *buckets)
{
	uint64_t nbuckets = ((region->nstarts - 1) >> buckets->log2_size) + 1;

	return (nbuckets + 3) / 4;
}

/*
 * Fill a layer with the sorted, distinct words[0..nwords).  The words of the
 * bumped keys are written to bumped, still sorted, and counted in *nbumped.
 * bumped may be words itself (which is then overwritten from the front).
 *
 * bumped has room for max_bumped words.  If more are bumped, the work stops
 * with *nbumped > max_bumped, and slots and thresholds are not to be used.
 *
 * thresholds and slots point to zeroed memory of the sizes that
 * ribbon_layer_threshold_bytes and ribbon_icml_bytes tell.
 *
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_layer_build(const RibbonEnv *env,
									   const RibbonRegion *region,
									   const RibbonBuckets *buckets,
									   const uint64_t *words, size_t nwords,
									   uint64_t *bumped, size_t max_bumped,
									   uint8_t *thresholds, uint8_t *slots,
									   size_t *nbumped);

#endif /* RIBBON_LAYER_H */
