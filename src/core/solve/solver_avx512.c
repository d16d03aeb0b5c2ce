/*
 * solver_avx512.c - the inner loops that solve, for AVX-512
 *
 * Back substitution is that of AVX2: a slot at a time, over eight columns,
 * takes a little longer.
 */
#if defined(__x86_64__)

#define VECTOR_AVX512

#include "solve/sweep_vector_part.h"

#define RIBBON_WORDS	Vector
#define RIBBON_TEMPLATE "solve/sweep_template.h"
#include "base/widths_template.h"

#define RIBBON_STRINGS Vector
#include "solve/dense_template.h"

const RibbonSolver ribbon_solver_avx512 = {
	.backsubst = {ribbon_vector32_backsubst, ribbon_vector64_backsubst,
				  ribbon_vector128_backsubst},
	.rows = {sweep32_rows, sweep64_rows, sweep128_rows},
	.advance = sweep_advance,
	.dense = dense_solve,
};

#endif
