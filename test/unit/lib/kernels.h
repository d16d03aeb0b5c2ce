/*
 * kernels.h - a loop over the kernels that this machine can run, and which of
 * them solve alike
 */
#ifndef RIBBON_TEST_KERNELS_H
#define RIBBON_TEST_KERNELS_H

#include "base/kernel.h"
#include "solve/solver.h"

/* This kernel or the next one above that can run, else RIBBON_NKERNELS. */
static inline RibbonKernel
kernel_from(RibbonKernel kernel)
{
	while (kernel < RIBBON_NKERNELS && !ribbon_kernel_is_there(kernel))
		kernel = (RibbonKernel) (kernel + 1);
	return kernel;
}

#define FOR_EACH_KERNEL(k) \
	for (RibbonKernel k = RIBBON_KERNEL_PORTABLE; k < RIBBON_NKERNELS; \
		 k = kernel_from((RibbonKernel) (k + 1)))

/* Does the kernel in use solve as another one does that is below it? */
static inline bool
kernel_solves_as_below(void)
{
	RibbonKernel kernel = ribbon_kernel();
	const RibbonSolver *solver = ribbon_solver();
	bool same = false;

	FOR_EACH_KERNEL(k)
	{
		ribbon_kernel_use(k);
		same |= k < kernel && ribbon_solver() == solver;
	}
	ribbon_kernel_use(kernel);
	return same;
}

#endif /* RIBBON_TEST_KERNELS_H */
