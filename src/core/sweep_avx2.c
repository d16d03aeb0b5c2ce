/*
 * sweep_avx2.c - eight slots of a sweep, for x86-64 with AVX2 and BMI
 *
 * Plain C, too: shifts and bit counts without flags and fixed registers are
 * what these machines do better.
 */
#if defined(__x86_64__)

#include "sweep_plain.h"

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

TARGET bool
ribbon_sweep32_advance_avx2(RibbonSweep *sweep)
{
	return advance(sweep, 32);
}

TARGET bool
ribbon_sweep64_advance_avx2(RibbonSweep *sweep)
{
	return advance(sweep, 64);
}

TARGET bool
ribbon_sweep128_advance_avx2(RibbonSweep *sweep)
{
	return advance(sweep, 128);
}

#endif
