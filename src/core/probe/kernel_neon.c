/*
 * kernel_neon.c - the inner loops for NEON, which every aarch64 has
 *
 * NEON counts the bits of bytes (CNT) and adds up neighbours across two
 * registers (ADDP), so eight columns' parities come together in three steps:
 *
 *----------
 *	 CNT		 8 bytes for each of columns 0 1, 2 3, 4 5 and 6 7
 *	 ADDP		 4 bytes for each of columns 0 1 2 3 and 4 5 6 7
 *	 ADDP		 2 bytes for each of columns 0 .. 7
 *	 ADDP		 a byte for each; its lowest bit is the parity
 *----------
 */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__

#include "format/icml.h"
#include "probe/kernel.h"

#include <arm_neon.h>

#define KERNEL_TARGET
#define INLINE static inline __attribute__((always_inline))

/* Bits of low & head ^ high & tail in each byte; rows are 16 bytes. */
INLINE uint8x16_t
count_bits(const uint8_t *low, uint8x16_t head, const uint8_t *high,
		   uint8x16_t tail)
{
	return vcntq_u8(veorq_u8(vandq_u8(vld1q_u8(low), head),
							 vandq_u8(vld1q_u8(high), tail)));
}

/* Two bytes for each of eight columns to a byte each. */
INLINE uint8x8_t
add_pairs(uint8x16_t counts)
{
	return vget_low_u8(vpaddq_u8(counts, counts));
}

/* The lowest bits of eight bytes. */
INLINE uint32_t
lowest_bits(uint8x8_t bytes)
{
	const int8x8_t places = {0, 1, 2, 3, 4, 5, 6, 7};

	return vaddv_u8(vshl_u8(vand_u8(bytes, vdup_n_u8(1)), places));
}

INLINE uint32_t
probe32_columns(const uint8_t *low, const uint8_t *high, RibbonRow32 row,
				unsigned offset)
{
	uint8x16_t head =
		vreinterpretq_u8_u32(vdupq_n_u32(ribbon_row32_head(row, offset)));
	uint8x16_t tail =
		vreinterpretq_u8_u32(vdupq_n_u32(ribbon_row32_tail(row, offset)));
	uint8x16_t a = count_bits(low, head, high, tail);
	uint8x16_t b = count_bits(low + 16, head, high + 16, tail);

	return lowest_bits(add_pairs(vpaddq_u8(a, b)));
}

INLINE uint32_t
probe64_columns(const uint8_t *low, const uint8_t *high, RibbonRow64 row,
				unsigned offset)
{
	uint8x16_t head =
		vreinterpretq_u8_u64(vdupq_n_u64(ribbon_row64_head(row, offset)));
	uint8x16_t tail =
		vreinterpretq_u8_u64(vdupq_n_u64(ribbon_row64_tail(row, offset)));
	uint8x16_t a = vpaddq_u8(count_bits(low, head, high, tail),
							 count_bits(low + 16, head, high + 16, tail));
	uint8x16_t b = vpaddq_u8(count_bits(low + 32, head, high + 32, tail),
							 count_bits(low + 48, head, high + 48, tail));

	return lowest_bits(add_pairs(vpaddq_u8(a, b)));
}

/* A row as 16 bytes. */
INLINE uint8x16_t
row_bytes(RibbonRow128 row)
{
	return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(row.lo),
											 vcreate_u64(row.hi)));
}

/* Eight bytes for each of two columns. */
INLINE uint8x16_t
count_columns128(const uint8_t *low, uint8x16_t head, const uint8_t *high,
				 uint8x16_t tail)
{
	return vpaddq_u8(count_bits(low, head, high, tail),
					 count_bits(low + 16, head, high + 16, tail));
}

INLINE uint32_t
probe128_columns(const uint8_t *low, const uint8_t *high, RibbonRow128 row,
				 unsigned offset)
{
	uint8x16_t head = row_bytes(ribbon_row128_head(row, offset));
	uint8x16_t tail = row_bytes(ribbon_row128_tail(row, offset));
	uint8x16_t a = vpaddq_u8(count_columns128(low, head, high, tail),
							 count_columns128(low + 32, head, high + 32, tail));
	uint8x16_t b = vpaddq_u8(count_columns128(low + 64, head, high + 64, tail),
							 count_columns128(low + 96, head, high + 96, tail));

	return lowest_bits(add_pairs(vpaddq_u8(a, b)));
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
	RibbonRow64 columns[33];
	Columns groups[4];

	ribbon_icml64_load(system, run->end / 64, run->slots, columns);
	for (unsigned i = 0; i < 16; i++)
		groups[i / 4].pairs[i % 4] = vld1q_u64(columns + 2 * i);
	for (uint64_t slot = run->end; slot-- > run->begin;)
	{
		uint64_t row = coeff[slot - band->first];
		uint32_t result = 0;

		if (RIBBON_UNLIKELY(row == 0))
		{
			if (run->free_slots == RIBBON_FREE_UNIT)
				result = ribbon_backsubst_unit_row(system->result_bits,
												   run->nfree++);
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
	return RIBBON_OK;
}

#undef INLINE

#define RIBBON_BITS 32
#include "probe/probe_template.h"
#define RIBBON_BITS 64
#include "probe/probe_template.h"
#define RIBBON_BITS 128
#include "probe/probe_template.h"

#define RIBBON_BITS 32
#include "solve/backsubst_template.h"
#define RIBBON_BITS 128
#include "solve/backsubst_template.h"

const RibbonKernel ribbon_kernel_neon = {
	"neon",
	{&probe32_loops, &probe64_loops, &probe128_loops},
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	ribbon_sweep_block,
};

#endif
