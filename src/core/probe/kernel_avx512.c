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

#include "probe/locate.h"
#include "probe/find.h"
#include "probe/probes.h"

#include <immintrin.h>

#define KERNEL_TARGET \
	__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi2,avx512vpopcntdq,popcnt,bmi2")))
#define CACHED_BYTES (UINT64_C(8) << 20)

#define COLUMNS \
	static KERNEL_TARGET inline __attribute__((always_inline)) uint32_t

COLUMNS
probe32_columns(const uint8_t *low, const uint8_t *high, RibbonRow32 row,
				uint64_t offset)
{
	__m256i x = _mm256_shrdv_epi32(_mm256_loadu_si256((const __m256i *) low),
								   _mm256_loadu_si256((const __m256i *) high),
								   _mm256_set1_epi32((int) offset));

	x = _mm256_and_si256(x, _mm256_set1_epi32((int) row));
	return _mm256_movepi32_mask(_mm256_slli_epi32(_mm256_popcnt_epi32(x), 31));
}

COLUMNS
probe64_columns(const uint8_t *low, const uint8_t *high, RibbonRow64 row,
				uint64_t offset)
{
	__m512i x = _mm512_shrdv_epi64(_mm512_loadu_si512(low),
								   _mm512_loadu_si512(high),
								   _mm512_set1_epi64((long long) offset));

	x = _mm512_and_si512(x, _mm512_set1_epi64((long long) row));
	return _mm512_test_epi64_mask(_mm512_popcnt_epi64(x), _mm512_set1_epi64(1));
}

/*
 * A column is a pair of words here, so the row is moved to where the column's
 * slots are, rather than the other way round: four words, two for each block.
 * Of the words' parities, those of a pair are added up.
 */
COLUMNS
probe128_columns(const uint8_t *low, const uint8_t *high, RibbonRow128 row,
				 unsigned offset)
{
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

#undef COLUMNS

/*
 * What a batch needs of eight hashes at once.
 */
#define VECTOR static KERNEL_TARGET inline __m512i

VECTOR
set64(uint64_t x)
{
	return _mm512_set1_epi64((long long) x);
}

VECTOR
xor_high_half(__m512i x)
{
	return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
}

/* ribbon_mulhi, from products of 32 bits each */
VECTOR
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
VECTOR
hash_coeff64(__m512i hashes, uint64_t multiplier)
{
	__m512i c = xor_high_half(_mm512_mullo_epi64(hashes, set64(multiplier)));

	return xor_high_half(_mm512_mullo_epi64(c, set64(RIBBON_COEFF_MUL2)));
}

/* ribbon_row64_coeff */
VECTOR
coeff64(__m512i hashes)
{
	return _mm512_or_si512(hash_coeff64(hashes, RIBBON_COEFF_MUL0), set64(1));
}

/* ribbon_hash_fingerprint */
VECTOR
fingerprint64(__m512i hashes)
{
	return _mm512_srli_epi64(_mm512_mullo_epi64(xor_high_half(hashes),
												set64(RIBBON_PRINT_MUL)),
							 32);
}

/* ribbon_locate_bumps, as a mask */
static KERNEL_TARGET inline __mmask8
bumped(const RibbonPlane *plane, const RibbonSystem *layer, __m512i start)
{
	__m256i thresholds =
		_mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *) plane
														->buckets.threshold));
	__m512i bucket =
		_mm512_srl_epi64(start,
						 _mm_cvtsi32_si128((int) plane->buckets.log2_size));
	__m256i codes = _mm512_i64gather_epi32(_mm512_srli_epi64(bucket, 4),
										   layer->thresholds, 4);
	__m256i shift =
		_mm512_cvtepi64_epi32(_mm512_and_si512(_mm512_add_epi64(bucket, bucket),
											   set64(31)));
	__m256i position =
		_mm512_cvtepi64_epi32(_mm512_and_si512(start,
											   set64(plane->bucket_mask)));

	/* of eight thresholds, four and the same four, three bits choose one */
	codes = _mm256_srlv_epi32(codes, shift);
	return _mm256_cmplt_epu32_mask(position,
								   _mm256_permutevar8x32_epi32(thresholds,
															   codes));
}

