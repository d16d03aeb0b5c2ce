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
 *
 * Its answers are tested in qemu (test/matrix/cross.sh).  Its speed was never
 * measured on hardware: CACHED_BYTES are those of AVX2.
 */
#include "probe/probes.h"

#ifdef RIBBON_NEON

#include <arm_neon.h>

#define KERNEL_TARGET
#define CACHED_BYTES  (UINT64_C(2) << 20)
#define KERNEL_SIZE	  KERNEL_FULL
#define KERNEL_PROBES ribbon_probes_neon

/* Bits of low & head ^ high & tail in each byte; rows are 16 bytes. */
KERNEL_INLINE uint8x16_t
count_bits(const uint8_t *low, uint8x16_t head, const uint8_t *high,
		   uint8x16_t tail)
{
	return vcntq_u8(veorq_u8(vandq_u8(vld1q_u8(low), head),
							 vandq_u8(vld1q_u8(high), tail)));
}

/* Two bytes for each of eight columns to a byte each. */
KERNEL_INLINE uint8x8_t
add_pairs(uint8x16_t counts)
{
	return vget_low_u8(vpaddq_u8(counts, counts));
}

/* The lowest bits of eight bytes. */
KERNEL_INLINE uint32_t
lowest_bits(uint8x8_t bytes)
{
	const int8x8_t places = {0, 1, 2, 3, 4, 5, 6, 7};

	return vaddv_u8(vshl_u8(vand_u8(bytes, vdup_n_u8(1)), places));
}

KERNEL_INLINE uint32_t
probe32_columns(const uint8_t *low, const uint8_t *high, RibbonRow32 row,
				uint64_t start)
{
	unsigned offset = (unsigned) (start % 32);
	uint8x16_t head =
		vreinterpretq_u8_u32(vdupq_n_u32(ribbon_row32_head(row, offset)));
	uint8x16_t tail =
		vreinterpretq_u8_u32(vdupq_n_u32(ribbon_row32_tail(row, offset)));
	uint8x16_t a = count_bits(low, head, high, tail);
	uint8x16_t b = count_bits(low + 16, head, high + 16, tail);

	return lowest_bits(add_pairs(vpaddq_u8(a, b)));
}

KERNEL_INLINE uint32_t
probe64_columns(const uint8_t *low, const uint8_t *high, RibbonRow64 row,
				uint64_t start)
{
	unsigned offset = (unsigned) (start % 64);
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
KERNEL_INLINE uint8x16_t
row_bytes(RibbonRow128 row)
{
	return vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(row.lo),
											 vcreate_u64(row.hi)));
}

/* Eight bytes for each of two columns. */
KERNEL_INLINE uint8x16_t
count_columns128(const uint8_t *low, uint8x16_t head, const uint8_t *high,
				 uint8x16_t tail)
{
	return vpaddq_u8(count_bits(low, head, high, tail),
					 count_bits(low + 16, head, high + 16, tail));
}

KERNEL_INLINE uint32_t
probe128_columns(const uint8_t *low, const uint8_t *high, RibbonRow128 row,
				 uint64_t start)
{
	unsigned offset = (unsigned) (start % 128);
	uint8x16_t head = row_bytes(ribbon_row128_head(row, offset));
	uint8x16_t tail = row_bytes(ribbon_row128_tail(row, offset));
	uint8x16_t a = vpaddq_u8(count_columns128(low, head, high, tail),
							 count_columns128(low + 32, head, high + 32, tail));
	uint8x16_t b = vpaddq_u8(count_columns128(low + 64, head, high + 64, tail),
							 count_columns128(low + 96, head, high + 96, tail));

	return lowest_bits(add_pairs(vpaddq_u8(a, b)));
}

#include "probe/kernel_table.h"

#endif
