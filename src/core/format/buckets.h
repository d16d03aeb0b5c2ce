/*
 * buckets.h - the buckets of a bumped layer, and their thresholds
 *
 * A layer's starting positions are cut into buckets of b.  Two bits per bucket
 * name one of four thresholds, and the keys that start in the bucket below it
 * are bumped, to the next layer [BuRR 7.1].  A bucket scheme is a size and its
 * four thresholds; schemes are part of the format (docs/format.md, section 4),
 * how a builder chooses among them is not (build/params.h).
 */
#ifndef RIBBON_BUCKETS_H
#define RIBBON_BUCKETS_H

#include "format/system.h"

/* The schemes of a ribbon width are numbered 0 .. nschemes - 1. */
extern unsigned ribbon_buckets_nschemes(int width);
extern RibbonBuckets ribbon_buckets_of_scheme(int width, unsigned scheme);

/* The two bits of a bucket. */
static inline unsigned
ribbon_buckets_code(const uint8_t *thresholds, uint64_t bucket)
{
	return thresholds[bucket / 4] >> 2 * (bucket % 4) & 3;
}

/* Starting positions of a bucket below the limit are bumped. */
static inline uint64_t
ribbon_buckets_limit(const uint8_t *thresholds, const RibbonBuckets *buckets,
					 uint64_t bucket)
{
	unsigned code = ribbon_buckets_code(thresholds, bucket);

	return (bucket << buckets->log2_size) + buckets->threshold[code];
}

/* Is a key that starts here bumped?  The system must be a bumped layer's. */
static inline bool
ribbon_buckets_bump(const RibbonSystem *system, const RibbonBuckets *buckets,
					uint64_t start)
{
	return start < ribbon_buckets_limit(system->thresholds, buckets,
										start >> buckets->log2_size);
}

/* Buckets of a bumped layer. */
static inline uint64_t
ribbon_buckets_count(const RibbonSystem *system, const RibbonBuckets *buckets)
{
	return ((system->nstarts - 1) >> buckets->log2_size) + 1;
}

/* Bytes of thresholds: two bits per bucket. */
static inline uint64_t
ribbon_buckets_threshold_bytes(const RibbonSystem *system,
							   const RibbonBuckets *buckets)
{
	return (ribbon_buckets_count(system, buckets) + 3) / 4;
}

#endif /* RIBBON_BUCKETS_H */
