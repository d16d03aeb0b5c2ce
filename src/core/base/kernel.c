/*
 * kernel.c - which kernels this CPU can run, and the choice of the best
 *
 * On x86-64, CPUID tells which instructions there are.  AVX and AVX-512 also
 * need an operating system that saves their registers when it switches
 * processes; XGETBV tells that.
 */
#include "base/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"

#if defined(__x86_64__)

#include <cpuid.h>

#define LEAF1_ECX_POPCNT	(1u << 23)
#define LEAF1_ECX_OSXSAVE	(1u << 27)
#define LEAF7_EBX_BMI1		(1u << 3)
#define LEAF7_EBX_AVX2		(1u << 5)
#define LEAF7_EBX_BMI2		(1u << 8)
#define LEAF7_EBX_AVX512F	(1u << 16)
#define LEAF7_EBX_AVX512DQ	(1u << 17)
#define LEAF7_EBX_AVX512BW	(1u << 30)
#define LEAF7_EBX_AVX512VL	(1u << 31)
#define LEAF7_ECX_VBMI		(1u << 1)
#define LEAF7_ECX_VBMI2		(1u << 6)
#define LEAF7_ECX_GFNI		(1u << 8)
#define LEAF7_ECX_VPOPCNTDQ (1u << 14)
#define XCR0_YMM			0x06u /* SSE and AVX state */
#define XCR0_ZMM			0xE6u /* and masks, and all of ZMM */

/* What each kernel needs beyond those of lower rank. */
static const uint32_t needs[][RIBBON_CPU_WORDS] = {
	[RIBBON_KERNEL_POPCNT] = {LEAF1_ECX_POPCNT},
	[RIBBON_KERNEL_AVX2] = {0, XCR0_YMM,
							LEAF7_EBX_AVX2 | LEAF7_EBX_BMI1 | LEAF7_EBX_BMI2},
	[RIBBON_KERNEL_AVX512] = {0, XCR0_ZMM,
							  LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ |
								  LEAF7_EBX_AVX512BW | LEAF7_EBX_AVX512VL,
							  LEAF7_ECX_VBMI | LEAF7_ECX_VBMI2 |
								  LEAF7_ECX_GFNI | LEAF7_ECX_VPOPCNTDQ},
};

RibbonKernel
ribbon_kernel_of_cpu(const uint32_t cpu[RIBBON_CPU_WORDS])
{
	int kernel = RIBBON_KERNEL_PORTABLE;

	while (kernel < RIBBON_KERNEL_AVX512)
	{
		for (int i = 0; i < RIBBON_CPU_WORDS; i++)
			if (needs[kernel + 1][i] & ~cpu[i])
				return (RibbonKernel) kernel;
		kernel++;
	}
	return RIBBON_KERNEL_AVX512;
}

/*
 * CPUs without one of these leaves leave zeros.  XCR0: the register states that
 * the operating system saves.
 */
static RibbonKernel
best_kernel(void)
{
	uint32_t cpu[RIBBON_CPU_WORDS] = {0};
	unsigned eax, ebx, edx;

	(void) __get_cpuid(1, &eax, &ebx, &cpu[0], &edx);
	if (cpu[0] & LEAF1_ECX_OSXSAVE)
		__asm__ volatile("xgetbv" : "=a"(cpu[1]), "=d"(edx) : "c"(0));
	(void) __get_cpuid_count(7, 0, &eax, &cpu[2], &cpu[3], &edx);
	return ribbon_kernel_of_cpu(cpu);
}

#else

static RibbonKernel
best_kernel(void)
{
#ifdef RIBBON_NEON
	return RIBBON_KERNEL_NEON;
#else
	return RIBBON_KERNEL_PORTABLE;
#endif
}

#endif

/* On x86-64 each kernel needs all that the kernels of lower rank need. */
static bool
is_up_to(RibbonKernel kernel, RibbonKernel best)
{
	return kernel == RIBBON_KERNEL_PORTABLE || kernel == best ||
		(kernel < best && best <= RIBBON_KERNEL_AVX512);
}

/* The best kernel, or the lower one that RIBBON_CPU names. */
static RibbonKernel
allowed_kernel(void)
{
	RibbonKernel best = best_kernel();
	const char *name = getenv("RIBBON_CPU");

	for (int k = RIBBON_KERNEL_PORTABLE; name != NULL && k < (int) best; k++)
	{
		RibbonKernel kernel = (RibbonKernel) k;

		if (is_up_to(kernel, best) &&
			strcmp(name, ribbon_kernel_name(kernel)) == 0)
			return kernel;
	}
	return best;
}

bool
ribbon_kernel_is_there(RibbonKernel kernel)
{
	return is_up_to(kernel, allowed_kernel());
}

/* The one in use; set at the first use. */
static RibbonKernel chosen = RIBBON_NKERNELS;

/* Threads may make the first call at the same time: all find the same. */
RibbonKernel
ribbon_kernel(void)
{
	RibbonKernel kernel = __atomic_load_n(&chosen, __ATOMIC_RELAXED);

	if (RIBBON_UNLIKELY(kernel == RIBBON_NKERNELS))
	{
		kernel = allowed_kernel();
		ribbon_kernel_use(kernel);
	}
	return kernel;
}

void
ribbon_kernel_use(RibbonKernel kernel)
{
	__atomic_store_n(&chosen, kernel, __ATOMIC_RELAXED);
}

const char *
ribbon_kernel_name(RibbonKernel kernel)
{
	static const char *const names[RIBBON_NKERNELS] = {"portable", "popcnt",
													   "avx2", "avx512",
													   "neon"};

	return names[kernel];
}
