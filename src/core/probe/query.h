/*
 * query.h - is this key in the set?  What the kernels and query.c share
 *
 * A kernel probes one key, or a batch of them: their places are found first
 * and begin to be loaded, and by the time the last one is known the first one
 * is at hand.  That hides the memory's latency, which is most of the time of
 * a probe in a filter larger than the caches.
 */
#ifndef RIBBON_QUERY_H
#define RIBBON_QUERY_H

#include "format/icml.h"
#include "probe/probe.h"

#define RIBBON_BATCH 256 /* keys at a time */
#define RIBBON_AIMED 16	 /* that are found while as many others are loaded */

/* Hashes that have come to a system. */
typedef struct RibbonBatch
{
	const uint64_t *hashes;
	unsigned nhashes; /* at most RIBBON_BATCH */
	unsigned nbumped;
	unsigned nrest;
	bool *answers; /* to each hash: is it in the set? */

	/* But these hashes (0 .. nhashes - 1) the layer bumps, or leaves to others */
	uint16_t bumped[RIBBON_BATCH + 8];
	uint16_t rest[RIBBON_BATCH + 8];

	/* What a kernel knows of each hash. */
	uint64_t starts[RIBBON_BATCH];
	uint64_t lows[RIBBON_BATCH];
	uint64_t highs[RIBBON_BATCH];
	uint64_t rows[RIBBON_BATCH];
	uint8_t results[RIBBON_BATCH];
	uint8_t masks[RIBBON_BATCH];
	uint8_t bits[RIBBON_BATCH];
} RibbonBatch;

/* Do the slots from start on match?  As ribbon_probe_at. */
typedef bool (*RibbonProbeLoop)(const RibbonSystem *system, uint64_t hash,
								uint64_t start, uint32_t result);

/* Is the key of this first hash in the set? */
typedef bool (*RibbonContainsLoop)(const RibbonFilter *filter, uint64_t hash);

/* Answer a batch's hashes in one system, which has a whole. */
typedef void (*RibbonBatchLoop)(const RibbonFilter *filter,
								const RibbonSystem *system, RibbonBatch *batch);

/* What a probe need not look at in the systems of a filter. */
typedef enum RibbonShape
{
	RIBBON_EVEN, /* all blocks have the same number of columns, at most eight */
	RIBBON_FEW,	 /* they have at most eight columns */
	RIBBON_MANY, /* any number */
	RIBBON_MORE, /* likewise, more than sixteen in some */
	RIBBON_NSHAPES
} RibbonShape;

/* A kernel's probes of one ribbon width; [0] is BuRR, [1] homogeneous. */
typedef struct RibbonProbes
{
	RibbonProbeLoop system;
	RibbonContainsLoop bumped;				 /* from the second layer on */
	RibbonContainsLoop zone[RIBBON_NSHAPES]; /* the last layer alone */
	RibbonContainsLoop contains[2][RIBBON_NSHAPES];
	RibbonBatchLoop batch[2][RIBBON_NSHAPES];
} RibbonProbes;

/*
 * ribbon_layer_bumps in fewer steps: a word of codes is loaded, which
 * may include the first of the bytes behind the thresholds.
 */
static inline bool
ribbon_query_bumps(const RibbonFilter *filter, const RibbonSystem *layer,
				   uint64_t start)
{
	uint64_t bucket = start >> filter->buckets.log2_size;
	unsigned position = (unsigned) start & filter->bucket_mask;
	uint32_t codes = ribbon_load32(layer->thresholds + bucket / 16 * 4);
	unsigned code = codes >> ((unsigned) bucket * 2 & 31) & 3;

	return position < filter->buckets.threshold[code];
}

/*
 * ribbon_zone_of without a division or a branch.  (2048ths are below 2^11 and
 * zones at most 2^4, so that a quotient's error in 2^32nds stays below it.)
 */
static inline uint64_t
ribbon_query_zone(const RibbonFilter *filter, uint64_t hash)
{
	bool wide = hash >= filter->first_wide_zone;
	uint64_t step = wide ? filter->zone_step[1] : filter->zone_step[0];
	uint64_t base = wide ? filter->zone_base[1] : filter->zone_base[0];

	return (base + ribbon_hash_share(hash) * step) >> 32;
}

/* The hash of the first layer. */
static inline uint64_t
ribbon_query_first_hash(const RibbonFilter *filter, uint64_t hash)
{
	return filter->salted ? ribbon_mix(hash ^ filter->salt) : hash;
}

/* The answer for a hash that has got as far as this layer. */
extern bool ribbon_query_from(const RibbonFilter *filter, int first,
							  uint64_t hash);

/* Choose how to probe an opened filter: its contains and batch. */
extern void ribbon_query_prepare(RibbonFilter *filter);

#endif /* RIBBON_QUERY_H */
