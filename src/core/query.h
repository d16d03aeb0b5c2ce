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

#include "icml.h"
#include "probe.h"

#define RIBBON_BATCH 256 /* keys at a time */
#define RIBBON_AIMED 16	 /* that are found while as many others are loaded */

/* Keys on their way through the layers.  They are numbered as in answers. */
typedef struct RibbonBatch
{
	uint64_t words[RIBBON_BATCH];		 /* of each key, in this layer */
	uint16_t *keys;						 /* those that reach this layer */
	uint16_t *bumped;					 /* those that it bumps, */
	uint16_t rest[RIBBON_BATCH];		 /* those near its ends: ask again */
	unsigned nkeys;						 /* and how many of them there are */
	unsigned nbumped;					 /* (batch) */
	unsigned nrest;						 /* (batch) */
	bool *answers;						 /* (all keys[]; batch) */
	uint64_t starts[RIBBON_BATCH];		 /* of keys[], inside the kernel */
	RibbonIcmlPair places[RIBBON_BATCH]; /* likewise */
	uint16_t lists[2][RIBBON_BATCH];	 /* keys and bumped, in turn */
} RibbonBatch;

/* Do the slots from start on match?  As ribbon_probe_at. */
typedef bool (*RibbonProbeLoop)(const RibbonRegion *region, uint64_t word,
								uint64_t start, uint32_t result);

/* Is the key of this first word in the set? */
typedef bool (*RibbonContainsLoop)(const RibbonFilter *filter, uint64_t word);

/*
 * Probe the keys of a batch in one region.  Answers are set for all of them;
 * those of bumped and rest are not to be used.  The region has a whole.
 */
typedef void (*RibbonBatchLoop)(const RibbonFilter *filter,
								const RibbonRegion *region, RibbonBatch *batch);

/*
 * A kernel's probes of one ribbon width.  The arrays go by kind, and by whether
 * a block may have more than eight columns.
 */
typedef struct RibbonProbes
{
	RibbonProbeLoop region;
	RibbonContainsLoop contains[2][2];
	RibbonBatchLoop batch[2][2];
} RibbonProbes;

/* The answer for a word that has got as far as this layer. */
extern bool ribbon_query_from(const RibbonFilter *filter, int first,
							  uint64_t word);

/* Choose how to probe an opened filter: its contains and batch. */
extern void ribbon_query_prepare(RibbonFilter *filter);

#endif /* RIBBON_QUERY_H */
