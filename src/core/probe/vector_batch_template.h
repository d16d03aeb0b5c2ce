/*
 * vector_batch_template.h - probe a batch with AVX-512, for one ribbon width
 *
 * All that leads from hashes to places, rows and result bits is done for eight
 * hashes at once.  What is left to do for each of them alone is to load its
 * columns, and a few instructions, which leave its result bits in a word.
 * Part of probe_template.h, for w = 32 or 64.
 */

/*
 * What to compare check bits with: fingerprints, and whether one bit more of
 * them is checked.
 */
INLINE void
NAME(vector, checks)(const RibbonSystem *system, RibbonBatch *batch, unsigned i,
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
INLINE void
NAME(vector, load)(const RibbonSystem *system, const uint8_t *low,
				   RibbonShape shape)
{
	bool even = ribbon_shape_is_even(shape);
	unsigned bytes = (2 * system->result_bits + !even) * (RIBBON_BITS / 8);

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
 * Does a hash begin to be loaded as soon as its place is known?  That is best
 * for few lines (w = 64, 10^7 keys at 1 %: 9.1 ns instead of 10.1).  More
 * lines, for sixteen hashes at once, would wait for one another, and the
 * answers for all of them.  Then a hash begins to be loaded when the one that
 * is RIBBON_AHEAD before it is answered (10^6 keys, 15 columns: 7.3 ns instead
 * of 8.1).
 */
INLINE bool
NAME(vector, loads_at_once)(RibbonShape shape)
{
	return shape < RIBBON_UP_TO_16;
}

/* As NAME(batch, places); begins to load them if that is done at once. */
INLINE void
NAME(vector, places)(const RibbonPlane *plane, const RibbonSystem *system,
					 RibbonBatch *batch, unsigned first, unsigned end,
					 RibbonVariant v)
{
	const unsigned log2_column = RIBBON_BITS == 32 ? 2 : 3;
	const __m512i columns = _mm512_set1_epi64(system->result_bits);
	bool even = ribbon_shape_is_even(v.shape);

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
		if (!v.homogeneous)
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
		NAME(vector, checks)(system, batch, i, hashes, v);
	}
	for (unsigned i = first; NAME(vector, loads_at_once)(v.shape) && i < end;
		 i++)
		NAME(vector, load)(system, system->slots + batch->lows[i], v.shape);
}

/* Where a hash's columns are put first: in a map, in the place of its code. */
INLINE uint64_t *
NAME(vector, columns)(RibbonBatch *batch, RibbonVariant v)
{
	return v.is_map ? batch->codes : batch->columns;
}

/* The first half of NAME(batch, answer): all columns of each hash. */
INLINE void
NAME(vector, answer)(const RibbonSystem *system, RibbonBatch *batch,
					 unsigned first, unsigned end, RibbonVariant v)
{
	const uint8_t *slots = system->slots;
	size_t block_bytes = (size_t) system->result_bits * (RIBBON_BITS / 8);
	bool later = !NAME(vector, loads_at_once)(v.shape);
	uint64_t *restrict columns = NAME(vector, columns)(batch, v);

	for (unsigned i = first; i < end; i++)
	{
		const uint8_t *low = slots + batch->lows[i];
		const uint8_t *high = ribbon_shape_is_even(v.shape) ?
			low + block_bytes :
			slots + batch->highs[i];

		if (later && i + RIBBON_AHEAD < batch->nhashes)
			NAME(vector, load)
		(system, slots + batch->lows[i + RIBBON_AHEAD], v.shape);
		columns[i] = NAME(find, columns)(system, low, high,
										 (ROW) batch->rows[i], batch->starts[i],
										 v.shape); /* start modulo w */
	}
}

/* The other half, for a whole batch: as ribbon_find_parts. */
INLINE void
NAME(vector, finish)(const RibbonSystem *system, RibbonBatch *batch,
					 RibbonVariant v)
{
	unsigned nvalues = v.is_map ? system->value_bits : 0;
	unsigned nchecks = system->check_bits;
	uint64_t first = v.is_map ? (UINT64_C(1) << nchecks) - 1 : UINT64_MAX;
	uint64_t value = (UINT64_C(1) << nvalues) - 1;
	uint64_t narrow = (UINT64_C(1) << (system->result_bits - nvalues)) - 1;
	uint64_t *restrict columns = NAME(vector, columns)(batch, v);
	const uint32_t *restrict prints = batch->prints;
	const uint8_t *restrict wide = batch->wide;
	bool *restrict answers = batch->answers;
	unsigned n = batch->nhashes;

	if (ribbon_shape_is_unchecked(v.shape))
	{
		for (unsigned i = 0; i < n; i++)
			columns[i] &= value;
		memset(answers, true, n);
		return;
	}
	for (unsigned i = 0; i < n; i++)
	{
		uint64_t bits = columns[i];
		uint64_t checks = (bits & first) | (bits >> nvalues & ~first);
		uint64_t mask = v.shape == RIBBON_UNIFORM_8 ?
			narrow :
			narrow << wide[i] | wide[i];
		uint64_t print = v.homogeneous ? 0 : prints[i];

		if (v.is_map)
			columns[i] = bits >> nchecks & value;
		answers[i] = ((checks ^ print) & mask) == 0;
	}
}
