/*
 * kernel_avx512_hash.h - what a probe makes of eight hashes at once
 *
 * As base/hash.h and probe/locate.h, for the eight words of a vector.
 */
#ifndef RIBBON_KERNEL_AVX512_HASH_H
#define RIBBON_KERNEL_AVX512_HASH_H

#include "format/buckets.h"
#include "probe/probes.h"

#include <immintrin.h>

KERNEL_INLINE __m512i
set64(uint64_t x)
{
	return _mm512_set1_epi64((long long) x);
}

KERNEL_INLINE __m512i
xor_high_half(__m512i x)
{
	return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
}

/* ribbon_mulhi, from products of 32 bits each */
KERNEL_INLINE __m512i
mulhi64(__m512i a, uint64_t b)
{
	__m512i b0 = set64(b), b1 = set64(b >> 32);
	__m512i a1 = _mm512_srli_epi64(a, 32);
	__m512i low = _mm512_mul_epu32(a, b0);
	__m512i mid = _mm512_add_epi64(_mm512_mul_epu32(a1, b0),
								   _mm512_srli_epi64(low, 32));
	__m512i mid2 = _mm512_add_epi64(_mm512_mul_epu32(a, b1),
									_mm512_and_si512(mid, set64(UINT32_MAX)));

	return _mm512_add_epi64(_mm512_mul_epu32(a1, b1),
							_mm512_add_epi64(_mm512_srli_epi64(mid, 32),
											 _mm512_srli_epi64(mid2, 32)));
}

/* ribbon_hash_coeff */
KERNEL_INLINE __m512i
hash_coeff64(__m512i hashes, uint64_t multiplier)
{
	__m512i c = xor_high_half(_mm512_mullo_epi64(hashes, set64(multiplier)));

	return xor_high_half(_mm512_mullo_epi64(c, set64(RIBBON_COEFF_MUL2)));
}

/* ribbon_row64_coeff */
KERNEL_INLINE __m512i
coeff64(__m512i hashes)
{
	return _mm512_or_si512(hash_coeff64(hashes, RIBBON_COEFF_MUL0), set64(1));
}

/* ribbon_hash_fingerprint */
KERNEL_INLINE __m512i
fingerprint64(__m512i hashes)
{
	return _mm512_srli_epi64(_mm512_mullo_epi64(hashes,
												set64(RIBBON_COEFF_MUL0)),
							 32);
}

/*
 * Of each of eight codes, the threshold of that number, 0 .. 3, from first on.
 * (Three bits of a code choose one of eight, which are four and the same four.)
 */
KERNEL_INLINE __m256i
choose_thresholds(const unsigned *first, __m256i codes)
{
	__m128i four = _mm_loadu_si128((const __m128i *) first);

	return _mm256_permutevar8x32_epi32(_mm256_broadcastsi128_si256(four),
									   codes);
}

/* Buckets of starts, and positions in them. */
KERNEL_INLINE __m512i
buckets_of(const RibbonPlan *plan, __m512i start)
{
	return _mm512_srl_epi64(start,
							_mm_cvtsi32_si128((int) plan->plane.buckets
												  .log2_size));
}

KERNEL_INLINE __m256i
positions_of(const RibbonPlan *plan, __m512i start)
{
	return _mm512_cvtepi64_epi32(_mm512_and_si512(start,
												  set64(plan->bucket_mask)));
}

/* ribbon_locate_bumps for width 32 or 64, as a mask */
KERNEL_INLINE __mmask8
bumped(const RibbonPlan *plan, const RibbonSystem *layer, __m512i start)
{
	__m512i bucket = buckets_of(plan, start);
	__m256i codes = _mm512_i64gather_epi32(_mm512_srli_epi64(bucket, 4),
										   layer->thresholds, 4);
	__m512i shift = _mm512_and_si512(_mm512_add_epi64(bucket, bucket),
									 set64(31));

	codes = _mm256_srlv_epi32(codes, _mm512_cvtepi64_epi32(shift));
	return _mm256_cmplt_epu32_mask(positions_of(plan, start),
								   choose_thresholds(plan->plane.buckets
														 .threshold,
													 codes));
}

/* ribbon_locate_bumps for any width: ribbon_buckets_grouped, as a mask */
static KERNEL_TARGET inline __mmask8
bumped_grouped(const RibbonPlan *plan, const RibbonSystem *layer, __m512i start)
{
	const RibbonBuckets *buckets = &plan->plane.buckets;
	const __m256i one = _mm256_set1_epi32(1);
	const __m256i last = _mm256_set1_epi32(RIBBON_GROUP_BUCKETS - 1);
	__m512i bucket = buckets_of(plan, start);
	__m512i group = _mm512_mullo_epi64(_mm512_srli_epi64(bucket, 6),
									   set64(RIBBON_GROUP_BYTES));
	__m512i byte = _mm512_srli_epi64(_mm512_and_si512(bucket, set64(63)), 3);
	__m256i k = _mm256_and_si256(_mm512_cvtepi64_epi32(bucket), last);
	__m256i exception, bits, threshold, share;
	__mmask8 is_named, is_for_all;

	if (!buckets->grouped)
		return bumped(plan, layer, start);
	/* a few bytes behind the last one are read, which are slots */
	exception = _mm512_i64gather_epi32(group, layer->thresholds, 1);
	exception = _mm256_and_si256(exception, _mm256_set1_epi32(255));
	bits = _mm512_i64gather_epi32(_mm512_add_epi64(group, byte),
								  layer->thresholds + 1, 1);
	bits = _mm256_srlv_epi32(bits, _mm256_and_si256(k, _mm256_set1_epi32(7)));

	is_named = _mm256_cmpeq_epi32_mask(_mm256_and_si256(exception, last), k);
	threshold = choose_thresholds(buckets->threshold + 1,
								  _mm256_maskz_srli_epi32(is_named, exception,
														  6));

	/* or one for all: so many 64ths of a bucket, where 63 are 64 */
	is_for_all = _mm256_cmplt_epu32_mask(_mm256_sub_epi32(exception, one),
										 _mm256_set1_epi32(RIBBON_GROUP_ALL));
	share =
		_mm256_mask_add_epi32(exception,
							  _mm256_cmpeq_epi32_mask(exception,
													  _mm256_set1_epi32(RIBBON_GROUP_ALL)),
							  exception, one);
	share = _mm256_sll_epi32(share,
							 _mm_cvtsi32_si128((int) buckets->log2_size));
	threshold = _mm256_mask_srli_epi32(threshold, is_for_all, share, 6);
	return _mm256_test_epi32_mask(bits, one) &
		_mm256_cmplt_epu32_mask(positions_of(plan, start), threshold);
}

/* Append first + i for the bits i of a mask to a list with room for eight. */
static KERNEL_TARGET inline unsigned
put_indexes(uint16_t *list, unsigned first, __mmask8 mask)
{
	__m128i indexes = _mm_add_epi16(_mm_set_epi16(7, 6, 5, 4, 3, 2, 1, 0),
									_mm_set1_epi16((short) first));

	_mm_storeu_si128((__m128i *) list, _mm_maskz_compress_epi16(mask, indexes));
	return (unsigned) _mm_popcnt_u32(mask);
}

#endif /* RIBBON_KERNEL_AVX512_HASH_H */
