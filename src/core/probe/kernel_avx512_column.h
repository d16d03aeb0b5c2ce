/*
 * kernel_avx512_column.h - a batch in a plane of one value bit, with AVX-512
 *
 * ribbon_column_bit for eight hashes at once; three gathers load their slots.
 */
#ifndef RIBBON_KERNEL_AVX512_COLUMN_H
#define RIBBON_KERNEL_AVX512_COLUMN_H

#include "probe/kernel_avx512_hash.h"

#include <string.h>

/* Coefficient rows of system->row_bits bits: two words for each hash. */
KERNEL_INLINE void
vector_rows(const RibbonSystem *system, __m512i hashes, __m512i *low,
			__m512i *high)
{
	__m512i second = hash_coeff64(hashes, RIBBON_COEFF_MUL1);

	*low = _mm512_and_si512(coeff64(hashes),
							set64(ribbon_low_mask(system->row_bits)));
	*high = _mm512_and_si512(second,
							 set64(system->row_bits < 128 ? 0 : UINT64_MAX));
}

/* The 128 slots from each start on, as two words. */
KERNEL_INLINE void
vector_slots(const RibbonSystem *system, __m512i start, __m512i *low,
			 __m512i *high)
{
	__m512i at = _mm512_srli_epi64(start, 3);
	__m512i shift = _mm512_and_si512(start, set64(7));
	__m512i back = _mm512_sub_epi64(set64(8), shift);
	__m512i first = _mm512_i64gather_epi64(at, system->slots, 1);
	__m512i middle = _mm512_i64gather_epi64(at, system->slots + 8, 1);
	__m512i last = _mm512_i64gather_epi64(at, system->slots + 9, 1);

	*low = _mm512_shrdv_epi64(first, middle, shift);
	/* from bit 64 + shift on; bits from 72 on are in both words */
	*high = _mm512_or_si512(_mm512_srlv_epi64(middle, shift),
							_mm512_sllv_epi64(last, back));
}

/* The value bits of eight hashes, whose starts are below system->whole. */
KERNEL_INLINE __m512i
vector_bits(const RibbonSystem *system, __m512i hashes, __m512i start)
{
	__m512i low_row, high_row, low, high, sum;

	vector_rows(system, hashes, &low_row, &high_row);
	vector_slots(system, start, &low, &high);
	sum = _mm512_xor_si512(_mm512_and_si512(low, low_row),
						   _mm512_and_si512(high, high_row));
	return _mm512_and_si512(_mm512_popcnt_epi64(sum), set64(1));
}

/* A RibbonFindBatch: as column_batch. */
static KERNEL_TARGET void
vector_column(const RibbonPlan *plan, const RibbonSystem *system,
			  RibbonBatch *batch)
{
	__m512i smash = set64(system->smash);
	unsigned n = batch->nhashes;
	unsigned nrest = 0, nbumped = 0;

	for (unsigned i = 0; i < n; i += 8)
	{
		__mmask8 here = (__mmask8) (n - i < 8 ? (1u << (n - i)) - 1 : 255);
		__m512i hashes = _mm512_maskz_loadu_epi64(here, batch->hashes + i);
		__m512i least = _mm512_max_epu64(mulhi64(hashes, system->range), smash);
		__m512i start = _mm512_sub_epi64(least, smash);
		__mmask8 inside = _mm512_mask_cmplt_epu64_mask(here, start,
													   set64(system->whole));

		start = _mm512_maskz_mov_epi64(inside, start);
		_mm512_mask_storeu_epi64(batch->codes + i, here,
								 vector_bits(system, hashes, start));
		nrest += put_indexes(batch->rest + nrest, i,
							 (__mmask8) (here & ~inside));
		nbumped += put_indexes(batch->bumped + nbumped, i,
							   inside & bumped_grouped(plan, system, start));
	}
	batch->nrest = nrest;
	batch->nbumped = nbumped;
	memset(batch->answers, true, n * sizeof(bool));
}

#endif /* RIBBON_KERNEL_AVX512_COLUMN_H */
