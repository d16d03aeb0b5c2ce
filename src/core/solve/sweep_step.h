/*
 * sweep_step.h - the steps of a sweep, for each instruction set
 */
#ifndef RIBBON_SWEEP_STEP_H
#define RIBBON_SWEEP_STEP_H

#include "solve/sweep.h"

/*
 * Solve for n equations (at most RIBBON_SWEEP_BLOCK) from number begin on, in
 * the eight slots of the step.  Those that are left, eight slots further, move
 * up to number out; returns how many.  If one contradicts those above it,
 * ribbon_sweep_fail has been called, *failed is set, and those below it
 * are not counted.
 */
typedef size_t RibbonSweepBlock(RibbonSweep *sweep, size_t begin, size_t n,
								size_t out, bool *failed);

extern RibbonSweepBlock ribbon_sweep_block;
#if defined(__x86_64__)
extern RibbonSweepBlock ribbon_sweep_block_avx2;
extern RibbonSweepBlock ribbon_sweep_block_avx512;
#endif

#endif /* RIBBON_SWEEP_STEP_H */
