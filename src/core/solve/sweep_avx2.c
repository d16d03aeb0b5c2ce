/*
 * sweep_avx2.c - one step of a sweep, for x86-64 with AVX2 and BMI
 *
 * Plain C, compiled for these instruction sets: their shifts and bit counts
 * need neither flags nor fixed registers.
 */
#if defined(__x86_64__)

#include "solve/sweep_plain.h"

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))

TARGET
RIBBON_SWEEP_STEP(ribbon_sweep_block_avx2)

#endif
