/*
 * buckets.h - the buckets of a bumped layer, and their thresholds
 *
 * The starting positions of a layer are cut into buckets of b.  Each bucket has
 * a threshold; the keys whose position in the bucket is below it are bumped to
 * the next layer.  A bucket scheme is b and the thresholds that there are.  The
 * schemes are part of the format (docs/format.md, section 4); how a builder
 * chooses among them is not (construct/shape.h).
 *
 * "2-bit thresholds" [BuRR 7.1]: two bits per bucket are a code, which names
 * one of four thresholds 0, lower, upper and b.
 *
 * "1+-bit thresholds" [BuRR 7.1], for w = 128 and few columns: buckets are in
 * groups of 64, which have a bit each, and a byte for all of them:
 *
 *----------
 *	 byte	 0			 1 ... 8
 *			 exception	 bit k % 64 of bucket k
 *----------
 *
 * Where the bit is 0, the threshold is 0.  Where it is 1, it is t; but of one
 * bucket in a few hundred, t is not enough.  If there is one in the group, the
 * byte says which, and that its threshold is the second, third or last one
 * above 0.  If there are several, all buckets of the group whose bit is 1 have
 * the same threshold, and the byte says which.  The paper puts the exceptions
 * into a hash table; here they are where the bits are, and a probe has no
 * branch for them.
 */
#ifndef RIBBON_BUCKETS_H
#define RIBBON_BUCKETS_H

#include "format/system.h"

#define RIBBON_GROUP_BUCKETS 64
#define RIBBON_GROUP_BYTES	 9 /* less for the last group, if it is short */

/*
 * The exception of a group: 0 .. 63 if all bits stand for the same threshold,
 * namely t (0) or these 64ths of a bucket, 63 for all of it; from 64 on the low
 * six bits are the number of a bucket in the group, and the other two name its
 * threshold.
 */
#define RIBBON_GROUP_ALL 63

/* Each ribbon width (32, 64, 128) has two schemes, 0 and 1. */
#define RIBBON_BUCKET_SCHEMES 2

/* The buckets of a layer, and their thresholds. */
typedef struct RibbonBuckets
{
	unsigned log2_size;	   /* b = 1 << log2_size starting positions */
	unsigned threshold[5]; /* positions below it are bumped: by code [0..3],
							* 0, lower, upper, b; of a grouped scheme [0..4],
							* 0, t, second, third, b */
	bool grouped;		   /* one bit per bucket, and a byte per group? */
} RibbonBuckets;

extern RibbonBuckets ribbon_buckets_of_scheme(unsigned width, unsigned scheme);

/* The threshold of a bucket of a grouped scheme; its only branch is rare. */
static inline __attribute__((always_inline)) unsigned
ribbon_grouped_threshold(const uint8_t *thresholds,
						 const RibbonBuckets *buckets, uint64_t bucket)
{
	const uint8_t *group = thresholds +
		bucket / RIBBON_GROUP_BUCKETS * RIBBON_GROUP_BYTES;
	unsigned k = (unsigned) (bucket % RIBBON_GROUP_BUCKETS);
	unsigned exception = *group;
	unsigned bit = group[1 + k / 8] >> k % 8 & 1;
	unsigned more = exception / RIBBON_GROUP_BUCKETS;
	unsigned threshold =
		buckets
			->threshold[exception % RIBBON_GROUP_BUCKETS == k ? 1 + more : 1];

	if (RIBBON_UNLIKELY(exception - 1 < RIBBON_GROUP_ALL))
		threshold = exception == RIBBON_GROUP_ALL ?
			1u << buckets->log2_size :
			exception << buckets->log2_size >> 6;
	return threshold & -bit;
}

/* The threshold of a bucket: positions in it below the result are bumped. */
static inline unsigned
ribbon_buckets_threshold(const uint8_t *thresholds,
						 const RibbonBuckets *buckets, uint64_t bucket)
{
	if (buckets->grouped)
		return ribbon_grouped_threshold(thresholds, buckets, bucket);
	return buckets->threshold[thresholds[bucket / 4] >> 2 * (bucket % 4) & 3];
}

/* The least starting position of a bucket whose keys are kept. */
static inline uint64_t
ribbon_buckets_limit(const uint8_t *thresholds, const RibbonBuckets *buckets,
					 uint64_t bucket)
{
	return (bucket << buckets->log2_size) +
		ribbon_buckets_threshold(thresholds, buckets, bucket);
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

/* A unit: the fewest buckets whose thresholds are whole bytes. */
static inline unsigned
ribbon_buckets_unit(const RibbonBuckets *buckets)
{
	return buckets->grouped ? RIBBON_GROUP_BUCKETS : 4;
}

/*
 * Bytes of the thresholds of nbuckets buckets; the first one begins a unit.
 */
static inline uint64_t
ribbon_buckets_bytes(const RibbonBuckets *buckets, uint64_t nbuckets)
{
	return buckets->grouped ?
		(nbuckets + RIBBON_GROUP_BUCKETS - 1) / RIBBON_GROUP_BUCKETS +
			(nbuckets + 7) / 8 :
		(nbuckets + 3) / 4;
}

/* Bytes of a bumped layer's thresholds. */
static inline uint64_t
ribbon_buckets_threshold_bytes(const RibbonSystem *system,
							   const RibbonBuckets *buckets)
{
	return ribbon_buckets_bytes(buckets, ribbon_buckets_count(system, buckets));
}

/*
 * Write the thresholds of buckets first .. end - 1 of a layer, from their
 * codes, a byte each (that of first is codes[0]).  first begins a unit, and end
 * ends one, or the layer.
 *
 * If several buckets of a group have codes above 1, one threshold is written
 * for all whose code is not 0, so it may bump more than the codes say.  The
 * caller may raise the code of the group's first bucket, and write the group
 * again.  If it raised it from 0 to 1, that bucket would get the threshold of
 * all, and bump keys that were kept.  So this function sets it to 1 at once.
 */
extern void ribbon_buckets_encode(const RibbonBuckets *buckets, uint8_t *codes,
								  uint64_t first, uint64_t end,
								  uint8_t *thresholds);

/* Are the bits behind the last threshold of a layer zero? */
extern bool ribbon_buckets_padded(const RibbonBuckets *buckets,
								  const uint8_t *thresholds, uint64_t nbuckets);

#endif /* RIBBON_BUCKETS_H */
