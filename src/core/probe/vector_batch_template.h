/*
 * vector_batch_template.h - probe a batch with AVX-512, for one ribbon width
 *
 * All that leads from hashes to places, rows and result bits is done for eight
 * hashes at once.  What is left to do for each of them alone is to load its
 * columns, and a few instructions, which leave eight result bits in a byte.
 * For w = 32 or 64, filters of at most eight columns, and all maps.
 */
#include "base/template.h"

#define INLINE static KERNEL_TARGET inline __attribute__((always_inline))

/*
 * What to compare the result bits with: for filters of at most eight columns
 * bytes, results and masks; for maps fingerprints, and in masks whether one bit
 * more of them is checked.
 */
INLINE void
NAME(vector, checks)(const RibbonSystem *system, RibbonBatch *batch, unsigned i,
					 __m512i hashes, bool homogeneous, RibbonShape shape,
					 bool get)
{
	__mmask8 wide = _mm512_cmpgt_epu64_mask(hashes, set64(system->last_narrow));
	__m512i prints = fingerprint64(hashes);

	if (ribbon_shape_is_unchecked(shape))
		return;
	if (get)
	{
		_mm256_storeu_si256((__m256i *) (batch->prints + i),
							_mm512_cvtepi64_epi32(prints));
		if (shape != RIBBON_UNIFORM_8)
			put_bytes(batch->masks + i, _mm512_maskz_mov_epi64(wide, set64(1)));
		return;
	}
	if (shape != RIBBON_UNIFORM_8)
		put_bytes(batch->masks + i,
				  _mm512_mask_mov_epi64(set64((1u << system->result_bits) - 1),
										wide,
										set64((2u << system->result_bits) -
											  1)));
	if (!homogeneous)
		put_bytes(batch->results + i, prints);
}

/* Begin to load both blocks of a hash. */
INLINE void
NAME(vector, load)(const uint8_t *low, unsigned bytes, RibbonShape shape)
{
	if (shape < RIBBON_UP_TO_16 || shape == RIBBON_UNCHECKED_8)
	{
		/* at most two lines' worth: these touch all that it lies in */
		__builtin_prefetch(low);
		if (RIBBON_BITS > 32)
			__builtin_prefetch(low + bytes / 2);
	}
	else
		for (unsigned b = 0; b < bytes; b += 64)
			__builtin_prefetch(low + b);
	__builtin_prefetch(low + bytes - 1);
}

/*
 * As NAME(batch, prefetch) of probe_template.h.  If get, for maps, which begin
 * to load later.
 */
INLINE void
NAME(vector, places)(const RibbonPlane *plane, const RibbonSystem *system,
					 RibbonBatch *batch, unsigned first, unsigned end,
					 bool homogeneous, RibbonShape shape, bool get)
{
	const unsigned log2_column = RIBBON_BITS == 32 ? 2 : 3;
	const __m512i columns = _mm512_set1_epi64(system->result_bits);
	bool even = ribbon_shape_is_even(shape);
	unsigned bytes = (2 * system->result_bits + !even) << log2_column;

	for (unsigned i = first; i < end; i += 8)
	{
		__mmask8 all = (__mmask8) ribbon_low_mask(end - i < 8 ? end - i : 8);
		__m512i hashes = _mm512_maskz_loadu_epi64(all, batch->hashes + i);
		__m512i start = _mm512_sub_epi64(mulhi64(hashes, system->range),
										 set64(system->smash));
		__mmask8 whole = _mm512_mask_cmplt_epu64_mask(all, start,
													  set64(system->whole));
		__m512i block, offset;

		batch->nrest += put_indexes(batch->rest + batch->nrest, i,
									(__mmask8) (all & ~whole));
		start = _mm512_maskz_mov_epi64(whole, start);
		if (!homogeneous)
			batch->nbumped +=
				put_indexes(batch->bumped + batch->nbumped, i,
							(__mmask8) (whole & bumped(plane, system, start)));

		block = _mm512_srli_epi64(start, log2_column + 3);
		offset = _mm512_mullo_epi64(block, columns);
		if (!even)
		{
			__m512i wide_block = set64(system->wide_block);
			__m512i wide_blocks = _mm512_sub_epi64(_mm512_max_epu64(block,
																	wide_block),
												   wide_block);
			__m512i high;

			offset = _mm512_add_epi64(offset, wide_blocks);
			high = _mm512_add_epi64(offset, columns);
			high = _mm512_mask_add_epi64(high,
										 _mm512_cmpge_epu64_mask(block,
																 wide_block),
										 high, set64(1));
			_mm512_storeu_si512(batch->highs + i,
								_mm512_slli_epi64(high, log2_column));
		}
		_mm512_storeu_si512(batch->lows + i,
							_mm512_slli_epi64(offset, log2_column));
		_mm512_storeu_si512(batch->starts + i, start);
		_mm512_storeu_si512(batch->rows + i, coeff64(hashes));
		NAME(vector, checks)
		(system, batch, i, hashes, homogeneous, shape, get);
	}
	if (!get)
		for (unsigned i = first; i < end; i++)
			NAME(vector, load)(system->slots + batch->lows[i], bytes, shape);
}

INLINE void
NAME(vector, prefetch)(const RibbonPlane *plane, const RibbonSystem *system,
					   RibbonBatch *batch, unsigned first, unsigned end,
					   bool homogeneous, RibbonShape shape)
{
	NAME(vector, places)
	(plane, system, batch, first, end, homogeneous, shape, false);
}

/* The first half of NAME(batch, answer). */
INLINE void
NAME(vector, answer)(const RibbonSystem *system, RibbonBatch *batch,
					 unsigned first, unsigned end, bool homogeneous,
					 RibbonShape shape)
{
	const uint8_t *slots = system->slots;
	size_t block_bytes = (size_t) system->result_bits * (RIBBON_BITS / 8);

	(void) homogeneous;
	for (unsigned i = first; i < end; i++)
	{
		const uint8_t *low = slots + batch->lows[i];
		const uint8_t *high = shape == RIBBON_UNIFORM_8 ?
			low + block_bytes :
			slots + batch->highs[i];

		batch->bits[i] = (uint8_t)
			NAME(probe, columns)(low, high, (ROW) batch->rows[i],
								 batch->starts[i]); /* is taken modulo w */
	}
}

/* And the other half, for a whole batch: compare the bits with the results. */
INLINE void
NAME(vector, compare)(const RibbonSystem *system, RibbonBatch *batch,
					  bool homogeneous, RibbonShape shape)
{
	__m512i mask = _mm512_set1_epi8((char) ((1u << system->result_bits) - 1));

	for (unsigned i = 0; i < batch->nhashes; i += 64)
	{
		unsigned left = batch->nhashes - i;
		__m512i x = _mm512_loadu_si512(batch->bits + i);

		if (!homogeneous)
			x = _mm512_xor_si512(x, _mm512_loadu_si512(batch->results + i));
		if (shape != RIBBON_UNIFORM_8)
			mask = _mm512_loadu_si512(batch->masks + i);
		_mm512_mask_storeu_epi8(batch->answers + i, ribbon_low_mask(left),
								_mm512_maskz_set1_epi8(_mm512_testn_epi8_mask(x,
																			  mask),
													   1));
	}
}

#undef INLINE
#include "base/template_end.h"
