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

#include "solve/sweep_step.h"

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
 * Buckets of a system in which no key is bumped, as large as can be: code becomes other than 0 where
 * one does not fit, and then none of its bucket does.
 */
extern const RibbonBuckets ribbon_sweep_buckets;

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

/* Take back the equations that the threshold bumps, after the end. */
extern void ribbon_sweep_roll_back(const RibbonSweep *sweep);

#endif /* RIBBON_SWEEP_H */
