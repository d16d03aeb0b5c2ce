/*
 * solver_avx512.c - the inner loops that solve, for AVX-512 with VPOPCNTDQ
 */
#if defined(__x86_64__)

#include "format/icml.h"
#include "solve/solver.h"

#include <immintrin.h>

#define KERNEL_TARGET \
	__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi2,avx512vpopcntdq,popcnt,bmi2")))

/* The result bits of eight columns, as 0 or 1 in eight words. */
static KERNEL_TARGET inline __m512i
spread_bits(uint64_t result, unsigned first)
{
	const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);

	return _mm512_srlv_epi64(_mm512_set1_epi64((long long) (result >> first)),
							 lanes);
}

/*
 * Back substitution with columns of 64 bits, eight to a register, of which
 * there are ngroups, a constant.  What a step must wait for is short: shift,
 * AND, VPOPCNT, and one VPTERNLOG that brings in the result's bit and drops all
 * but the lowest.
 */
static KERNEL_TARGET inline __attribute__((always_inline)) RibbonStatus
backsubst64(const RibbonEnv *env, RibbonBacksubst *run, unsigned ngroups)
{
	const RibbonBand *band = run->band;
	const RibbonSystem *system = run->system;
	const RibbonRow64 *coeff = (const RibbonRow64 *) band->coeff;
	const __m512i one = _mm512_set1_epi64(1);
	uint64_t free_row = run->free_row;
	RibbonRow64 columns[RIBBON_ICML_ROOM];
	__m512i words[RIBBON_ICML_ROOM / 8];

	ribbon_icml64_load(system, run->end / 64, run->slots, columns);
	for (unsigned g = 0; g < ngroups; g++)
		words[g] = _mm512_loadu_si512(columns + 8 * g);
	for (uint64_t slot = run->end; slot-- > run->begin;)
	{
		__m512i row = _mm512_set1_epi64((long long) coeff[slot - band->first]);
		uint64_t result;

		if (RIBBON_UNLIKELY(coeff[slot - band->first] == 0))
		{
			result = free_row;
			free_row = ribbon_backsubst_next_row(free_row, system->result_bits);
		}
		else
			result = ribbon_band_result(band, slot - band->first);

		for (unsigned g = 0; g < ngroups; g++)
		{
			__m512i word = _mm512_add_epi64(words[g], words[g]);
			__m512i sum = _mm512_popcnt_epi64(_mm512_and_si512(word, row));

			sum = _mm512_xor_si512(sum, spread_bits(result, 8 * g));
			/* word | (sum & 1) */
			words[g] = _mm512_ternarylogic_epi64(word, sum, one, 0xF8);
		}

		if (slot % 64 == 0)
		{
			for (unsigned g = 0; g < ngroups; g++)
				_mm512_storeu_si512(columns + 8 * g, words[g]);
			ribbon_icml64_store(system, slot / 64, columns, run->slots);
			if (slot % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	run->free_row = free_row;
	return RIBBON_OK;
}

static KERNEL_TARGET RibbonStatus
backsubst64_loop(const RibbonEnv *env, RibbonBacksubst *run)
{
	switch ((run->system->result_bits + (run->system->wide > 0) + 7) / 8)
	{
		case 1:
			return backsubst64(env, run, 1);
		case 2:
			return backsubst64(env, run, 2);
		case 3:
			return backsubst64(env, run, 3);
		case 4:
			return backsubst64(env, run, 4);
		case 5:
			return backsubst64(env, run, 5);
		case 6:
			return backsubst64(env, run, 6);
		default:
			return backsubst64(env, run, 7);
	}
}

#define RIBBON_BITS 32
#include "solve/backsubst_template.h"
#define RIBBON_BITS 128
#include "solve/backsubst_template.h"

/*
 * With rows of 32 and 128 bits, eight slots at a time as AVX2 does: that takes
 * the same time for one to eight columns, and more than the plain loop only for
 * one.
 */
static RibbonStatus
backsubst_by_eights(const RibbonEnv *env, RibbonBacksubst *run,
					RibbonSolveLoop one_column)
{
	const RibbonSystem *system = run->system;

	if (system->result_bits + (system->wide > 0) == 1)
		return one_column(env, run);
	return ribbon_solver_vector
		.backsubst[ribbon_width_index(system->width)](env, run);
}

static RibbonStatus
backsubst32(const RibbonEnv *env, RibbonBacksubst *run)
{
	return backsubst_by_eights(env, run, backsubst32_loop);
}

static RibbonStatus
backsubst128(const RibbonEnv *env, RibbonBacksubst *run)
{
	return backsubst_by_eights(env, run, backsubst128_loop);
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
	{backsubst32, backsubst64_loop, backsubst128},
	ribbon_sweep_block_avx512,
	{sweep32_rows, sweep64_rows, sweep128_rows},
	{NULL, NULL, NULL},
};

#endif
