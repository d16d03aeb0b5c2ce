/*
 * kernel_avx512.c - the inner loops for AVX-512 with VBMI2 and VPOPCNTDQ
 *
 * The columns of a block are adjacent words, so one load brings eight of them
 * (w = 64; sixteen for w = 32, four for w = 128), and a probe is
 *
 *----------
 *	 load 8 columns of block j, and of block j + 1
 *	 VPSHRDV	the w bits from the starting position on, for each column
 *	 AND		with the coefficient row
 *	 VPOPCNT	and its lowest bit: the 8 result bits, as a mask
 *	 compare	with the key's
 *----------
 *
 * without a branch.  Masked loads read no byte of a column that is not there.
 */
#if defined(__x86_64__)

#include "icml.h"
#include "kernel.h"
#include "sweep_step.h"

#include <immintrin.h>

#define KERNEL_TARGET \
	__attribute__((target("avx512f,avx512bw,avx512dq,avx512vbmi2,avx512vpopcntdq,popcnt,bmi2")))

static KERNEL_TARGET bool
probe32_loop(const RibbonRegion *region, uint64_t word, uint64_t start,
			 uint32_t result)
{
	__m512i row = _mm512_set1_epi32((int) ribbon_row32_coeff(word, 32));
	__m512i shift = _mm512_set1_epi32((int) (start % 32));
	unsigned nbits = ribbon_region_bits(region, word);
	uint32_t differences = 0;
	RibbonIcmlPair at;

	if (RIBBON_UNLIKELY(ribbon_probe_is_end(region, start)))
		return ribbon_probe_end(region, word, start, result);
	at = ribbon_icml_pair(region, start);
	for (unsigned i = 0; i < nbits; i += 16)
	{
		__mmask16 mask = (__mmask16) ribbon_low_mask(nbits - i);
		__m512i low = _mm512_maskz_loadu_epi32(mask, at.low + i * 4);
		__m512i high = _mm512_maskz_loadu_epi32(mask, at.high + i * 4);
		__m512i x = _mm512_and_si512(_mm512_shrdv_epi32(low, high, shift), row);
		__mmask16 bits = _mm512_test_epi32_mask(_mm512_popcnt_epi32(x),
												_mm512_set1_epi32(1));

		differences |= bits ^ (result >> i & mask);
	}
	return differences == 0;
}

static KERNEL_TARGET bool
probe64_loop(const RibbonRegion *region, uint64_t word, uint64_t start,
			 uint32_t result)
{
	__m512i row = _mm512_set1_epi64((long long) ribbon_row64_coeff(word, 64));
	__m512i shift = _mm512_set1_epi64((long long) (start % 64));
	unsigned nbits = ribbon_region_bits(region, word);
	uint32_t differences = 0;
	RibbonIcmlPair at;

	if (RIBBON_UNLIKELY(ribbon_probe_is_end(region, start)))
		return ribbon_probe_end(region, word, start, result);
	at = ribbon_icml_pair(region, start);
	for (unsigned i = 0; i < nbits; i += 8)
	{
		__mmask8 mask = (__mmask8) ribbon_low_mask(nbits - i);
		__m512i low = _mm512_maskz_loadu_epi64(mask, at.low + i * 8);
		__m512i high = _mm512_maskz_loadu_epi64(mask, at.high + i * 8);
		__m512i x = _mm512_and_si512(_mm512_shrdv_epi64(low, high, shift), row);
		__mmask8 bits = _mm512_test_epi64_mask(_mm512_popcnt_epi64(x),
											   _mm512_set1_epi64(1));

		differences |= bits ^ (result >> i & mask);
	}
	return differences == 0;
}

/*
 * A column is a pair of words.  Seen as one run of four (low pair, high pair),
 * the slots from offset on begin in its first or its second word.
 */
