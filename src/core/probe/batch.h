/*
 * batch.h - the hashes of a batch, and what is known of each of them
 *
 * A batch has come to one system.  A kernel first finds the places of all its
 * hashes and begins to load them.  When the last place is known, the bytes of
 * the first one have arrived.  That hides the latency of memory, which is most
 * of the time of a probe in a filter larger than the caches.
 */
#ifndef RIBBON_BATCH_H
#define RIBBON_BATCH_H

#include "format/plane.h"

#define RIBBON_BATCH 256 /* hashes at a time */
#define RIBBON_AHEAD 16	 /* that are found while as many others are loaded */

typedef struct RibbonBatch
{
	/* in: */
	const uint64_t *hashes;
	unsigned nhashes; /* 1 .. RIBBON_BATCH */

	/* out, for each hash: */
	bool *answers;	 /* is it in the set? */
	uint64_t *codes; /* of maps: its value bits, if so; of filters anything */

	/*
	 * Indexes, 0 .. nhashes - 1, of the hashes that the layer bumps; and of
	 * those near its ends, which are to be probed one by one.  (Vectors write
	 * eight at once.)
	 */
	unsigned nbumped;
	unsigned nrest;
	uint16_t bumped[RIBBON_BATCH + 8];
	uint16_t rest[RIBBON_BATCH + 8];

	/*
	 * What a kernel knows of each hash; all but the first for vectors only,
	 * each of which lies in one cache line.
	 */
	_Alignas(64) uint64_t starts[RIBBON_BATCH];
	uint64_t lows[RIBBON_BATCH]; /* bytes from the first slot to both blocks */
	uint64_t highs[RIBBON_BATCH];
	uint64_t rows[RIBBON_BATCH]; /* of coefficients */
} RibbonBatch;

#endif /* RIBBON_BATCH_H */
