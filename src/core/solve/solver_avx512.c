/*
 * solver_avx512.c - the inner loops that solve, for AVX-512
 */
#if defined(__x86_64__)

#include "solve/solver.h"

#define KERNEL_TARGET RIBBON_TARGET(RIBBON_AVX512)

/*
 * Back substitution as with AVX2, eight slots at a time: a loop of one slot at
 * a time over registers of eight columns takes a little longer.
 */
static RibbonStatus
backsubst(const RibbonEnv *env, RibbonBacksubst *task)
{
	int i = ribbon_width_index(task->system->width);

	return ribbon_solver_vector.backsubst[i](env, task);
}

/* As with AVX2: vectors twice as long gain nothing. */
static bool
dense_eliminate(RibbonDense *dense)
{
	return ribbon_solver_vector.eliminate(dense);
}

/* Eight words. */
typedef uint64_t SweepWords __attribute__((vector_size(64)));

#define RIBBON_WORDS SweepWords
#define RIBBON_BITS	 32
#include "solve/sweep_rows_template.h"
#define RIBBON_BITS 64
#include "solve/sweep_rows_template.h"
#define RIBBON_BITS 128
#include "solve/sweep_rows_template.h"

const RibbonSolver ribbon_solver_avx512 = {
	.backsubst = {backsubst, backsubst, backsubst},
	.sweep = ribbon_sweep_step_avx512,
	.rows = {sweep32_rows, sweep64_rows, sweep128_rows},
	.eliminate = dense_eliminate,
};

#endif
