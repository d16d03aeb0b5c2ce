/*
 * solver_vector.c - the inner loops that solve, for AVX2 and NEON
 */
#include "format/icml.h"
#include "solve/band_vector.h"
#include "solve/solver.h"

#ifdef RIBBON_VECTOR_BYTES

#include "solve/sweep_vector_part.h"

#define RIBBON_TEMPLATE "solve/backsubst_vector_template.h"
#include "base/widths_template.h"

/* NEON does not multiply words. */
#if defined(__x86_64__)
#define RIBBON_WORDS Vector
#else
#define RIBBON_WORDS uint64_t
#endif
#define RIBBON_TEMPLATE "solve/sweep_template.h"
#include "base/widths_template.h"

#define RIBBON_STRINGS Vector
#include "solve/dense_template.h"

const RibbonSolver ribbon_solver_vector = {
	.backsubst = {ribbon_vector32_backsubst, ribbon_vector64_backsubst,
				  ribbon_vector128_backsubst},
	.rows = {sweep32_rows, sweep64_rows, sweep128_rows},
	.advance = sweep_advance,
	.dense = dense_solve,
};

#endif
