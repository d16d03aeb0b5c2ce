/*
 * kernels.c - the kernels of this CPU, which takes long to ask for
 */
#include "fuzz.h"
#include "kernels.h"

RibbonKernel
fuzz_kernel(uint64_t i)
{
	static RibbonKernel list[RIBBON_NKERNELS];
	static unsigned n;

	if (n == 0)
		FOR_EACH_KERNEL(k)
	list[n++] = k;
	return list[n - 1 - i % n];
}
