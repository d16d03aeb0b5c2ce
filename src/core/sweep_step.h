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

#endif /* RIBBON_SWEEP_STEP_H */
