/*
 * solver_avx2.c - the inner loops that solve, for x86-64 with AVX2 and BMI
 */
#if defined(__x86_64__)

#include "format/icml.h"
#include "solve/solver.h"

#define KERNEL_TARGET __attribute__((target("avx2,bmi2,popcnt")))

#define RIBBON_BITS 32
#include "solve/backsubst_template.h"
#define RIBBON_BITS 64
#include "solve/backsubst_template.h"
#define RIBBON_BITS 128
#include "solve/backsubst_template.h"

const RibbonSolver ribbon_solver_avx2 = {
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	ribbon_sweep_block,
	{ribbon_sweep32_advance, ribbon_sweep64_advance, ribbon_sweep128_advance},
};

#endif
