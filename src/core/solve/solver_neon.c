/*
 * solver_neon.c - the inner loops that solve, for NEON
 *
 * NEON counts the bits of bytes (CNT) and adds up neighbours (ADDP); see
 * probe/kernel_neon.c.
 */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "format/icml.h"
#include "solve/solver.h"

#include <arm_neon.h>

#define KERNEL_TARGET
#define INLINE static inline __attribute__((always_inline))

/* Two bytes for each of eight columns to a byte each. */
INLINE uint8x8_t
add_pairs(uint8x16_t counts)
{
	return vget_low_u8(vpaddq_u8(counts, counts));
}

/* Eight columns of 64 bits, two to a register. */
typedef struct Columns
{
	uint64x2_t pairs[4];
} Columns;

/* The parities of eight columns and a row, and a bit each of result. */
INLINE uint8x8_t
new_bits(const Columns *columns, uint64_t row, uint32_t result)
{
	const uint8x8_t places = {1, 2, 4, 8, 16, 32, 64, 128};
	uint64x2_t rows = vdupq_n_u64(row);
	uint8x16_t counts[4];
	uint8x8_t sums;

	for (int i = 0; i < 4; i++)
		counts[i] =
			vcntq_u8(vreinterpretq_u8_u64(vandq_u64(columns->pairs[i], rows)));
	sums = add_pairs(vpaddq_u8(vpaddq_u8(counts[0], counts[1]),
							   vpaddq_u8(counts[2], counts[3])));
	return vand_u8(veor_u8(sums, vtst_u8(vdup_n_u8((uint8_t) result), places)),
				   vdup_n_u8(1));
}

/* Put a byte each (0 or 1) in front of eight columns. */
INLINE void
set_front(Columns *columns, uint8x8_t bits)
{
	uint16x8_t wide = vmovl_u8(bits);
	uint32x4_t low = vmovl_u16(vget_low_u16(wide));
	uint32x4_t high = vmovl_high_u16(wide);

	columns->pairs[0] = vorrq_u64(columns->pairs[0],
								  vmovl_u32(vget_low_u32(low)));
	columns->pairs[1] = vorrq_u64(columns->pairs[1], vmovl_high_u32(low));
	columns->pairs[2] = vorrq_u64(columns->pairs[2],
								  vmovl_u32(vget_low_u32(high)));
	columns->pairs[3] = vorrq_u64(columns->pairs[3], vmovl_high_u32(high));
}

static RibbonStatus
backsubst64_loop(const RibbonEnv *env, RibbonBacksubst *run)
{
	const RibbonBand *band = run->band;
	const RibbonSystem *system = run->system;
	const RibbonRow64 *coeff = (const RibbonRow64 *) band->coeff;
	unsigned ncolumns = system->result_bits + (system->wide > 0);
	unsigned ngroups = (ncolumns + 7) / 8;
	uint64_t free_row = run->free_row;
	RibbonRow64 columns[RIBBON_ICML_ROOM];
	Columns groups[4];

	ribbon_icml64_load(system, run->end / 64, run->slots, columns);
	for (unsigned i = 0; i < 16; i++)
		groups[i / 4].pairs[i % 4] = vld1q_u64(columns + 2 * i);
	for (uint64_t slot = run->end; slot-- > run->begin;)
	{
		uint64_t row = coeff[slot - band->first];
		uint32_t result;

		if (RIBBON_UNLIKELY(row == 0))
		{
			result = (uint32_t) free_row;
			free_row = ribbon_backsubst_next_row(free_row, system->result_bits);
		}
		else
			result = ribbon_band_result(band, slot - band->first);

		for (unsigned g = 0; g < ngroups; g++)
		{
			for (int i = 0; i < 4; i++)
				groups[g].pairs[i] = vaddq_u64(groups[g].pairs[i],
											   groups[g].pairs[i]);
			set_front(&groups[g], new_bits(&groups[g], row, result >> 8 * g));
		}

		if (slot % 64 == 0)
		{
			for (unsigned i = 0; i < 4 * ngroups; i++)
				vst1q_u64(columns + 2 * i, groups[i / 4].pairs[i % 4]);
			ribbon_icml64_store(system, slot / 64, columns, run->slots);
			if (slot % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	run->free_row = free_row;
	return RIBBON_OK;
}

#define RIBBON_BITS 32
#include "solve/backsubst_template.h"
#define RIBBON_BITS 128
#include "solve/backsubst_template.h"

const RibbonSolver ribbon_solver_neon = {
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	ribbon_sweep_block,
};

#endif
