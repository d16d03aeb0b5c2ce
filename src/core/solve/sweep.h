/*
 * sweep.h - banding a bucket of keys at once, eight slots at a time
 *
 * Insertion (band.h) takes one equation from slot to slot, and each step
 * depends on the previous one, so the CPU waits.  A sweep brings all equations
 * of a bucket into the band together.  It goes through the slots from left to
 * right with the active equations, which have begun and are not stored yet:
 *
 *----------
 *	               these 8 slots
 *	 highest       . . . . . 1 x x x x x x     begins here
 *	    ^          . . 1 x x x x x x x x .     begins here
 *	 priority      0 1 1 0 1 0 1 1 x x x .     active since earlier slots
 *	    v          1 1 0 0 0 1 0 1 x x . .
 *	 lowest        0 0 1 0 1 1 1 0 x . . .
 *
 *	 The first equation with a 1 in a slot is stored there, as the pivot of the
 *	 slot, and added to all equations below it that have a 1 in that slot.
 *----------
 *
 * Which row is added to which depends only on these 8 coefficients, one byte,
 * of each equation.  So a step first finds that out, for 64 equations at once:
 * the coefficients of slot j are a mask of 64 bits, one of each equation.  Then
 * it adds whole rows, and none of these additions depends on another one: for
 * each slot j, the row stored there is added to the equations of mask j.
 *
 * Bumping [BuRR 1.1, 7] gives the same result as with insertion, by priority.
 * The bucket's keys have the priority of their order in insertion, from right
 * to left; equations that were in the band before are above them all.  An
 * equation is changed only by equations of higher priority, so it becomes zero
 * if and only if it depends on those, as in insertion.  If it contradicts them,
 * the key does not fit: a threshold above its position is chosen, and all keys
 * below that threshold are bumped.  They have the lowest priorities, so they
 * have changed nothing that stays; those already stored are removed
 * (ribbon_sweep_roll_back).
 *
 * Which file does what:
 *
 *----------
 *	 bucket by bucket, roll-back		sweep.c
 *	 from hashes to equations			sweep.c, sweep_template.h
 *	 the state of a sweep				sweep_step.h
 *	 which rows are added to which		eliminate.h, for all kernels
 *	 a step: in plain C					solver_portable.c, row by row
 *			 with vectors				sweep_vector_part.h, by bytes of all
 *										rows, which sweep_tracks.h has in
 *										stripes
 *	 the table of kernels				solver.h, solver_*.c
 *----------
 */
#ifndef RIBBON_SWEEP_H
#define RIBBON_SWEEP_H

#include "solve/supply.h"
#include "solve/sweep_step.h"

/*
 * Begin a sweep, whose band, buckets and slot_limit are set, with the keys of a
 * bucket: those of n elements (supply.h), one at least and sorted by hash, that
 * start in the same bucket as the first of them.  Buckets are counted from the
 * band's first slot on, and are of 8 slots at least.  Returns the number of
 * these keys.  If they are more than RIBBON_SWEEP_KEYS, it returns
 * RIBBON_SWEEP_KEYS + 1, and no sweep has begun: keys were chosen for that.
 */
extern size_t ribbon_sweep_begin(RibbonSweep *sweep, const RibbonSystem *system,
								 const RibbonSupply *supply,
								 const uint64_t *elements, size_t n);

/*
 * Buckets of the largest size, for a system in which no key is bumped.  Where a
 * key does not fit, sweep->code becomes other than 0, and stands for the
 * threshold that bumps the whole bucket.
 */
extern const RibbonBuckets ribbon_sweep_buckets;

/* Do a step, the next eight slots; false if the sweep has ended. */
static inline bool
ribbon_sweep_advance(RibbonSweep *sweep)
{
	return sweep->advance(sweep);
}

/*
 * After the end of a sweep: remove the equations of keys that sweep->code, the
 * code of the chosen threshold, bumps.
 */
extern void ribbon_sweep_roll_back(const RibbonSweep *sweep);

#endif /* RIBBON_SWEEP_H */
