/*
 * kernel_avx512_lanes.h - the lanes of a kernel (kernel_batch.h), with AVX-512
 *
 * The functions are those of kernel_avx2_lanes.h.
 */
#ifndef RIBBON_KERNEL_AVX512_LANES_H
#define RIBBON_KERNEL_AVX512_LANES_H

#include "probe/probes.h"

#include <immintrin.h>

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

#endif /* RIBBON_KERNEL_AVX512_LANES_H */
