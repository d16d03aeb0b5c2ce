/*
 * solver_portable.c - the inner loops that solve, for every machine
 */
#include "format/icml.h"
#include "solve/solver.h"

#define KERNEL_TARGET

#define RIBBON_BITS 32
#include "solve/backsubst_template.h"
#define RIBBON_BITS 64
#include "solve/backsubst_template.h"
#define RIBBON_BITS 128
#include "solve/backsubst_template.h"

const RibbonSolver ribbon_solver_portable = {
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	ribbon_sweep_block,
	{NULL, NULL, NULL},
};

#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
const RibbonSolver ribbon_solver_neon = {
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	ribbon_sweep_block,
	{ribbon_sweep32_advance, ribbon_sweep64_advance, ribbon_sweep128_advance},
};
#endif
