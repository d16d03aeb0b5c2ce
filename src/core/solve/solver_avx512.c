/*
 * solver_avx512.c - the inner loops that solve, for AVX-512
 *
 * Back substitution is that of AVX2.
 */
#if defined(__x86_64__)

#include "solve/solver.h"

#define KERNEL_TARGET RIBBON_TARGET(RIBBON_AVX512)

/* Eight words. */
typedef uint64_t SweepWords __attribute__((vector_size(64)));

#define RIBBON_WORDS	SweepWords
#define RIBBON_TEMPLATE "solve/sweep_rows_template.h"
#include "base/widths_template.h"

#define RIBBON_STRINGS SweepWords
#include "solve/dense_template.h"

const RibbonSolver ribbon_solver_avx512 = {
	/* a slot at a time, over eight columns, takes a little longer */
	.backsubst = {ribbon_vector32_backsubst, ribbon_vector64_backsubst,
				  ribbon_vector128_backsubst},
	.sweep = ribbon_sweep_step_avx512,
	.rows = {sweep32_rows, sweep64_rows, sweep128_rows},
	.dense = dense_solve,
};

#endif
