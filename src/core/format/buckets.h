/*
 * buckets.h - the buckets of a bumped layer, and their thresholds
 *
 * The starting positions of a layer are cut into buckets of b.  Two bits per
 * bucket name one of four thresholds 0, lower, upper and b.  The keys of the
 * bucket whose position in it is below the threshold are bumped to the next
 * layer ("2-bit thresholds" [BuRR 7.1]).  A bucket scheme is b and its four
 * thresholds.  The schemes are part of the format (docs/format.md, section 4);
 * how a builder chooses among them is not (build/params.h).
 */
#ifndef RIBBON_BUCKETS_H
#define RIBBON_BUCKETS_H

#include "format/system.h"

/*
 * The schemes of a ribbon width (32, 64 or 128) are numbered from 0 on: how
 * many there are, and one of them.
 */
extern unsigned ribbon_buckets_nschemes(int width);
extern RibbonBuckets ribbon_buckets_of_scheme(int width, unsigned scheme);

/* The code of a bucket's threshold: 0 none, 1 lower, 2 upper, 3 all bumped. */
static inline unsigned
ribbon_buckets_code(const uint8_t *thresholds, uint64_t bucket)
{
	return thresholds[bucket / 4] >> 2 * (bucket % 4) & 3;
}

/* The least starting position of a bucket that is not bumped. */
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

/* The number of buckets of a bumped layer; the last one may be shorter. */
static inline uint64_t
ribbon_buckets_count(const RibbonSystem *system, const RibbonBuckets *buckets)
{
	return ((system->nstarts - 1) >> buckets->log2_size) + 1;
}

/* Bytes of a bumped layer's thresholds. */
static inline uint64_t
ribbon_buckets_threshold_bytes(const RibbonSystem *system,
							   const RibbonBuckets *buckets)
{
	return (ribbon_buckets_count(system, buckets) + 3) / 4;
}

#endif /* RIBBON_BUCKETS_H */
