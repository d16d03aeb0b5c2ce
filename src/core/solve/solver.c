/*
 * solver.c - the inner loops that solve, by kernel, and two that are called
 */
#include "solve/solver.h"

const RibbonSolver *
ribbon_solver(void)
{
	static const RibbonSolver *const solvers[RIBBON_NKERNELS] =
	{ [RIBBON_KERNEL_PORTABLE] = &ribbon_solver_portable,
#if defined(__x86_64__)
	  [RIBBON_KERNEL_POPCNT] = &ribbon_solver_portable,
	  [RIBBON_KERNEL_AVX2] = &ribbon_solver_vector,
	  [RIBBON_KERNEL_AVX512] = &ribbon_solver_avx512,
#elif defined(RIBBON_NEON)
	  [RIBBON_KERNEL_NEON] = &ribbon_solver_vector,
#endif
	};

	return solvers[ribbon_kernel()];
}

RibbonStatus
ribbon_backsubst(const RibbonEnv *env, RibbonBacksubst *task)
{
	return ribbon_solver()
		->backsubst[ribbon_width_index(task->system->width)](env, task);
}

unsigned
ribbon_dense_solve(RibbonDense *dense, const uint64_t *elements,
				   const RibbonSupply *supply, unsigned nseeds)
{
	return ribbon_solver()->dense(dense, elements, supply, nseeds);
}
