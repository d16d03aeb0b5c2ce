/*
 * kernel_avx2_lanes.h - the lanes of a kernel (kernel_batch.h), with AVX2
 */
#ifndef RIBBON_KERNEL_AVX2_LANES_H
#define RIBBON_KERNEL_AVX2_LANES_H

#include "format/icml.h"
#include "probe/probes.h"

#include <immintrin.h>
#include <string.h>

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
batch_put_row(RibbonBatch *batch, unsigned i, Lanes row, Lanes start,
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
	memcpy(batch->heads + i, &head, sizeof(head));
	memcpy(batch->tails + i, &tail, sizeof(tail));
}

KERNEL_INLINE uint32_t
batch_eight_columns(const RibbonBatch *batch, unsigned i, RibbonIcmlPair at,
					RibbonVariant v)
{
	uint64_t head = batch->heads[i], tail = batch->tails[i];

	if (v.width == 128)
		return probe128_columns(at.low, at.high,
								(RibbonRow128){head, batch->seconds[i]}, tail);
	return v.width == 64 ?
		eight64(at.low, at.high, head, tail) :
		eight32(at.low, at.high, (RibbonRow32) head, (RibbonRow32) tail);
}

#endif /* RIBBON_KERNEL_AVX2_LANES_H */