/* The same of ribbon_locate_bumps_128: codes of groups. */
static KERNEL_TARGET inline __mmask8
bumped128(const RibbonPlane *plane, const RibbonSystem *layer, __m512i start)
{
	const RibbonBuckets *buckets = &plane->buckets;
	__m128i log2_size = _mm_cvtsi32_si128((int) buckets->log2_size);
	__m512i bucket = _mm512_srl_epi64(start, log2_size);
	__m512i k = _mm512_and_si512(bucket, set64(63));
	__m512i group = _mm512_mullo_epi64(_mm512_srli_epi64(bucket, 6),
									   set64(RIBBON_GROUP_BYTES));
	__m512i at = _mm512_add_epi64(group, _mm512_srli_epi64(k, 3));
	__m512i exception, bits, threshold;
	__mmask8 all;

	if (!buckets->grouped)
		return bumped(plane, layer, start);
	/* a few bytes behind the last one are read, which are slots */
	exception =
		_mm512_and_si512(_mm512_cvtepu32_epi64(_mm512_i64gather_epi32(group,
																	  layer
																		  ->thresholds,
																	  1)),
						 set64(255));
	bits = _mm512_cvtepu32_epi64(_mm512_i64gather_epi32(at,
														layer->thresholds + 1,
														1));
	bits = _mm512_srlv_epi64(bits, _mm512_and_si512(k, set64(7)));
	threshold = _mm512_srli_epi64(exception, 6);
	threshold =
		_mm512_maskz_mov_epi64(_mm512_cmpeq_epi64_mask(_mm512_and_si512(exception,
																		set64(63)),
													   k),
							   threshold);
	threshold =
		_mm512_cvtepu32_epi64(_mm512_castsi512_si256(_mm512_permutexvar_epi32(
			_mm512_zextsi256_si512(_mm512_cvtepi64_epi32(threshold)),
			_mm512_zextsi128_si512(_mm_loadu_si128((const __m128i
														*) (buckets->threshold +
															1))))));
	all = _mm512_cmplt_epu64_mask(_mm512_sub_epi64(exception, set64(1)),
								  set64(RIBBON_GROUP_ALL));
	/* 63 of 64 stand for all of a bucket */
	threshold = _mm512_mask_srli_epi64(
		threshold, all,
		_mm512_sll_epi64(_mm512_mask_mov_epi64(exception,
											   _mm512_cmpeq_epi64_mask(exception,
																	   set64(63)),
											   set64(64)),
						 log2_size),
		6);
	return _mm512_test_epi64_mask(bits, set64(1)) &
		_mm512_cmplt_epu64_mask(_mm512_and_si512(start,
												 set64(plane->bucket_mask)),
								threshold);
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

/* A RibbonBatchLoop of planes of one value bit: ribbon_column_bit. */
static KERNEL_TARGET void
column_vectors(const RibbonPlane *plane, const RibbonSystem *system,
			   RibbonBatch *batch)
{
	__m512i smash = set64(system->smash);
	__m512i whole = set64(system->whole);
	__m512i mask0 = set64(ribbon_low_mask(system->row_bits));
	__m512i mask1 = set64(system->row_bits < 128 ? 0 : UINT64_MAX);
	unsigned n = batch->nhashes;
	unsigned nrest = 0, nbumped = 0;

	for (unsigned i = 0; i < n; i += 8)
	{
		__mmask8 here = (__mmask8) (n - i < 8 ? (1u << (n - i)) - 1 : 255);
		__m512i hashes = _mm512_maskz_loadu_epi64(here, batch->hashes + i);
		__m512i start =
			_mm512_sub_epi64(_mm512_max_epu64(mulhi64(hashes, system->range),
											  smash),
							 smash);
		__mmask8 inside = _mm512_mask_cmplt_epu64_mask(here, start, whole);
		__m512i at, shift, low, middle, high, sum;

		start = _mm512_maskz_mov_epi64(inside, start);
		at = _mm512_srli_epi64(start, 3);
		shift = _mm512_and_si512(start, set64(7));
		low = _mm512_i64gather_epi64(at, system->slots, 1);
		middle = _mm512_i64gather_epi64(at, system->slots + 8, 1);
		high = _mm512_i64gather_epi64(at, system->slots + 9, 1);
		low = _mm512_shrdv_epi64(low, middle, shift);
		/* bits from 64 + shift on; those from 72 on are in both */
		high = _mm512_or_si512(_mm512_srlv_epi64(middle, shift),
							   _mm512_sllv_epi64(high,
												 _mm512_sub_epi64(set64(8),
																  shift)));
		low = _mm512_and_si512(low, _mm512_and_si512(coeff64(hashes), mask0));
		sum =
			_mm512_xor_si512(low,
							 _mm512_and_si512(high,
											  _mm512_and_si512(hash_coeff64(hashes,
																			RIBBON_COEFF_MUL1),
															   mask1)));
		_mm512_mask_storeu_epi64(batch->codes + i, here,
								 _mm512_and_si512(_mm512_popcnt_epi64(sum),
												  set64(1)));
		nrest += put_indexes(batch->rest + nrest, i,
							 (__mmask8) (here & ~inside));
		nbumped += put_indexes(batch->bumped + nbumped, i,
							   inside & bumped128(plane, system, start));
	}
	batch->nrest = nrest;
	batch->nbumped = nbumped;
	memset(batch->answers, true, n * sizeof(bool));
}

#undef VECTOR

#define COLUMN_BATCH column_vectors

#define OFFSET uint64_t
#define VECTOR_BATCH
#define RIBBON_BITS 32
#include "probe/probe_template.h"
#define RIBBON_BITS 64
#include "probe/probe_template.h"
#undef VECTOR_BATCH
#undef OFFSET
#define RIBBON_BITS 128
#include "probe/probe_template.h"

const RibbonProbes *const ribbon_probes_avx512[3] = {&probe32_loops,
													 &probe64_loops,
													 &probe128_loops};

#endif
