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

	if (!ribbon_shape_is_even(v.shape))
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

/*
 * What to compare check bits with: fingerprints, and whether one bit more of
 * them is checked.
 */
KERNEL_INLINE void
vector_checks(const RibbonSystem *system, RibbonBatch *batch, unsigned i,
			  __m512i hashes, RibbonVariant v)
{
	__mmask8 wide = _mm512_cmpgt_epu64_mask(hashes, set64(system->last_narrow));

	if (ribbon_shape_is_unchecked(v.shape))
		return;
	if (!v.homogeneous)
		_mm256_storeu_si256((__m256i *) (batch->prints + i),
							_mm512_cvtepi64_epi32(fingerprint64(hashes)));
	if (v.shape != RIBBON_UNIFORM_8)
		_mm_storel_epi64((__m128i *) (batch->wide + i),
						 _mm512_cvtepi64_epi8(_mm512_maskz_mov_epi64(wide,
																	 set64(1))));
}

/* Begin to load both blocks of a hash, which begin at low. */
KERNEL_INLINE void
vector_prefetch(const RibbonSystem *system, const uint8_t *low, RibbonVariant v)
{
	bool even = ribbon_shape_is_even(v.shape);
	unsigned bytes = (2 * system->result_bits + !even) * (v.width / 8);

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
 * for few lines (w = 64, 10^7 keys at 1 %: 9.1 ns instead of 10.1).  More
 * lines, for sixteen hashes at once, would wait for one another, and the
 * answers for all of them.  Then a hash begins to be loaded when the one that
 * is RIBBON_AHEAD before it is answered (10^6 keys, 15 columns: 7.3 ns instead
 * of 8.1).
 */
KERNEL_INLINE bool
vector_prefetches_at_once(RibbonVariant v)
{
	return ribbon_shape_groups(v.shape) == 1;
}

/* As batch_places; begins to load them if that is done at once. */
KERNEL_INLINE void
vector_places(const RibbonPlane *plane, const RibbonSystem *system,
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
		if (!v.homogeneous)
			batch->nbumped +=
				put_indexes(batch->bumped + batch->nbumped, i,
							(__mmask8) (whole & bumped(plane, system, start)));
		_mm512_storeu_si512(batch->starts + i, start);
		_mm512_storeu_si512(batch->rows + i, coeff64(hashes));
		vector_pairs(system, batch, i, start, v);
		vector_checks(system, batch, i, hashes, v);
	}
	for (unsigned i = first; vector_prefetches_at_once(v) && i < end; i++)
		vector_prefetch(system, system->slots + batch->lows[i], v);
}

/* Where a hash's result bits are put: in a map, in the place of its code. */
KERNEL_INLINE uint64_t *
vector_results(RibbonBatch *batch, RibbonVariant v)
{
	return v.is_map ? batch->codes : batch->results;
}

/* The result bits of hashes first .. end - 1, whose places are known. */
KERNEL_INLINE void
vector_read(const RibbonSystem *system, RibbonBatch *batch, unsigned first,
			unsigned end, RibbonVariant v)
{
	const uint8_t *slots = system->slots;
	size_t block_bytes = (size_t) system->result_bits * (v.width / 8);
	uint64_t *restrict results = vector_results(batch, v);

	for (unsigned i = first; i < end; i++)
	{
		const uint8_t *low = slots + batch->lows[i];
		RibbonIcmlPair at = {low,
							 ribbon_shape_is_even(v.shape) ?
								 low + block_bytes :
								 slots + batch->highs[i]};
		RibbonRow128 row = {batch->rows[i], 0};

		if (!vector_prefetches_at_once(v) && i + RIBBON_AHEAD < batch->nhashes)
			vector_prefetch(system, slots + batch->lows[i + RIBBON_AHEAD], v);
		results[i] = find_result_bits(system, at, row, batch->starts[i], v);
	}
}

/* The answers that a batch's result bits give: as ribbon_system_answer. */
KERNEL_INLINE void
vector_answers(const RibbonSystem *system, RibbonBatch *batch, RibbonVariant v)
{
	unsigned nvalues = v.is_map ? system->value_bits : 0;
	unsigned nchecks = system->check_bits;
	uint64_t first = v.is_map ? (UINT64_C(1) << nchecks) - 1 : UINT64_MAX;
	uint64_t value = (UINT64_C(1) << nvalues) - 1;
	uint64_t narrow = (UINT64_C(1) << (system->result_bits - nvalues)) - 1;
	uint64_t *restrict results = vector_results(batch, v);
	const uint32_t *restrict prints = batch->prints;
	const uint8_t *restrict wide = batch->wide;
	bool *restrict answers = batch->answers;
	unsigned n = batch->nhashes;

	if (ribbon_shape_is_unchecked(v.shape))
	{
		for (unsigned i = 0; i < n; i++)
			results[i] &= value;
		memset(answers, true, n);
		return;
	}
	for (unsigned i = 0; i < n; i++)
	{
		uint64_t bits = results[i];
		uint64_t checks = (bits & first) | (bits >> nvalues & ~first);
		uint64_t mask = v.shape == RIBBON_UNIFORM_8 ?
			narrow :
			narrow << wide[i] | wide[i];
		uint64_t print = v.homogeneous ? 0 : prints[i];

		if (v.is_map)
			results[i] = bits >> nchecks & value;
		answers[i] = ((checks ^ print) & mask) == 0;
	}
}

/* As batch_system. */
KERNEL_INLINE void
vector_system(const RibbonPlane *plane, const RibbonSystem *system,
			  RibbonBatch *batch, RibbonVariant v)
{
	unsigned n = batch->nhashes;
	unsigned ahead = n < RIBBON_AHEAD ? n : RIBBON_AHEAD;

	batch->nbumped = batch->nrest = 0;
	vector_places(plane, system, batch, 0, ahead, v);
	for (unsigned i = 0; i < n;)
	{
		unsigned next = ahead;

		ahead = n - next < RIBBON_AHEAD ? n : next + RIBBON_AHEAD;
		vector_places(plane, system, batch, next, ahead, v);
		vector_read(system, batch, i, next, v);
		i = next;
	}
	vector_answers(system, batch, v);
}

#endif /* RIBBON_KERNEL_AVX512_BATCH_H */
