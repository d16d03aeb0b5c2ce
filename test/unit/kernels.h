/*
 * kernels.h - a loop over the kernels that this machine can run
 */
#ifndef RIBBON_TEST_KERNELS_H
#define RIBBON_TEST_KERNELS_H

#include "base/kernel.h"

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

#endif /* RIBBON_TEST_KERNELS_H */
