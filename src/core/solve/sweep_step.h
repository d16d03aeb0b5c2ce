/*
 * sweep_step.h - a sweep on its way, and the step that is a kernel's
 *
 * sweep.h says what a sweep is.
 */
#ifndef RIBBON_SWEEP_STEP_H
#define RIBBON_SWEEP_STEP_H

#include "solve/band.h"

#define RIBBON_SWEEP_SLOTS 8	/* of one step */
#define RIBBON_SWEEP_KEYS  1024 /* that one sweep can take */
#define RIBBON_SWEEP_BLOCK 64	/* equations that are solved for together */

/*
 * Slots of the largest buckets; and slots that a sweep of one can fill, and
 * eight more: rows have at most 128 bits.
 */
#define RIBBON_SWEEP_BUCKET_SLOTS 512
#define RIBBON_SWEEP_MAX_SLOTS \
	(RIBBON_SWEEP_BUCKET_SLOTS + 128 + RIBBON_SWEEP_SLOTS)

typedef struct RibbonSweep RibbonSweep;

/*
 * A kernel's part of a step: solve for n equations (at most
 * RIBBON_SWEEP_BLOCK) from number begin on, in the eight slots of the step.
 * Those that are left, eight slots further, move up to number out; returns how
 * many.  If one contradicts those above it, ribbon_sweep_fail has been called,
 * *failed is set, and those below it are not counted.
 */
typedef size_t RibbonSweepBlock(RibbonSweep *sweep, size_t begin, size_t n,
								size_t out, bool *failed);

/*
 * One bucket on its way.  Equations are numbered in order of priority.  Those
 * that have not begun yet are [lowest, first), active ones [first, first +
 * nactive); first_of[i] is the first that is active in step i, and NONE if no
 * key begins there.
 *
 * Bit 0 of an active row is the first slot of the next step.  A row that begins
 * in mid-step may have up to 7 bits more than fit its w: they wait in
 * the uppermost byte of extra, above the result.
 */
struct RibbonSweep
{
	RibbonSweepBlock *block;
	const RibbonBand *band;
	const RibbonBuckets *buckets;
	uint64_t slot;		 /* first of the next step */
	uint64_t slot_limit; /* no equation may end there or behind */
	unsigned step;
	unsigned nsteps; /* steps in which keys may begin */
	size_t lowest;
	size_t first;
	size_t nactive;
	unsigned code; /* of the threshold; 0 while all keys fit */
	unsigned npivots;
	uint64_t low[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BLOCK];
	uint64_t high[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BLOCK]; /* w = 128 */
	uint64_t extra[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BLOCK];
	uint16_t position[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BLOCK];
	uint8_t pattern[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BLOCK]; /* low byte */
	uint16_t first_of[RIBBON_SWEEP_MAX_SLOTS / RIBBON_SWEEP_SLOTS];
	/* equations that found a slot, with the positions of their keys */
	uint64_t pivot_slot[RIBBON_SWEEP_MAX_SLOTS];
	uint32_t pivot_position[RIBBON_SWEEP_MAX_SLOTS];
};

#define RIBBON_SWEEP_EXTRA_BITS (UINT64_C(0xFF) << 56)
#define RIBBON_SWEEP_NONE		UINT16_MAX

/* A key at this position does not fit: find the threshold that bumps it. */
static inline void
ribbon_sweep_fail(RibbonSweep *sweep, unsigned position)
{
	while (sweep->buckets->threshold[sweep->code] <= position)
		sweep->code++;
}

/*
 * The step of a kernel (RibbonSweepBlock), for any width: what step_block, with
 * the width as a constant behind sweep, does.
 */
#define RIBBON_SWEEP_STEP(name) \
	size_t name(RibbonSweep *sweep, size_t begin, size_t n, size_t out, \
				bool *failed) \
	{ \
		switch (sweep->band->width) \
		{ \
			case 32: \
				return step_block(sweep, 32, begin, n, out, failed); \
			case 64: \
				return step_block(sweep, 64, begin, n, out, failed); \
			default: \
				return step_block(sweep, 128, begin, n, out, failed); \
		} \
	}

#endif /* RIBBON_SWEEP_STEP_H */
