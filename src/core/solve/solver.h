/*
 * solver.h - the inner loops that solve, by kernel (base/kernel.h)
 */
#ifndef RIBBON_SOLVER_H
#define RIBBON_SOLVER_H

#include "solve/backsubst.h"
#include "solve/sweep_step.h"

/* Solve the slots.  RIBBON_INTERRUPTED. */
extern RibbonStatus ribbon_backsubst(const RibbonEnv *env,
									 RibbonBacksubst *run);

/* The same, of a kernel and for a ribbon width. */
typedef RibbonStatus (*RibbonSolveLoop)(const RibbonEnv *env,
										RibbonBacksubst *run);

typedef struct RibbonSolver
{
	RibbonSolveLoop backsubst[3]; /* by ribbon_width_index */
	RibbonSweepBlock *sweep;	  /* of any width */
} RibbonSolver;

/* The loops of the kernel in use. */
extern const RibbonSolver *ribbon_solver(void);

/* Those there are, and the steps of sweeps that they share. */
extern const RibbonSolver ribbon_solver_portable;
extern RibbonSweepBlock ribbon_sweep_block;
#if defined(__x86_64__)
extern const RibbonSolver ribbon_solver_popcnt;
extern const RibbonSolver ribbon_solver_avx2;
extern const RibbonSolver ribbon_solver_avx512;
extern RibbonSweepBlock ribbon_sweep_block_avx2;
extern RibbonSweepBlock ribbon_sweep_block_avx512;
#endif

#endif /* RIBBON_SOLVER_H */
