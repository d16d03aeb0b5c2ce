/*
 * sweep_step.h - the steps of a sweep, for each instruction set
 */
#ifndef RIBBON_SWEEP_STEP_H
#define RIBBON_SWEEP_STEP_H

#include "sweep.h"

extern void ribbon_sweep32_step(RibbonSweep *sweep);
extern void ribbon_sweep64_step(RibbonSweep *sweep);
extern void ribbon_sweep128_step(RibbonSweep *sweep);

#if defined(__x86_64__)
extern void ribbon_sweep32_step_avx512(RibbonSweep *sweep);
extern void ribbon_sweep64_step_avx512(RibbonSweep *sweep);
extern void ribbon_sweep128_step_avx512(RibbonSweep *sweep);
#endif

/* Slot c of the step gets an equation whose bit 0 is the step's first slot. */
static inline __attribute__((always_inline)) void
ribbon_sweep_store(RibbonSweep *sweep, unsigned width, unsigned c, uint64_t low,
				   uint64_t high, uint64_t extra, unsigned position)
{
	uint64_t slot = sweep->slot + c;
	uint64_t rest = extra >> 56;

	switch (width)
	{
		case 32:
			((uint32_t *) sweep->band->coeff)[slot] = (uint32_t) (low >> c);
			break;
		case 64:
			((uint64_t *) sweep->band->coeff)[slot] = low >> c |
				rest << 1 << (63 - c);
			break;
		default:
			((RibbonRow128 *) sweep->band->coeff)[slot].lo = low >> c |
				high << 1 << (63 - c);
			((RibbonRow128 *) sweep->band->coeff)[slot].hi = high >> c |
				rest << 1 << (63 - c);
			break;
	}
	ribbon_band_set_result(sweep->band, slot, (uint32_t) extra);
	sweep->pivots[sweep->npivots].slot = slot;
	sweep->pivots[sweep->npivots++].position = position;
}

#endif /* RIBBON_SWEEP_STEP_H */
