/*
 * sweep_equation.h - an equation of a sweep, in words
 *
 * Included by the files that do steps in plain C or with vectors of bytes.
 */
#ifndef RIBBON_SWEEP_EQUATION_H
#define RIBBON_SWEEP_EQUATION_H

#include "solve/sweep_step.h"

#define SLOTS RIBBON_SWEEP_SLOTS

typedef struct Equation
{
	uint64_t low;
	uint64_t high;
	uint64_t extra;
} Equation;

/* The band's equation in slot c of the step, if there is one. */
static inline __attribute__((always_inline)) Equation
band_equation(const RibbonSweep *sweep, unsigned width, unsigned c)
{
	uint64_t slot = sweep->slot + c;
	uint64_t rest = 0;
	Equation e = {0, 0, 0};

	if (width == 32)
		e.low = (uint64_t) ((const uint32_t *) sweep->band->coeff)[slot] << c;
	else if (width == 64)
	{
		uint64_t row = ((const uint64_t *) sweep->band->coeff)[slot];

		e.low = row << c;
		rest = row >> 1 >> (63 - c);
	}
	else
	{
		RibbonRow128 row = ((const RibbonRow128 *) sweep->band->coeff)[slot];

		e.low = row.lo << c;
		e.high = row.hi << c | row.lo >> 1 >> (63 - c);
		rest = row.hi >> 1 >> (63 - c);
	}
	if (e.low != 0)
		e.extra = rest << 56 | ribbon_band_result(sweep->band, slot);
	return e;
}

#endif /* RIBBON_SWEEP_EQUATION_H */
