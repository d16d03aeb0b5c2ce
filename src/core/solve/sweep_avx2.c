/*
 * sweep_avx2.c - eight slots of a sweep, for x86-64 with AVX2 and BMI
 *
 * Plain C, too: shifts and bit counts without flags and fixed registers are
 * what these machines do better.
 */
#if defined(__x86_64__)

#include "solve/sweep_plain.h"

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

TARGET
RIBBON_SWEEP_STEP(ribbon_sweep_block_avx2)

#endif
