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

#include "base/env.h"
#include "format/system.h"
#include "solve/supply.h"

#define RIBBON_DENSE_SEEDS 8 /* tried at once, at most */
#define RIBBON_DENSE_WORDS 8 /* of a bit string, at most */
#define RIBBON_DENSE_SLOTS (64 * RIBBON_DENSE_WORDS - RIBBON_MAX_COLUMNS)

typedef struct RibbonDense
{
	const RibbonSystem *system;
	size_t n;		   /* equations */
	unsigned nwords;   /* of each: coefficients of all slots, and columns */
	void *memory;	   /* of what follows */
	uint64_t *words;   /* word by word, of all strings, under some seeds each */
	uint64_t *columns; /* result by result: nwords words of all slots */
} RibbonDense;

/*
 * Solve for elements, as many as there are equations, under the system's first
 * nseeds seeds.  Returns the first of them under which no equation contradicts
 * the others, or nseeds; with it, the columns are set, where slots that are no
 * pivot have the result 0.
 */
typedef unsigned RibbonDenseSolve(RibbonDense *dense, const uint64_t *elements,
								  const RibbonSupply *supply, unsigned nseeds);

/* The same by the kernel in use (solver.c). */
extern unsigned ribbon_dense_solve(RibbonDense *dense, const uint64_t *elements,
								   const RibbonSupply *supply, unsigned nseeds);

/*
 * Get memory for n equations of a system of at most RIBBON_DENSE_SLOTS slots,
 * whose rows have at least 64 bits, or one for each slot (a zone's do).
 * RIBBON_OUT_OF_MEMORY.  ribbon_dense_free is to be called after that, too.
 */
extern RibbonStatus ribbon_dense_create(const RibbonEnv *env,
										RibbonDense *dense,
										const RibbonSystem *system, size_t n);

static inline void
ribbon_dense_free(const RibbonEnv *env, RibbonDense *dense)
{
	ribbon_free(env, dense->memory);
}

/* Write the solution to slots, which are zero. */
extern void ribbon_dense_write(const RibbonDense *dense, uint8_t *slots);

#endif /* RIBBON_DENSE_H */
