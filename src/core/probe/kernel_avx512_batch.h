/*
 * kernel_avx512_batch.h - a batch in one system, with AVX-512
 *
 * As kernel_batch.h, for w = 32 and 64.  All that leads from hashes to places,
 * rows and fingerprints is done for eight hashes at once.  What is left to do
 * for each of them alone is to load its columns, and a few instructions, which
 * leave its result bits in a word.  These are compared for the whole batch.
 */
#ifndef RIBBON_KERNEL_AVX512_BATCH_H
#define RIBBON_KERNEL_AVX512_BATCH_H

#include "probe/kernel_avx512_hash.h"
#include "probe/kernel_slots.h"

#include <string.h>

/* Have all blocks of a system as many columns? */
KERNEL_INLINE bool
vector_is_even(const RibbonSystem *system)
{
	return system->wide_block == RIBBON_NO_BLOCK;
}

/* As ribbon_icml_pair, in bytes from the first slot on: set lows and highs. */
KERNEL_INLINE void
vector_pairs(const RibbonSystem *system, RibbonBatch *batch, unsigned i,
			 __m512i start, RibbonVariant v)
{
	const unsigned log2_width = v.width == 32 ? 5 : 6;
	const __m512i columns = set64(system->result_bits);
	const __m512i wide_block = set64(system->wide_block);
	__m512i block = _mm512_srli_epi64(start, log2_width);
	__m512i low = _mm512_mullo_epi64(block, columns);

	if (!vector_is_even(system))
	{
		__mmask8 is_wide = _mm512_cmpge_epu64_mask(block, wide_block);
		__m512i high;

		low = _mm512_mask_add_epi64(low, is_wide, low,
									_mm512_sub_epi64(block, wide_block));
		high = _mm512_add_epi64(low, columns);
		high = _mm512_mask_add_epi64(high, is_wide, high, set64(1));
		_mm512_storeu_si512(batch->highs + i,
							_mm512_slli_epi64(high, log2_width - 3));
	}
	_mm512_storeu_si512(batch->lows + i,
						_mm512_slli_epi64(low, log2_width - 3));
}

/* Begin to load both blocks of a hash, from low on. */
KERNEL_INLINE void
vector_prefetch(const RibbonSystem *system, const uint8_t *low, RibbonVariant v)
{
	unsigned bytes = (2 * system->result_bits + !vector_is_even(system)) *
		(v.width / 8);

	if (ribbon_shape_groups(v.shape) == 1)
	{
		/* at most two lines' worth: these touch all that it lies in */
		__builtin_prefetch(low);
		if (v.width > 32)
			__builtin_prefetch(low + bytes / 2);
	}
	else
		for (unsigned b = 0; b < bytes; b += 64)
			__builtin_prefetch(low + b);
	__builtin_prefetch(low + bytes - 1);
}

/*
 * Does a hash begin to be loaded as soon as its place is known?  That is best
 * for few lines (10^7 keys at 1 %: 9.1 ns instead of 10.1).  More lines would
 * wait for one another: then each begins when the one RIBBON_AHEAD before it is
 * answered (10^6 keys, 15 columns: 7.3 ns instead of 8.1).
 */
KERNEL_INLINE bool
vector_prefetches_at_once(RibbonVariant v)
{
	return ribbon_shape_groups(v.shape) == 1;
}

/* As batch_places; begins to load them if that is done at once. */
KERNEL_INLINE void
vector_places(const RibbonPlan *plan, const RibbonSystem *system,
			  RibbonBatch *batch, unsigned first, unsigned end, RibbonVariant v)
{
	for (unsigned i = first; i < end; i += 8)
	{
		__mmask8 all = (__mmask8) ribbon_low_mask(end - i < 8 ? end - i : 8);
		__m512i hashes = _mm512_maskz_loadu_epi64(all, batch->hashes + i);
		__m512i start = _mm512_sub_epi64(mulhi64(hashes, system->range),
										 set64(system->smash));
		__mmask8 whole = _mm512_mask_cmplt_epu64_mask(all, start,
													  set64(system->whole));

		batch->nrest += put_indexes(batch->rest + batch->nrest, i,
									(__mmask8) (all & ~whole));
		start = _mm512_maskz_mov_epi64(whole, start);
		if (plan->plane.kind != RIBBON_HOMOGENEOUS)
			batch->nbumped +=
				put_indexes(batch->bumped + batch->nbumped, i,
							(__mmask8) (whole & bumped(plan, system, start)));
		_mm512_storeu_si512(batch->starts + i, start);
		_mm512_storeu_si512(batch->rows + i, coeff64(hashes));
		vector_pairs(system, batch, i, start, v);
	}
	/* planes of half a megabyte are in near caches anyhow */
	if (vector_prefetches_at_once(v) && plan->plane.total_bytes > 1 << 19)
		for (unsigned i = first; i < end; i++)
			vector_prefetch(system, system->slots + batch->lows[i], v);
}

