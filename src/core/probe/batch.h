/*
 * batch.h - look up many hashes in a plane: batches, and the layers they see
 *
 * A kernel finds the places of some hashes of a batch and begins to load them,
 * before it reads those of the hashes before.  That hides the latency of
 * memory, which is most of the time of a probe in a filter larger than the
 * caches.
 */
#ifndef RIBBON_BATCH_H
#define RIBBON_BATCH_H

#include "probe/opened.h"

#define RIBBON_BATCH 1024 /* hashes that go through the layers together */
#define RIBBON_AHEAD 16	  /* are read while as many others are loaded */
#define RIBBON_LANES 8	  /* at most so many are computed with at once */

/* Bytes of the ends of a layer's systems; and those that are read behind. */
#define RIBBON_ENDS_BYTES  8192
#define RIBBON_ENDS_BEHIND 896

/*
 * One layer, as batches see it: a system, or the zones of the last layer.
 *
 * Starts from RibbonSystem.whole on, its end, cannot be probed as others are:
 * the last block may be short, and what is read behind it is not the plane's.
 * There are two ways to probe them.
 *
 * The end's blocks are copied to where there is room behind them, each column
 * of the last one as a full one.  Then the slots are as if they began at end.
 *
 * If few hashes come to the end, or the plane is a column, the batch lists
 * them, to be found one by one.  What they read in the batch is of no use.
 */
struct RibbonStage
{
	const RibbonSystem *systems;
	unsigned nsystems;
	bool is_last;	 /* are they the zones of the last layer? */
	bool in_steps;	 /* eight columns first, then the others? */
	bool lists_ends; /* is nothing copied? */

	/* of each system, for vectors, which gather them */
	uint64_t range[2 * RIBBON_MAX_ZONES];
	uint64_t smash[2 * RIBBON_MAX_ZONES];
	uint64_t whole[2 * RIBBON_MAX_ZONES];
	uint64_t factor[2 * RIBBON_MAX_ZONES];
	uint64_t slots[2 * RIBBON_MAX_ZONES]; /* addresses */
	uint64_t end[2 * RIBBON_MAX_ZONES];

	uint8_t ends[RIBBON_ENDS_BYTES + RIBBON_ENDS_BEHIND];
};

/* Hashes that have come to a layer. */
struct RibbonBatch
{
	/* in: */
	const uint64_t *hashes;
	unsigned nhashes; /* 1 .. RIBBON_BATCH */

	/* Out: numbers of the hashes that are bumped, or at a listed end. */
	unsigned nbumped;
	unsigned nends;
	uint16_t bumped[RIBBON_BATCH + RIBBON_LANES]; /* vectors write more */
	uint16_t ends[RIBBON_BATCH + RIBBON_LANES];

	/* out, for each of the others: */
	bool *found;	   /* is it in the set? */
	uint64_t *results; /* result bits; if there are value bits, these */

	_Alignas(64) uint64_t prints[RIBBON_BATCH]; /* fingerprints */
};

/* What a kernel knows of some hashes of a batch until it has read them. */
typedef struct RibbonPlaces
{
	unsigned first; /* number of the first one in the batch */
	unsigned n;		/* less than 2 * RIBBON_AHEAD */

	_Alignas(64) uint64_t lows[2 * RIBBON_AHEAD]; /* address of a block, */
	uint64_t highs[2 * RIBBON_AHEAD];			  /* and of the second one */
	uint64_t heads[2 * RIBBON_AHEAD]; /* row, or its bits in the first block */
	uint64_t tails[2 * RIBBON_AHEAD]; /* start, or the bits in the second one */
	uint64_t seconds[2 * RIBBON_AHEAD]; /* if w is 128: the row's other half */
} RibbonPlaces;

/*
 * Set stage to layer number layer, 0 .. nlayers, for batches of nhashes in all,
 * if it can be probed so.  False: there is no room for its ends, its starts
 * take more than 32 bits, or it is a column without a start from which words
 * can be read.
 */
extern bool ribbon_stage_set(RibbonStage *stage, const RibbonOpened *opened,
							 unsigned layer, unsigned nhashes, bool in_steps);

/*
 * Look up n hashes in a prepared plane, as batches if that is faster.  Sets
 * answers[i] to whether hashes[i] is in it; and codes[i], if it is, to the
 * value bits.  codes may be NULL.
 */
extern void ribbon_batches_find(const RibbonOpened *opened,
								const uint64_t *hashes, size_t n, bool *answers,
								uint64_t *codes);

#endif /* RIBBON_BATCH_H */
