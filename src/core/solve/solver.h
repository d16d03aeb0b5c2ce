/*
 * solver.h - the inner loops that solve, by kernel (base/kernel.h)
 */
#ifndef RIBBON_SOLVER_H
#define RIBBON_SOLVER_H

#include "base/kernel.h"
#include "solve/backsubst.h"
#include "solve/dense.h"
#include "solve/sweep_step.h"

/*
 * Solve slots task->begin .. task->end - 1: write their result rows to
 * task->slots.  Errors: RIBBON_INTERRUPTED.
 */
typedef RibbonStatus RibbonSolveLoop(const RibbonEnv *env,
									 RibbonBacksubst *task);

typedef struct RibbonSolver
{
	/* by ribbon_width_index, for that ribbon width */
	RibbonSolveLoop *backsubst[3];
	RibbonSweepMakeRows *rows[3];
	/* for all widths */
	RibbonSweepAdvance *advance;
	RibbonDenseSolve *dense;
} RibbonSolver;

/* The loops of the kernel in use; and two of them, called. */
extern const RibbonSolver *ribbon_solver(void);
extern RibbonSolveLoop ribbon_backsubst;
extern RibbonDenseSolve ribbon_dense_solve;

/* The kernels' loops, and back substitution, which some of them share. */
extern const RibbonSolver ribbon_solver_portable;
extern const RibbonSolver ribbon_solver_vector; /* AVX2 or NEON */
extern RibbonSolveLoop ribbon_vector32_backsubst, ribbon_vector64_backsubst,
	ribbon_vector128_backsubst;
#if defined(__x86_64__)
extern const RibbonSolver ribbon_solver_avx512;
#endif

#endif /* RIBBON_SOLVER_H */
