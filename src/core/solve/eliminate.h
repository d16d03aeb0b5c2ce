/*
 * eliminate.h - which rows a step of a sweep adds to its equations, on masks
 *
 * A mask has one bit for each of the 64 equations of a batch.  The coefficients
 * of these in the eight slots of the step are eight masks, one of each slot.
 */
#ifndef RIBBON_ELIMINATE_H
#define RIBBON_ELIMINATE_H

#include "solve/sweep_step.h"

/*
 * Eliminate in the eight slots.  At first, bit i of masks[c] is the coefficient
 * of equation i in slot c; in the end it says whether row c is to be added to
 * equation i.  pivots[c] is set to the bit of the equation that is stored in
 * slot c, or to 0 if none is.  Row c is that equation as it was before the
 * step, or if reduced, which is a constant, with its own rows added; or, if bit
 * c of filled is set, the row that the band has in slot c, whose coefficients
 * in the eight slots are byte c of patterns.
 *
 * Each round waits for the one before, so it is made of what takes one cycle:
 * the lowest bit, a test, a conditional move.  With loops unrolled and arrays
 * in registers that is less than the rounds take with vectors, whose words must
 * be moved across.
 */
static inline __attribute__((always_inline)) void
ribbon_eliminate(uint64_t *masks, unsigned filled, uint64_t patterns,
				 bool reduced, uint64_t *pivots)
{
	RIBBON_UNROLL_8
	for (unsigned c = 0; c < RIBBON_SWEEP_SLOTS; c++)
	{
		bool old = filled >> c & 1;
		uint64_t pattern = old ? patterns >> 8 * c : 0;
		uint64_t ones = masks[c];
		uint64_t pivot = old ? 0 : ones & -ones;
		uint64_t rest = ones ^ pivot;
		unsigned before = reduced ? 0 : c;

		/*
		 * if row c is not reduced by rows j < c, an equation that gets row c
		 * gets these rows, too
		 */
		RIBBON_UNROLL_8
		for (unsigned j = 0; j < before; j++)
		{
			uint64_t sum = masks[j] ^ rest;

			masks[j] = (masks[j] & pivot) != 0 ? sum : masks[j];
		}
		masks[c] = rest;
		RIBBON_UNROLL_8
		for (unsigned j = c + 1; j < RIBBON_SWEEP_SLOTS; j++)
		{
			uint64_t sum = masks[j] ^ ones;
			bool has = (masks[j] & pivot) != 0 || (pattern >> j & 1) != 0;

			masks[j] = has ? sum : masks[j];
		}
		pivots[c] = pivot;
	}
}

#endif /* RIBBON_ELIMINATE_H */
