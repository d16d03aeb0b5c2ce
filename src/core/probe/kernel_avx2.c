/*
 * kernel_avx2.c - the inner loops for AVX2
 *
 * As kernel_avx512.c, with what AVX2 lacks made up: instead of the columns the
 * row is shifted, once for all of them, and cut in two where the blocks meet;
 * and parities are folded together, first those of several columns into one
 * register, then to the highest bit of each word, for MOVMSKPS to collect.
 */
#if defined(__x86_64__)

#include "probe/probes.h"

#include <immintrin.h>

#define KERNEL_TARGET RIBBON_TARGET("avx2,bmi2,popcnt")
#define CACHED_BYTES  (UINT64_C(2) << 20)
#define KERNEL_SIZE	  KERNEL_FULL
#define KERNEL_PROBES ribbon_probes_avx2

KERNEL_INLINE __m256i
load256(const uint8_t *p)
{
	return _mm256_loadu_si256((const __m256i *) p);
}

/* low & head ^ high & tail */
KERNEL_INLINE __m256i
select_slots(const uint8_t *low, __m256i head, const uint8_t *high,
			 __m256i tail)
{
	return _mm256_xor_si256(_mm256_and_si256(load256(low), head),
							_mm256_and_si256(load256(high), tail));
}

/*
 * Eight words of 64 bits, four in each of x and y, folded to 32 bits:
 * x0 x1 y0 y1, x2 x3 y2 y3.
 */
KERNEL_INLINE __m256i
fold64(__m256i x, __m256i y)
{
	__m256 a = _mm256_castsi256_ps(x);
	__m256 b = _mm256_castsi256_ps(y);

	return _mm256_castps_si256(_mm256_xor_ps(_mm256_shuffle_ps(a, b, 0x88),
											 _mm256_shuffle_ps(a, b, 0xDD)));
}

/*
 * The parities of eight words of 32 bits: folded to half a byte, for a table
 * that has them in the sign bit.
 */
KERNEL_INLINE uint32_t
parities32(__m256i x)
{
	const __m256i odd = _mm256_set_epi64x(0x0080800080000080,
										  (long long) 0x8000008000808000,
										  0x0080800080000080,
										  (long long) 0x8000008000808000);

	x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 16));
	x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 8));
	x = _mm256_xor_si256(x, _mm256_srli_epi32(x, 4));
	x = _mm256_and_si256(x, _mm256_set1_epi8(0x0F));
	x = _mm256_shuffle_epi8(odd, x);
	return (uint32_t) _mm256_movemask_ps(_mm256_castsi256_ps(x));
}

/* The result bits of eight columns, of a row that has been cut in two. */
KERNEL_INLINE uint32_t
eight32(const uint8_t *low, const uint8_t *high, RibbonRow32 head,
		RibbonRow32 tail)
{
	return parities32(select_slots(low, _mm256_set1_epi32((int) head), high,
								   _mm256_set1_epi32((int) tail)));
}

KERNEL_INLINE uint32_t
eight64(const uint8_t *low, const uint8_t *high, RibbonRow64 head,
		RibbonRow64 tail)
{
	__m256i heads = _mm256_set1_epi64x((long long) head);
	__m256i tails = _mm256_set1_epi64x((long long) tail);
	__m256i x = fold64(select_slots(low, heads, high, tails),
					   select_slots(low + 32, heads, high + 32, tails));

	return parities32(_mm256_permute4x64_epi64(x, 0xD8));
}

KERNEL_INLINE uint32_t
probe32_columns(const uint8_t *low, const uint8_t *high, RibbonRow32 row,
				uint64_t start)
{
	unsigned offset = (unsigned) (start % 32);

	return eight32(low, high, ribbon_row32_head(row, offset),
				   ribbon_row32_tail(row, offset));
}

KERNEL_INLINE uint32_t
probe64_columns(const uint8_t *low, const uint8_t *high, RibbonRow64 row,
				uint64_t start)
{
	unsigned offset = (unsigned) (start % 64);

	return eight64(low, high, ribbon_row64_head(row, offset),
				   ribbon_row64_tail(row, offset));
}

/* Two columns, each a pair of words: four words of four columns, 0 2 1 3. */
KERNEL_INLINE __m256i
fold128(__m256i x, __m256i y)
{
	return _mm256_xor_si256(_mm256_unpacklo_epi64(x, y),
							_mm256_unpackhi_epi64(x, y));
}

KERNEL_INLINE uint32_t
probe128_columns(const uint8_t *low, const uint8_t *high, RibbonRow128 row,
				 uint64_t start)
{
	unsigned offset = (unsigned) (start % 128);
	const __m256i order = _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0);
	RibbonRow128 a = ribbon_row128_head(row, offset);
	RibbonRow128 b = ribbon_row128_tail(row, offset);
	__m256i head =
		_mm256_broadcastsi128_si256(_mm_set_epi64x((long long) a.hi,
												   (long long) a.lo));
	__m256i tail =
		_mm256_broadcastsi128_si256(_mm_set_epi64x((long long) b.hi,
												   (long long) b.lo));
	__m256i x, y;

	x = fold128(select_slots(low, head, high, tail),
				select_slots(low + 32, head, high + 32, tail));
	y = fold128(select_slots(low + 64, head, high + 64, tail),
				select_slots(low + 96, head, high + 96, tail));
	return parities32(_mm256_permutevar8x32_epi32(fold64(x, y), order));
}

#include "probe/kernel_avx2_lanes.h"
#include "probe/kernel_table.h"

#endif
