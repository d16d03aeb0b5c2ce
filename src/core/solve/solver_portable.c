/*
 * solver_portable.c - the inner loops that solve, for every machine
 */
#include "format/icml.h"
#include "solve/solver.h"

#define KERNEL_TARGET

#include "solve/sweep_portable_part.h"

#define RIBBON_TEMPLATE "solve/backsubst_template.h"
#include "base/widths_template.h"

#define RIBBON_WORDS	uint64_t
#define RIBBON_TEMPLATE "solve/sweep_template.h"
#include "base/widths_template.h"

#define RIBBON_STRINGS uint64_t
#include "solve/dense_template.h"

const RibbonSolver ribbon_solver_portable = {
	.backsubst = {backsubst32_loop, backsubst64_loop, backsubst128_loop},
	.rows = {sweep32_rows, sweep64_rows, sweep128_rows},
	.advance = sweep_advance,
	.dense = dense_solve,
};
