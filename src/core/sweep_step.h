/*
 * sweep_step.h - the steps of a sweep, for each instruction set
 */
#ifndef RIBBON_SWEEP_STEP_H
#define RIBBON_SWEEP_STEP_H

#include "sweep.h"

/* ribbon_sweep_advance for each width: */
extern bool ribbon_sweep32_advance(RibbonSweep *sweep);
extern bool ribbon_sweep64_advance(RibbonSweep *sweep);
extern bool ribbon_sweep128_advance(RibbonSweep *sweep);

#if defined(__x86_64__)
extern bool ribbon_sweep32_advance_avx2(RibbonSweep *sweep);
extern bool ribbon_sweep64_advance_avx2(RibbonSweep *sweep);
extern bool ribbon_sweep128_advance_avx2(RibbonSweep *sweep);
extern bool ribbon_sweep32_advance_avx512(RibbonSweep *sweep);
extern bool ribbon_sweep64_advance_avx512(RibbonSweep *sweep);
extern bool ribbon_sweep128_advance_avx512(RibbonSweep *sweep);
#endif

/*
 * Begin a step: let the keys that begin in its slots join the active ones, and
 * drop those that are bumped, the lowest ones.  Are there any to deal with?
 */
static inline bool
ribbon_sweep_join(RibbonSweep *sweep)
{
	if (sweep->step < sweep->nsteps &&
		sweep->first_of[sweep->step] != RIBBON_SWEEP_NONE)
	{
		sweep->nactive += sweep->first - sweep->first_of[sweep->step];
		sweep->first = sweep->first_of[sweep->step];
	}
	if (sweep->code > 0)
	{
		unsigned threshold = sweep->buckets->threshold[sweep->code];
		const uint16_t *position = sweep->position + sweep->first;

		while (sweep->nactive > 0 && position[sweep->nactive - 1] < threshold)
			sweep->nactive--;
	}
	if (RIBBON_UNLIKELY(sweep->slot >= sweep->slot_limit) && sweep->nactive > 0)
	{
		ribbon_sweep_fail(sweep, sweep->position[sweep->first]);
		sweep->nactive = 0;
	}
	return sweep->nactive > 0;
}

/* End a step; false if it was the last one. */
static inline bool
ribbon_sweep_move_on(RibbonSweep *sweep)
{
	sweep->step++;
	sweep->slot += RIBBON_SWEEP_SLOTS;
	return sweep->nactive > 0 || sweep->first > sweep->lowest;
}

#endif /* RIBBON_SWEEP_STEP_H */
