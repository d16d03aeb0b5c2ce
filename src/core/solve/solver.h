/*
 * solver.h - the inner loops that solve, by kernel (base/kernel.h)
 */
#ifndef RIBBON_SOLVER_H
#define RIBBON_SOLVER_H

#include "solve/backsubst.h"
#include "solve/sweep_step.h"

/*
 * Solve slots run->begin .. run->end - 1: write their result rows to run->slots
 * (backsubst.h), with the kernel in use.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_backsubst(const RibbonEnv *env,
									 RibbonBacksubst *run);

/* The same with one kernel, for one ribbon width. */
typedef RibbonStatus (*RibbonSolveLoop)(const RibbonEnv *env,
										RibbonBacksubst *run);

typedef struct RibbonSolver
{
	RibbonSolveLoop backsubst[3];	/* by ribbon_width_index */
	RibbonSweepBlock *sweep;		/* for all widths */
	RibbonSweepRows *rows[3];		/* by ribbon_width_index */
	RibbonSweepAdvance *advance[3]; /* likewise; NULL: with sweep */
} RibbonSolver;

/* The loops of the kernel in use. */
extern const RibbonSolver *ribbon_solver(void);

/* The kernels' loops, and the steps of sweeps, which some of them share. */
extern const RibbonSolver ribbon_solver_portable;
extern RibbonSweepBlock ribbon_sweep_block;
extern const RibbonSolver ribbon_solver_vector; /* AVX2 or NEON */
#if defined(__x86_64__)
extern const RibbonSolver ribbon_solver_avx512;
extern RibbonSweepBlock ribbon_sweep_block_avx512;
#endif

#endif /* RIBBON_SOLVER_H */
