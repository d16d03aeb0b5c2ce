/*
 * backsubst.h - back substitution, from a band to ICML blocks
 *
 * From the last slot to the first, the equation in slot i gives result row Z[i]
 * from the w - 1 result rows behind it [RF 3].  A buffer has the newest w bits
 * of each column, the newest one in front [RF 5.2].  For each column:
 *
 *----------
 *	 buffer before slot i:	 Z[i+1] Z[i+2] ... Z[i+w]
 *	 shifted by one:		 0      Z[i+1] ... Z[i+w-1]
 *	 new front bit Z[i]:	 parity(buffer AND row i) XOR result i
 *----------
 *
 * When i is the first slot of a block, the buffers are the block's columns.
 */
#ifndef RIBBON_BACKSUBST_H
#define RIBBON_BACKSUBST_H

#include "solve/band.h"

/*
 * What to solve: slots begin .. end - 1 of a system, whose equations are in the
 * band.  Slots from end on have been solved before, by a task with the same
 * slots array.  begin and end are multiples of w, but end may be the system's
 * nslots.
 *
 * What the result row of an empty slot, a free variable, becomes, free_row says
 * of the next one: 0 of all, where any value is right; or in a homogeneous
 * system 1 of the first, which is a unit vector, as those after it are in turn.
 * So the rows of any r successive empty slots (in wide blocks: any r + 1) are
 * linearly independent.
 */
typedef struct RibbonBacksubst
{
	const RibbonBand *band;
	const RibbonSystem *system;
	uint64_t begin;
	uint64_t end;
	uint64_t free_row;
	uint8_t *slots; /* ribbon_icml_bytes(system) bytes, zeroed to begin with */
} RibbonBacksubst;

/*
 * Solve slots task->begin .. task->end - 1: write their result rows to
 * task->slots.  Errors: RIBBON_INTERRUPTED.
 */
typedef RibbonStatus RibbonSolveLoop(const RibbonEnv *env,
									 RibbonBacksubst *task);

/* The same by the kernel in use (solver.c). */
extern RibbonStatus ribbon_backsubst(const RibbonEnv *env,
									 RibbonBacksubst *task);

/*
 * An empty slot's row after this one: one of the r unit vectors after the
 * other, and the column that only wide blocks have set in every other round; or
 * zero.
 */
static inline uint64_t
ribbon_backsubst_next_row(uint64_t row, unsigned ncolumns)
{
	uint64_t last_column = UINT64_C(1) << ncolumns;
	uint64_t unit = row & (last_column - 1);

	if (row == 0)
		return 0;
	return unit == last_column >> 1 ? 1 | (~row & last_column) : row + unit;
}

#endif /* RIBBON_BACKSUBST_H */
