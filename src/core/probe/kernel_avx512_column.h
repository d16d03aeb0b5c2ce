/*
 * kernel_avx512_column.h - a batch in a plane of one value bit, with AVX-512
 *
 * ribbon_column_bit for eight hashes at once; three gathers load their slots.
 */
#ifndef RIBBON_KERNEL_AVX512_COLUMN_H
#define RIBBON_KERNEL_AVX512_COLUMN_H

#include "probe/kernel_avx512_hash.h"

#include <string.h>

/* A RibbonFindBatch: as column_batch. */
static KERNEL_TARGET void
vector_column(const RibbonPlane *plane, const RibbonSystem *system,
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
							   inside & bumped_grouped(plane, system, start));
	}
	batch->nrest = nrest;
	batch->nbumped = nbumped;
	memset(batch->answers, true, n * sizeof(bool));
}

#endif /* RIBBON_KERNEL_AVX512_COLUMN_H */