static KERNEL_TARGET bool
probe128_loop(const RibbonRegion *region, uint64_t word, uint64_t start,
			  uint32_t result)
{
	RibbonRow128 coeff = ribbon_row128_coeff(word, 128);
	__m512i row = _mm512_broadcast_i32x4(_mm_set_epi64x((long long) coeff.hi,
														(long long) coeff.lo));
	unsigned offset = (unsigned) (start % 128);
	__m512i shift = _mm512_set1_epi64(offset % 64);
	unsigned nbits = ribbon_region_bits(region, word);
	uint32_t differences = 0;
	RibbonIcmlPair at;

	if (RIBBON_UNLIKELY(ribbon_probe_is_end(region, start)))
		return ribbon_probe_end(region, word, start, result);
	at = ribbon_icml_pair(region, start);
	for (unsigned i = 0; i < nbits; i += 4)
	{
		__mmask8 mask = (__mmask8) ribbon_low_mask(2 * (nbits - i));
		__m512i low = _mm512_maskz_loadu_epi64(mask, at.low + i * 16);
		__m512i high = _mm512_maskz_loadu_epi64(mask, at.high + i * 16);
		__m512i middle = _mm512_alignr_epi8(high, low, 8);
		__m512i x = offset < 64 ? _mm512_shrdv_epi64(low, middle, shift) :
								  _mm512_shrdv_epi64(middle, high, shift);
		__mmask8 bits;

		x = _mm512_popcnt_epi64(_mm512_and_si512(x, row));
		x = _mm512_xor_si512(x, _mm512_shuffle_epi32(x, _MM_PERM_BADC));
		bits = _mm512_test_epi64_mask(x, _mm512_set1_epi64(1));
		differences |= (_pext_u32(bits, 0x55) ^ result >> i) &
			(uint32_t) ribbon_low_mask(nbits - i) & 15;
	}
	return differences == 0;
}

/* The result bits of eight columns, as 0 or 1 in eight words. */
static KERNEL_TARGET inline __m512i
spread_bits(uint32_t result, unsigned first)
{
	const __m512i lanes = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);

	return _mm512_srlv_epi64(_mm512_set1_epi64(result >> first), lanes);
}

/*
 * Back substitution with columns of 64 bits, eight to a register.  What a step
 * must wait for is short: shift, AND, VPOPCNT, and one VPTERNLOG that brings
 * in the result's bit and drops all but the lowest.
 */
static KERNEL_TARGET RibbonStatus
backsubst64_loop(const RibbonEnv *env, const RibbonBand *band,
				 const RibbonRegion *region, RibbonFreeSlots free_slots,
				 uint8_t *slots)
{
	const RibbonRow64 *coeff = (const RibbonRow64 *) band->coeff;
	const __m512i one = _mm512_set1_epi64(1);
	unsigned ncolumns = region->columns + (region->wide > 0);
	unsigned ngroups = (ncolumns + 7) / 8;
	uint64_t nfree = 0;
	__m512i words[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(),
						_mm512_setzero_si512(), _mm512_setzero_si512()};

	for (uint64_t slot = region->nslots; slot-- > 0;)
	{
		__m512i row = _mm512_set1_epi64((long long) coeff[slot]);
		uint32_t result = 0;

		if (RIBBON_UNLIKELY(coeff[slot] == 0))
		{
			if (free_slots == RIBBON_FREE_UNIT)
				result = ribbon_backsubst_unit_row(region->columns, nfree++);
		}
		else
			result = ribbon_band_result(band, slot);

		for (unsigned g = 0; g < ngroups; g++)
		{
			__m512i word = _mm512_add_epi64(words[g], words[g]);
			__m512i sum = _mm512_popcnt_epi64(_mm512_and_si512(word, row));

			sum = _mm512_xor_si512(sum, spread_bits(result, 8 * g));
			/* word | (sum & 1) */
			words[g] = _mm512_ternarylogic_epi64(word, sum, one, 0xF8);
		}

		if (slot % 64 == 0)
		{
			RibbonRow64 columns[32];

			for (unsigned g = 0; g < ngroups; g++)
				_mm512_storeu_si512(columns + 8 * g, words[g]);
			ribbon_icml64_store(region, slot / 64, columns, slots);
			if (slot % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	return RIBBON_OK;
}

#define RIBBON_BITS 32
#include "backsubst_template.h"
#define RIBBON_BITS 128
#include "backsubst_template.h"

const RibbonKernel ribbon_kernel_avx512 = {
	"avx512",
	{probe32_loop, probe64_loop, probe128_loop},
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	{ribbon_sweep32_advance_avx512, ribbon_sweep64_advance_avx512,
	 ribbon_sweep128_advance_avx512},
};

#endif
