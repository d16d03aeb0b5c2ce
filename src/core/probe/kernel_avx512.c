/*
 * kernel_avx512.c - the inner loops for AVX-512 with VBMI2 and VPOPCNTDQ
 *
 * The columns of a block are adjacent words, so one load brings eight of them,
 * and a probe is
 *
 *----------
 *	 load 8 columns of block j, and of block j + 1
 *	 VPSHRDV	the w bits from the starting position on, for each column
 *	 AND		with the coefficient row
 *	 VPOPCNT	and its lowest bit: the 8 result bits, as a mask
 *	 compare	with the key's
 *----------
 *
 * without a branch.
 */
#if defined(__x86_64__)

#include "probe/probes.h"

#include <immintrin.h>

#define KERNEL_TARGET RIBBON_TARGET(RIBBON_AVX512)
#define CACHED_BYTES  (UINT64_C(8) << 20)
#define KERNEL_SIZE	  KERNEL_FULL
#define KERNEL_PROBES ribbon_probes_avx512

KERNEL_INLINE uint32_t
probe32_columns(const uint8_t *low, const uint8_t *high, RibbonRow32 row,
				uint64_t start)
{
	__m256i x = _mm256_shrdv_epi32(_mm256_loadu_si256((const __m256i *) low),
								   _mm256_loadu_si256((const __m256i *) high),
								   _mm256_set1_epi32((int) start));

	x = _mm256_and_si256(x, _mm256_set1_epi32((int) row));
	return _mm256_movepi32_mask(_mm256_slli_epi32(_mm256_popcnt_epi32(x), 31));
}

KERNEL_INLINE uint32_t
probe64_columns(const uint8_t *low, const uint8_t *high, RibbonRow64 row,
				uint64_t start)
{
	__m512i x = _mm512_shrdv_epi64(_mm512_loadu_si512(low),
								   _mm512_loadu_si512(high),
								   _mm512_set1_epi64((long long) start));

	x = _mm512_and_si512(x, _mm512_set1_epi64((long long) row));
	return _mm512_test_epi64_mask(_mm512_popcnt_epi64(x), _mm512_set1_epi64(1));
}

/*
 * The same of n columns, at most eight, of which the second block has only so
 * many rows; offset is at most 57.  The first column's slots that are selected
 * end before this bit of slots.  A word that ends with the byte of a column's
 * last slot, shifted, has that slot as its highest bit.
 */
#define KERNEL_ENDS

KERNEL_INLINE uint32_t
end64_eight(const uint8_t *low, const uint8_t *slots, uint64_t bit,
			unsigned rows, unsigned n, RibbonRow64 row, unsigned offset)
{
	const __m512i numbers = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
	__mmask8 there = (__mmask8) ((1u << n) - 1);
	__m512i ends = _mm512_add_epi64(_mm512_set1_epi64((long long) bit),
									_mm512_mul_epu32(numbers,
													 _mm512_set1_epi64(rows)));
	__m512i bytes =
		_mm512_srli_epi64(_mm512_add_epi64(ends, _mm512_set1_epi64(7)), 3);
	__m512i high = _mm512_mask_i64gather_epi64(_mm512_setzero_si512(), there,
											   bytes, slots - 8, 1);
	__m512i x = _mm512_srl_epi64(_mm512_maskz_loadu_epi64(there, low),
								 _mm_cvtsi32_si128((int) offset));
	uint64_t tail = ~ribbon_low_mask(64 - offset);
	__m512i shift = _mm512_sub_epi64(_mm512_slli_epi64(bytes, 3), ends);

	high = _mm512_sllv_epi64(high, shift);
	/* the row's upper bits are the second block's, the others the first's */
	x = _mm512_ternarylogic_epi64(_mm512_set1_epi64((long long) tail), high, x,
								  0xCA);
	x = _mm512_and_si512(x, _mm512_set1_epi64((long long) row));
	return _mm512_test_epi64_mask(_mm512_popcnt_epi64(x), _mm512_set1_epi64(1));
}

/*
 * A column is a pair of words here, so the row is moved to where the column's
 * slots are, rather than the other way round: four words, two for each block.
 * Of the words' parities, those of a pair are added up.
 */
