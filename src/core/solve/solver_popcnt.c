/*
 * solver_popcnt.c - the inner loops that solve, for x86-64 with POPCNT
 *
 * Back substitution needs parities; POPCNT gives one in one instruction and a
 * mask.
 */
#if defined(__x86_64__)

#include "format/icml.h"
#include "solve/solver.h"

#define KERNEL_TARGET __attribute__((target("popcnt")))

#define RIBBON_BITS 32
#include "solve/backsubst_template.h"
#define RIBBON_BITS 64
#include "solve/backsubst_template.h"
#define RIBBON_BITS 128
#include "solve/backsubst_template.h"

const RibbonSolver ribbon_solver_popcnt = {
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	ribbon_sweep_block,
	{NULL, NULL, NULL},
};

#endif
