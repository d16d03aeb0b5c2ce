/*
 * sweep.h - banding a bucket of keys, eight slots at a time
 *
 * Insertion (band.h) takes one equation through the band, slot after slot, and
 * every step waits for the one before.  A sweep brings in all equations of a
 * bucket at once.  It goes through the slots from left to right with the
 * equations that have begun and not yet found a slot, the active ones:
 *
 *----------
 *	               these 8 slots
 *	 highest       . . . . . 1 x x x x x x     begins here
 *	    ^          . . 1 x x x x x x x x .     begins here
 *	 priority      0 1 1 0 1 0 1 1 x x x .     active since earlier slots
 *	    v          1 1 0 0 0 1 0 1 x x . .
 *	 lowest        0 0 1 0 1 1 1 0 x . . .
 *
 *	 The first equation with a 1 in a column is stored in that slot, its pivot,
 *	 and added to all others below it that have a 1 there.
 *----------
 *
 * What to add to which is a matter of the 8 columns alone, of one byte per
 * equation.  So a step first solves for that, on 64 equations at once, each
 * column a 64-bit mask of them, and only then adds up whole rows, which do not
 * depend on one another any more: for each column j, row p(j) is added to the
 * equations of mask j.
 *
 * The priority is that of insertion: of a bucket's keys from right to left,
 * all behind what the band held before.  An equation is only ever changed by
 * equations of higher priority, so one becomes zero if and only if it
 * depends on those, as in insertion.  And when it contradicts them, it and all
 * below it can be given up as if they had never been there, together with
 * those above whose position the threshold bumps as well: nothing that
 * stays was changed by them.
 */
#ifndef RIBBON_SWEEP_H
#define RIBBON_SWEEP_H

#include "solve/band.h"

#define RIBBON_SWEEP_SLOTS 8	/* of one step */
#define RIBBON_SWEEP_KEYS  1024 /* that one sweep can take */
#define RIBBON_SWEEP_BLOCK 64	/* equations that are solved for together */

/*
 * Slots that a sweep can fill, and eight more: rows that begin in 512 slots and
 * have at most 128 bits span no more.
 */
#define RIBBON_SWEEP_MAX_SLOTS (512 + 128 + RIBBON_SWEEP_SLOTS)

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
typedef struct RibbonSweep
{
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
} RibbonSweep;

#define RIBBON_SWEEP_EXTRA_BITS (UINT64_C(0xFF) << 56)
#define RIBBON_SWEEP_NONE		UINT16_MAX

/*
 * Begin a sweep with those of the sorted hashes[0..nhashes) that start in slots
 * first_slot .. first_slot + nslots - 1 of the band, both multiples of 8; none
 * starts before.  Returns how many these are, which may be none; if they are more than
 * RIBBON_SWEEP_KEYS, RIBBON_SWEEP_KEYS + 1, and the sweep has not begun.
 *
 * The system must not have short rows (m >= w).  buckets may be NULL if
 * the band has no results, for then every key fits.
 */
extern size_t ribbon_sweep_begin(RibbonSweep *sweep, const RibbonBand *band,
								 const RibbonSystem *system,
								 const RibbonBuckets *buckets,
								 const uint64_t *hashes, size_t nhashes,
								 uint64_t first_slot, unsigned nslots,
								 uint64_t slot_limit);

/*
 * The same with the rows that source holds in slots from - 1 down to to, turned
 * on their heads: last bits first, so that the sweep finds where they end.  The
 * row of slot s begins at first_slot + from - s; first_slot is a multiple of 8.
 * The band's width is source's.
 */
extern void ribbon_sweep_begin_mirrored(RibbonSweep *sweep,
										const RibbonBand *band,
										const RibbonBand *source, uint64_t from,
										uint64_t to, uint64_t first_slot);

/* Do the next eight slots; false when the sweep has come to its end. */
extern bool ribbon_sweep_advance(RibbonSweep *sweep);

/*
 * Take some sweeps from bucket to bucket, a step of each in turn: steps of one
 * sweep depend on one another, those of different ones keep the CPU busy.
 * next(arg, i) is called at the beginning, and whenever sweep i has come to its
 * end; it begins the sweep of its next bucket, or returns false if there
 * is none.  RIBBON_INTERRUPTED.
 */
typedef bool (*RibbonSweepNext)(void *arg, unsigned i);

#define RIBBON_SWEEP_LANES 4 /* at once, at most: more would not help */

extern RibbonStatus ribbon_sweep_run(const RibbonEnv *env, RibbonSweep *sweeps,
									 unsigned nsweeps, RibbonSweepNext next,
									 void *arg);

/* A key at this position does not fit: find the threshold that bumps it. */
extern void ribbon_sweep_fail(RibbonSweep *sweep, unsigned position);

/* Take back the equations that the threshold bumps, after the end. */
extern void ribbon_sweep_roll_back(const RibbonSweep *sweep);

#endif /* RIBBON_SWEEP_H */