KERNEL_INLINE uint32_t
probe128_columns(const uint8_t *low, const uint8_t *high, RibbonRow128 row,
				 uint64_t start)
{
	unsigned offset = (unsigned) (start % 128);
	const __m512i first = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
	const __m512i second = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
	const __m512i places = _mm512_set_epi64(3, 2, 3, 2, 1, 0, 1, 0);
	/* row as the first two words of eight, moved up by whole words, ... */
	__m512i words = _mm512_zextsi128_si512(_mm_set_epi64x((long long) row.hi,
														  (long long) row.lo));
	__m512i to = _mm512_sub_epi64(places, _mm512_set1_epi64(offset / 64));
	__m512i below = _mm512_sub_epi64(to, _mm512_set1_epi64(1));
	/* ... and by bits: head in the lower half, tail in the upper, both twice */
	__m512i rows = _mm512_shldv_epi64(_mm512_permutexvar_epi64(to, words),
									  _mm512_permutexvar_epi64(below, words),
									  _mm512_set1_epi64(offset % 64));
	__m512i head = _mm512_shuffle_i64x2(rows, rows, 0x00);
	__m512i tail = _mm512_shuffle_i64x2(rows, rows, 0xFF);
	__m512i x = _mm512_and_si512(_mm512_loadu_si512(high), tail);
	__m512i y = _mm512_and_si512(_mm512_loadu_si512(high + 64), tail);

	/* x ^ (low & head) */
	x = _mm512_ternarylogic_epi64(x, _mm512_loadu_si512(low), head, 0x78);
	y = _mm512_ternarylogic_epi64(y, _mm512_loadu_si512(low + 64), head, 0x78);
	x = _mm512_xor_si512(_mm512_permutex2var_epi64(x, first, y),
						 _mm512_permutex2var_epi64(x, second, y));
	return _mm512_movepi64_mask(_mm512_slli_epi64(_mm512_popcnt_epi64(x), 63));
}

/* The lanes of batches (kernel_place.h); kernel_avx2.c says what each does. */
#define LANES 8
typedef uint64_t Lanes __attribute__((vector_size(64), may_alias));
typedef __mmask8 LanesMask;

#define LANES_OPERATION(name, instruction) \
	KERNEL_INLINE Lanes name(Lanes a, Lanes b) \
	{ \
		return (Lanes) instruction((__m512i) a, (__m512i) b); \
	}

LANES_OPERATION(lanes_mul32, _mm512_mul_epu32)
LANES_OPERATION(lanes_min32, _mm512_min_epu32)
LANES_OPERATION(lanes_max32, _mm512_max_epu32)

KERNEL_INLINE LanesMask
lanes_first(unsigned n)
{
	return (LanesMask) ((1u << n) - 1);
}

KERNEL_INLINE Lanes
lanes_load_some(const uint64_t *p, unsigned n)
{
	return (Lanes) _mm512_maskz_loadu_epi64(lanes_first(n), p);
}

KERNEL_INLINE void
lanes_store_some(uint64_t *p, Lanes x, unsigned n)
{
	_mm512_mask_storeu_epi64(p, lanes_first(n), (__m512i) x);
}

KERNEL_INLINE LanesMask
lanes_less(Lanes a, Lanes b)
{
	return _mm512_cmplt_epi64_mask((__m512i) a, (__m512i) b);
}

KERNEL_INLINE Lanes
lanes_select(LanesMask mask, Lanes yes, Lanes no)
{
	return (Lanes) _mm512_mask_mov_epi64((__m512i) no, mask, (__m512i) yes);
}

KERNEL_INLINE unsigned
lanes_bits(LanesMask mask)
{
	return mask;
}

KERNEL_INLINE unsigned
lanes_put_numbers(uint16_t *to, unsigned first, LanesMask mask)
{
	__m128i numbers =
		_mm_maskz_compress_epi16(mask, _mm_set_epi16(7, 6, 5, 4, 3, 2, 1, 0));

	_mm_storeu_si128((__m128i *) to,
					 _mm_add_epi16(numbers, _mm_set1_epi16((short) first)));
	return (unsigned) __builtin_popcount(mask);
}

KERNEL_INLINE Lanes
lanes_gather64(const uint8_t *bytes, Lanes at)
{
	return (Lanes) _mm512_i64gather_epi64((__m512i) at, bytes, 1);
}

KERNEL_INLINE Lanes
lanes_gather32(const uint8_t *bytes, Lanes at)
{
	__m256i words = _mm512_i64gather_epi32((__m512i) at, bytes, 1);

	return (Lanes) _mm512_cvtepu32_epi64(words);
}

KERNEL_INLINE Lanes
lanes_of_table(const uint64_t *table, Lanes index, unsigned n)
{
	if (n > LANES)
		return lanes_gather64((const uint8_t *) table, index << 3);
	return (Lanes) _mm512_permutexvar_epi64((__m512i) index,
											_mm512_loadu_si512(table));
}

KERNEL_INLINE Lanes
lanes_threshold(const unsigned *thresholds, Lanes code)
{
	__m128i four = _mm_loadu_si128((const __m128i *) thresholds);

	return (Lanes) _mm512_permutexvar_epi32((__m512i) code,
											_mm512_broadcast_i32x4(four));
}

KERNEL_INLINE Lanes
lanes_parity(Lanes x)
{
	return (Lanes) _mm512_popcnt_epi64((__m512i) x) & 1;
}

KERNEL_INLINE void
lanes_answer(bool *answers, Lanes wrong)
{
	LanesMask right = _mm512_testn_epi64_mask((__m512i) wrong, (__m512i) wrong);

	_mm_storel_epi64((__m128i *) answers, _mm_maskz_set1_epi8(right, 1));
}

#include "probe/kernel_table.h"

#endif
