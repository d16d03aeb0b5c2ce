/*
 * kernel_avx2.c - the inner loops for AVX2
 *
 * As kernel_avx512.c, four words at a time, and with what AVX2 lacks made up:
 * the shift across two blocks is two shifts, and a parity is folded to four
 * bits, looked up with PSHUFB, and summed over a word's bytes with PSADBW.
 */
#if defined(__x86_64__)

#include "icml.h"
#include "kernel.h"
#include "sweep_step.h"

#include <immintrin.h>

#define KERNEL_TARGET __attribute__((target("avx2,bmi2,popcnt")))

/* Loading from here + 8 - n gives a mask of n words of 32 bits. */
static const int32_t load_masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1,
									   0,  0,  0,  0,  0,  0,  0,  0};

static KERNEL_TARGET inline __m256i
first_words32(unsigned n)
{
	return _mm256_loadu_si256((const __m256i *) (load_masks + 8 -
												 (n < 8 ? n : 8)));
}

/* The parity of each byte, in its lowest bit. */
static KERNEL_TARGET inline __m256i
byte_parities(__m256i x)
{
	const __m256i parities =
		_mm256_broadcastsi128_si256(_mm_set_epi8(0, 1, 1, 0, 1, 0, 0, 1, 1, 0,
												 0, 1, 0, 1, 1, 0));

	x = _mm256_xor_si256(x, _mm256_srli_epi64(x, 4));
	x = _mm256_and_si256(x, _mm256_set1_epi8(15));
	return _mm256_shuffle_epi8(parities, x);
}

/* The parity of each 64-bit word, in its lowest bit; above it, anything. */
static KERNEL_TARGET inline __m256i
word_parities(__m256i x)
{
	return _mm256_sad_epu8(byte_parities(x), _mm256_setzero_si256());
}

/* The words' lowest bits, as a number. */
static KERNEL_TARGET inline uint32_t
lowest_bits64(__m256i x)
{
	return (uint32_t)
		_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64(x, 63)));
}

/* 64 bits from shift on, of low with high behind it; shift from 0 to 64. */
static KERNEL_TARGET inline __m256i
funnel64(__m256i low, __m256i high, unsigned shift)
{
	return _mm256_or_si256(_mm256_srl_epi64(low,
											_mm_cvtsi32_si128((int) shift)),
						   _mm256_sll_epi64(high,
											_mm_cvtsi32_si128(64 -
															  (int) shift)));
}

static KERNEL_TARGET bool
probe32_loop(const RibbonRegion *region, uint64_t word, uint64_t start,
			 uint32_t result)
{
	__m256i row = _mm256_set1_epi32((int) ribbon_row32_coeff(word, 32));
	int offset = (int) (start % 32);
	unsigned nbits = ribbon_region_bits(region, word);
	uint32_t differences = 0;
	RibbonIcmlPair at;

	if (RIBBON_UNLIKELY(ribbon_probe_is_end(region, start)))
		return ribbon_probe_end(region, word, start, result);
	at = ribbon_icml_pair(region, start);
	for (unsigned i = 0; i < nbits; i += 8)
	{
		__m256i mask = first_words32(nbits - i);
		__m256i a = _mm256_maskload_epi32((const int *) (at.low + i * 4), mask);
		__m256i b = _mm256_maskload_epi32((const int *) (at.high + i * 4),
										  mask);
		__m256i x;
		uint32_t bits;

		x = _mm256_or_si256(_mm256_srl_epi32(a, _mm_cvtsi32_si128(offset)),
							_mm256_sll_epi32(b,
											 _mm_cvtsi32_si128(32 - offset)));
		x = _mm256_and_si256(x, row);
		x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 16));
		x = _mm256_xor_si256(x, _mm256_slli_epi32(x, 8));
		x = _mm256_slli_epi32(byte_parities(x), 7);
		bits = (uint32_t) _mm256_movemask_ps(_mm256_castsi256_ps(x));
		differences |= bits ^
			(result >> i & (uint32_t) ribbon_low_mask(nbits - i) & 255);
	}
	return differences == 0;
}

static KERNEL_TARGET bool
probe64_loop(const RibbonRegion *region, uint64_t word, uint64_t start,
			 uint32_t result)
{
	__m256i row = _mm256_set1_epi64x((long long) ribbon_row64_coeff(word, 64));
	unsigned offset = (unsigned) (start % 64);
	unsigned nbits = ribbon_region_bits(region, word);
	uint32_t differences = 0;
	RibbonIcmlPair at;

	if (RIBBON_UNLIKELY(ribbon_probe_is_end(region, start)))
		return ribbon_probe_end(region, word, start, result);
	at = ribbon_icml_pair(region, start);
	for (unsigned i = 0; i < nbits; i += 4)
	{
		__m256i mask = first_words32(2 * (nbits - i));
		__m256i a = _mm256_maskload_epi64((const long long *) (at.low + i * 8),
										  mask);
		__m256i b = _mm256_maskload_epi64((const long long *) (at.high + i * 8),
										  mask);
		__m256i x = _mm256_and_si256(funnel64(a, b, offset), row);

		differences |= lowest_bits64(word_parities(x)) ^
			(result >> i & (uint32_t) ribbon_low_mask(nbits - i) & 15);
	}
	return differences == 0;
}

static KERNEL_TARGET bool
probe128_loop(const RibbonRegion *region, uint64_t word, uint64_t start,
			  uint32_t result)
{
	RibbonRow128 coeff = ribbon_row128_coeff(word, 128);
	__m256i row = _mm256_set_epi64x((long long) coeff.hi, (long long) coeff.lo,
									(long long) coeff.hi, (long long) coeff.lo);
	unsigned offset = (unsigned) (start % 128);
	unsigned nbits = ribbon_region_bits(region, word);
	uint32_t differences = 0;
	RibbonIcmlPair at;

	if (RIBBON_UNLIKELY(ribbon_probe_is_end(region, start)))
		return ribbon_probe_end(region, word, start, result);
	at = ribbon_icml_pair(region, start);
	for (unsigned i = 0; i < nbits; i += 2)
	{
		__m256i mask = first_words32(4 * (nbits - i));
		__m256i a = _mm256_maskload_epi64((const long long *) (at.low + i * 16),
										  mask);
		__m256i b =
			_mm256_maskload_epi64((const long long *) (at.high + i * 16), mask);
		__m256i middle = _mm256_alignr_epi8(b, a, 8);
		__m256i x = offset < 64 ? funnel64(a, middle, offset) :
								  funnel64(middle, b, offset - 64);

		x = word_parities(_mm256_and_si256(x, row));
		x = _mm256_xor_si256(x, _mm256_shuffle_epi32(x, 0x4E));
		differences |= (_pext_u32(lowest_bits64(x), 5) ^ result >> i) &
			(uint32_t) ribbon_low_mask(nbits - i) & 3;
	}
	return differences == 0;
}

#define RIBBON_BITS 32
#include "backsubst_template.h"
#define RIBBON_BITS 64
#include "backsubst_template.h"
#define RIBBON_BITS 128
#include "backsubst_template.h"

const RibbonKernel ribbon_kernel_avx2 = {
	"avx2",
	{probe32_loop, probe64_loop, probe128_loop},
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	{ribbon_sweep32_advance, ribbon_sweep64_advance, ribbon_sweep128_advance},
};

#endif
