/*
 * kernel.c - which inner loops to use on this CPU
 */
#include "probe/kernel.h"

#include "base/cpu.h"

#define MAX_KERNELS 4

/* NULL until the first use. */
static const RibbonKernel *chosen;

/* Fill a list of the kernels that this CPU supports, best first. */
static void
list_kernels(const RibbonKernel *list[MAX_KERNELS + 1])
{
	int n = 0;
#if defined(__x86_64__)
	RibbonCpu cpu = ribbon_cpu_detect();

	if (cpu.avx512)
		list[n++] = &ribbon_kernel_avx512;
	if (cpu.avx2)
		list[n++] = &ribbon_kernel_avx2;
	if (cpu.popcnt)
		list[n++] = &ribbon_kernel_popcnt;
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	list[n++] = &ribbon_kernel_neon;
#endif
	list[n++] = &ribbon_kernel_portable;
	list[n] = NULL;
}

/* Threads that come here at once choose the same. */
static const RibbonKernel *
choose(void)
{
	const RibbonKernel *list[MAX_KERNELS + 1];

	list_kernels(list);
	ribbon_kernel_use(list[0]);
	return list[0];
}

const RibbonKernel *
ribbon_kernel(void)
{
	const RibbonKernel *kernel = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);

	return RIBBON_LIKELY(kernel != NULL) ? kernel : choose();
}

const RibbonKernel *const *
ribbon_kernel_list(void)
{
	static const RibbonKernel *list[MAX_KERNELS + 1];

	list_kernels(list);
	return list;
}

void
ribbon_kernel_use(const RibbonKernel *kernel)
{
	__atomic_store_n(&chosen, kernel, __ATOMIC_RELEASE);
}
