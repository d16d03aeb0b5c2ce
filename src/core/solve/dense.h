/*
 * dense.h - a system of few equations, solved as a matrix
 *
 * A zone of fewer keys than a row has bits is nearly square, and each equation
 * has a coefficient in half of the slots.  In a band (band.h) a new one gets
 * half of those before it added, one after the other, and each step waits for
 * the one before.  Here an equation is added to all that need it at once, as
 * soon as its pivot is known: the first slot in which it has a coefficient.
 *
 *----------
 *	 slots	   result
 *	 0 1 2 3   0 1		bit strings: coefficients, and the result behind them
 *	 . x x .   x .		pivot 1
 *	 x . x x   . x		pivot 0
 *	 . . x .   x x		has got the first one; pivot 2
 *----------
 *
 * The slots that get a pivot are those that a band would fill, and the solution
 * is the same.
 */
#ifndef RIBBON_DENSE_H
#define RIBBON_DENSE_H

#include "base/alloc.h"
#include "format/system.h"
#include "solve/supply.h"

/* Fewer equations than the widest row has bits; up to a whole cache line. */
#define RIBBON_DENSE_ROOM 128

typedef struct RibbonDense
{
	unsigned n;		 /* equations */
	unsigned nslots; /* coefficients of each */
	unsigned nwords; /* of a bit string */
	size_t stride;	 /* n, and strings of zeros, up to a whole cache line */
	void *memory;	 /* of words and rows, which begin cache lines */
	uint64_t *words; /* word by word, of all strings: stride each */
	uint64_t *rows;	 /* likewise: those that were not 0, and their pivots */
	unsigned nrows;
	uint16_t pivot[RIBBON_DENSE_ROOM];
	uint64_t results[RIBBON_DENSE_ROOM]; /* of these slots, in the end */
} RibbonDense;

/*
 * Eliminate, and if no equation contradicts the others set the results of all
 * pivots, where other slots have the result 0.  Returns whether that is so.
 */
typedef bool RibbonDenseEliminate(RibbonDense *dense);

/* The same with the kernel in use (solver.h). */
extern RibbonDenseEliminate ribbon_dense_eliminate;

/* The bits of row i behind the coefficients. */
static inline uint64_t
ribbon_dense_result(const RibbonDense *dense, unsigned i)
{
	unsigned w = dense->nslots / 64, bit = dense->nslots % 64;
	const uint64_t *word = dense->rows + w * dense->stride + i;
	uint64_t low = w < dense->nwords ? word[0] : 0;
	uint64_t high = w + 1 < dense->nwords ? word[dense->stride] : 0;

	return low >> bit | high << 1 << (63 - bit);
}

/*
 * Get memory for n equations of a system.  The caller frees its memory.
 * RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_dense_create(const RibbonEnv *env,
										RibbonDense *dense,
										const RibbonSystem *system, size_t n);

/*
 * Solve for elements, as many as there are equations, under the system's seed.
 * Do they not contradict one another?
 */
extern bool ribbon_dense_solve(RibbonDense *dense, const RibbonSystem *system,
							   const uint64_t *elements,
							   const RibbonSupply *supply);

/* Write the solution to slots, which are zero. */
extern void ribbon_dense_write(const RibbonDense *dense,
							   const RibbonSystem *system, uint8_t *slots);

#endif /* RIBBON_DENSE_H */
