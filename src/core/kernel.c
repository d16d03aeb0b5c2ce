/*
 * kernel.c - which inner loops to use on this CPU
 */
#include "kernel.h"

#include "cpu.h"

#define MAX_KERNELS 4

static const RibbonKernel *kernels[MAX_KERNELS + 1];
static const RibbonKernel *chosen;

/*
 * Threads that come here at once write the same values.
 */
static void
choose(void)
{
	int n = 0;
#if defined(__x86_64__)
	RibbonCpu cpu = ribbon_cpu_detect();

	if (cpu.avx512)
		kernels[n++] = &ribbon_kernel_avx512;
	if (cpu.avx2)
		kernels[n++] = &ribbon_kernel_avx2;
	if (cpu.popcnt)
		kernels[n++] = &ribbon_kernel_popcnt;
#endif
	kernels[n] = &ribbon_kernel_portable;
	chosen = kernels[0];
}

const RibbonKernel *
ribbon_kernel(void)
{
	if (RIBBON_UNLIKELY(chosen == NULL))
		choose();
	return chosen;
}

const RibbonKernel *const *
ribbon_kernel_list(void)
{
	ribbon_kernel();
	return kernels;
}

void
ribbon_kernel_use(const RibbonKernel *kernel)
{
	chosen = kernel;
}
