/*
 * kernel_avx2.c - the inner loops for AVX2
 *
 * As kernel_avx512.c, with what AVX2 lacks made up: instead of the columns the
 * row is shifted, once for all of them, and cut in two where the blocks meet;
 * and parities are folded together, first those of several columns into one
 * register, then to the highest bit of each word, for MOVMSKPS to collect.
 */
#if defined(__x86_64__)

#include "format/icml.h"
#include "probe/batch.h"
#include "probe/probes.h"

#include <immintrin.h>
#include <string.h>

#define KERNEL_TARGET RIBBON_TARGET(RIBBON_AVX2)
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

/* The lanes of batches (kernel_place.h). */
#define LANES 4
typedef uint64_t Lanes __attribute__((vector_size(32), may_alias));
typedef Lanes LanesMask;

#define LANES_OPERATION(name, instruction) \
	KERNEL_INLINE Lanes name(Lanes a, Lanes b) \
	{ \
		return (Lanes) instruction((__m256i) a, (__m256i) b); \
	}

/* Product of the lower halves; the lesser and the greater, below 2^32. */
LANES_OPERATION(lanes_mul32, _mm256_mul_epu32)
LANES_OPERATION(lanes_min32, _mm256_min_epu32)
LANES_OPERATION(lanes_max32, _mm256_max_epu32)

/* A mask of the first n words. */
KERNEL_INLINE LanesMask
lanes_first(unsigned n)
{
	return (LanesMask) _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long) n),
										  _mm256_set_epi64x(3, 2, 1, 0));
}

/* The first n words, and zeros. */
KERNEL_INLINE Lanes
lanes_load_some(const uint64_t *p, unsigned n)
{
	return (Lanes) _mm256_maskload_epi64((const long long *) p,
										 (__m256i) lanes_first(n));
}

/* Store the first n words. */
KERNEL_INLINE void
lanes_store_some(uint64_t *p, Lanes x, unsigned n)
{
	_mm256_maskstore_epi64((long long *) p, (__m256i) lanes_first(n),
						   (__m256i) x);
}

/* Is a < b, as signed numbers? */
KERNEL_INLINE LanesMask
lanes_less(Lanes a, Lanes b)
{
	return (LanesMask) _mm256_cmpgt_epi64((__m256i) b, (__m256i) a);
}

KERNEL_INLINE Lanes
lanes_select(LanesMask mask, Lanes yes, Lanes no)
{
	return (Lanes) _mm256_blendv_epi8((__m256i) no, (__m256i) yes,
									  (__m256i) mask);
}

/* Bit i: that of word i. */
KERNEL_INLINE unsigned
lanes_bits(LanesMask mask)
{
	return (unsigned) _mm256_movemask_pd(_mm256_castsi256_pd((__m256i) mask));
}

/*
 * Put the numbers of the bits that are set, from first on; there is room for
 * LANES.  Returns how many.
 */
KERNEL_INLINE unsigned
lanes_put_numbers(uint16_t *to, unsigned first, LanesMask mask)
{
	static const uint16_t numbers[1 << LANES][LANES] =
		{{0},	 {0},		{1},	   {0, 1},		{2},	{0, 2},
		 {1, 2}, {0, 1, 2}, {3},	   {0, 3},		{1, 3}, {0, 1, 3},
		 {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
	unsigned bits = lanes_bits(mask);
	uint64_t four;

	memcpy(&four, numbers[bits], sizeof(four));
	four += first * UINT64_C(0x0001000100010001);
	memcpy(to, &four, sizeof(four));
	return (unsigned) __builtin_popcount(bits);
}

/* 64 or 32 bits from a byte on. */
KERNEL_INLINE Lanes
lanes_gather64(const uint8_t *bytes, Lanes at)
{
	return (Lanes) _mm256_i64gather_epi64((const long long *) bytes,
										  (__m256i) at, 1);
}

KERNEL_INLINE Lanes
lanes_gather32(const uint8_t *bytes, Lanes at)
{
	__m128i words = _mm256_i64gather_epi32((const int *) bytes, (__m256i) at,
										   1);

	return (Lanes) _mm256_cvtepu32_epi64(words);
}

/* From a table of n words, with room for LANES. */
KERNEL_INLINE Lanes
lanes_of_table(const uint64_t *table, Lanes index, unsigned n)
{
	(void) n;
	return lanes_gather64((const uint8_t *) table, index << 3);
}

/* One of four thresholds; the first one may be in the upper half. */
KERNEL_INLINE Lanes
lanes_threshold(const unsigned *thresholds, Lanes code)
{
	__m128i four = _mm_loadu_si128((const __m128i *) thresholds);

	return (Lanes)
		_mm256_permutevar8x32_epi32(_mm256_broadcastsi128_si256(four),
									(__m256i) code);
}

KERNEL_INLINE Lanes
lanes_parity(Lanes x)
{
	for (int n = 32; n > 0; n /= 2)
		x ^= x >> n;
	return x & 1;
}

/* Set LANES answers: is the word zero? */
KERNEL_INLINE void
lanes_answer(bool *answers, Lanes wrong)
{
	unsigned right = lanes_bits((Lanes) (wrong == 0));
	uint32_t four = (right * 0x00204081) & 0x01010101; /* bit k to byte k */

	memcpy(answers, &four, sizeof(four));
}

#define KERNEL_CUTS_ROWS /* in two, where the blocks meet; for w < 128 */

KERNEL_INLINE void
batch_put_row(RibbonPlaces *places, unsigned k, Lanes row, Lanes start,
			  RibbonVariant v)
{
	Lanes offset = start % v.width;
	Lanes head = row, tail = start;

	if (v.width == 32)
		row &= UINT32_MAX;
	if (v.width < 128)
	{
		head = row << offset;
		tail = row >> 1 >> (v.width - 1 - offset);
	}
	memcpy(places->heads + k, &head, sizeof(head));
	memcpy(places->tails + k, &tail, sizeof(tail));
}

KERNEL_INLINE uint32_t
batch_eight_columns(const RibbonPlaces *places, unsigned k, RibbonIcmlPair at,
					RibbonVariant v)
{
	uint64_t head = places->heads[k], tail = places->tails[k];

	if (v.width == 128)
		return probe128_columns(at.low, at.high,
								(RibbonRow128){head, places->seconds[k]}, tail);
	return v.width == 64 ?
		eight64(at.low, at.high, head, tail) :
		eight32(at.low, at.high, (RibbonRow32) head, (RibbonRow32) tail);
}

#include "probe/kernel_table.h"

#endif