/* The result bits of hashes first .. end - 1, whose places are known: codes. */
KERNEL_INLINE void
vector_read(const RibbonSystem *system, RibbonBatch *batch, unsigned first,
			unsigned end, bool is_even, RibbonVariant v)
{
	const uint8_t *slots = system->slots;
	size_t block_bytes = (size_t) system->result_bits * (v.width / 8);
	uint64_t *restrict results = batch->codes;

	for (unsigned i = first; i < end; i++)
	{
		const uint8_t *low = slots + batch->lows[i];
		RibbonIcmlPair at = {low,
							 is_even ? low + block_bytes :
									   slots + batch->highs[i]};
		RibbonRow128 row = {batch->rows[i], 0};

		if (!vector_prefetches_at_once(v) && i + RIBBON_AHEAD < batch->nhashes)
			vector_prefetch(system, slots + batch->lows[i + RIBBON_AHEAD], v);
		results[i] = find_result_bits(system, at, row, batch->starts[i], v);
	}
}

/*
 * The answers that a batch's result bits give: as ribbon_system_answer, for a
 * filter as for a map without values.
 */
static KERNEL_TARGET __attribute__((noinline)) void
vector_answers(const RibbonPlan *plan, const RibbonSystem *system,
			   RibbonBatch *batch)
{
	unsigned n = batch->nhashes;
	unsigned nvalues = system->value_bits;
	const __m128i value_bits = _mm_cvtsi32_si128((int) nvalues);
	const __m128i check_bits = _mm_cvtsi32_si128(system->check_bits);
	const __m512i value = set64(ribbon_low_mask(nvalues));
	const __m512i first = set64(ribbon_low_mask(system->check_bits));
	uint64_t narrow = ribbon_low_mask(system->result_bits - nvalues);
	const __m512i last_narrow = set64(system->last_narrow);
	const uint64_t *restrict all_hashes = batch->hashes;
	uint64_t *restrict codes = batch->codes;
	bool *restrict answers = batch->answers;
	bool homogeneous = plan->plane.kind == RIBBON_HOMOGENEOUS;

	if (system->check_bits == 0) /* so wide is 0, too */
	{
		for (unsigned i = 0; i < n; i++)
			codes[i] &= ribbon_low_mask(nvalues);
		memset(answers, true, n);
		return;
	}
	for (unsigned i = 0; i < n; i += 8)
	{
		__mmask8 here = (__mmask8) ribbon_low_mask(n - i < 8 ? n - i : 8);
		__m512i hashes = _mm512_maskz_loadu_epi64(here, all_hashes + i);
		__m512i bits = _mm512_maskz_loadu_epi64(here, codes + i);
		__mmask8 is_wide = _mm512_cmpgt_epu64_mask(hashes, last_narrow);
		__m512i checked = _mm512_mask_mov_epi64(set64(narrow), is_wide,
												set64(narrow << 1 | 1));
		__m512i code = _mm512_setzero_si512();

		if (nvalues > 0)
		{
			code = _mm512_and_si512(_mm512_srl_epi64(bits, check_bits), value);
			/* one more check bit may be behind the value */
			bits = _mm512_ternarylogic_epi64(first, bits,
											 _mm512_srl_epi64(bits, value_bits),
											 0xCA);
		}
		if (!homogeneous)
			bits = _mm512_xor_si512(bits, fingerprint64(hashes));
		_mm512_mask_storeu_epi64(codes + i, here, code);
		_mm_mask_storeu_epi8(answers + i, here,
							 _mm_maskz_set1_epi8(_mm512_testn_epi64_mask(bits,
																		 checked),
												 1));
	}
}

/* As batch_system. */
KERNEL_INLINE void
vector_system(const RibbonPlan *plan, const RibbonSystem *system,
			  RibbonBatch *batch, RibbonVariant v)
{
	unsigned n = batch->nhashes;

	batch->nbumped = batch->nrest = 0;
	for (unsigned begin = 0, end = 0; begin < n;)
	{
		unsigned next = n - end < RIBBON_AHEAD ? n : end + RIBBON_AHEAD;

		vector_places(plan, system, batch, end, next, v);
		if (vector_is_even(system)) /* all steps the same way */
			vector_read(system, batch, begin, end, true, v);
		else
			vector_read(system, batch, begin, end, false, v);
		begin = end;
		end = next;
	}
	vector_answers(plan, system, batch);
}

#endif /* RIBBON_KERNEL_AVX512_BATCH_H */
