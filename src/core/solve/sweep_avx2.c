/*
 * sweep_avx2.c - eight slots of a sweep, for x86-64 with AVX2 and BMI
 *
 * Plain C, too: shifts and bit counts without flags and fixed registers are
 * what these machines do better.
 */
#if defined(__x86_64__)

#include "solve/sweep_plain.h"

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

TARGET size_t
ribbon_sweep_block_avx2(RibbonSweep *sweep, size_t begin, size_t n, size_t out,
						bool *failed)
{
	return step_any(sweep, begin, n, out, failed);
}

#endif
