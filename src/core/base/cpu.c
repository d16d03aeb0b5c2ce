/*
 * cpu.c - what the CPU can do, and the operating system lets us use
 *
 * CPUID says which instructions there are.  Wide registers also need the
 * system to save them when it switches processes, which XGETBV tells: without
 * that, an AVX instruction is an illegal one.
 */
#include "base/cpu.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <stdint.h>

#define LEAF1_ECX_POPCNT	(1u << 23)
#define LEAF1_ECX_OSXSAVE	(1u << 27)
#define LEAF7_EBX_BMI1		(1u << 3)
#define LEAF7_EBX_AVX2		(1u << 5)
#define LEAF7_EBX_BMI2		(1u << 8)
#define LEAF7_EBX_AVX512F	(1u << 16)
#define LEAF7_EBX_AVX512DQ	(1u << 17)
#define LEAF7_EBX_AVX512CD	(1u << 28)
#define LEAF7_EBX_AVX512BW	(1u << 30)
#define LEAF7_EBX_AVX512VL	(1u << 31)
#define LEAF7_ECX_VBMI		(1u << 1)
#define LEAF7_ECX_VBMI2		(1u << 6)
#define LEAF7_ECX_GFNI		(1u << 8)
#define LEAF7_ECX_VPOPCNTDQ (1u << 14)
#define XCR0_YMM			0x06u /* SSE and AVX state */
#define XCR0_ZMM			0xE6u /* and masks, and all of ZMM */

/* The register states that the system saves. */
static uint32_t
saved_states(void)
{
	uint32_t eax;
	uint32_t edx;

	__asm__ volatile("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
	return eax;
}

static bool
has_all(unsigned bits, unsigned wanted)
{
	return (bits & wanted) == wanted;
}

RibbonCpu
ribbon_cpu_detect(void)
{
	RibbonCpu cpu = {false, false, false};
	unsigned eax, ebx, ecx, edx;
	uint32_t saved = 0;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return cpu;
	cpu.popcnt = has_all(ecx, LEAF1_ECX_POPCNT);
	if (has_all(ecx, LEAF1_ECX_OSXSAVE))
		saved = saved_states();

	if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
		return cpu;
	cpu.avx2 = cpu.popcnt && has_all(saved, XCR0_YMM) &&
		has_all(ebx, LEAF7_EBX_AVX2 | LEAF7_EBX_BMI1 | LEAF7_EBX_BMI2);
	cpu.avx512 = cpu.avx2 && has_all(saved, XCR0_ZMM) &&
		has_all(ebx,
				LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ | LEAF7_EBX_AVX512CD |
					LEAF7_EBX_AVX512BW | LEAF7_EBX_AVX512VL) &&
		has_all(ecx,
				LEAF7_ECX_VBMI | LEAF7_ECX_VBMI2 | LEAF7_ECX_GFNI |
					LEAF7_ECX_VPOPCNTDQ);
	return cpu;
}

#else

RibbonCpu
ribbon_cpu_detect(void)
{
	RibbonCpu cpu = {false, false, false};

	return cpu;
}

#endif
