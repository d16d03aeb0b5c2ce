/*
 * dense_template.h - the elimination of dense.c, for one kernel
 *
 * It defines RIBBON_ELIMINATE.  RIBBON_STRINGS is the type of as many 64-bit
 * words as the kernel's vectors have; KERNEL_TARGET is its CPUs.
 */
#define EACH (sizeof(RIBBON_STRINGS) / sizeof(uint64_t))

/*
 * All ones for those of EACH strings that have a bit; words are the words with
 * it.
 */
KERNEL_TARGET static inline __attribute__((always_inline)) RIBBON_STRINGS
dense_mask(const uint64_t *words, unsigned bit)
{
	RIBBON_STRINGS mask;

	memcpy(&mask, words, sizeof(mask));
	return -(mask >> bit % 64 & 1);
}

/* Add a word to those of EACH strings that the mask has. */
KERNEL_TARGET static inline __attribute__((always_inline)) void
dense_add(uint64_t *words, RIBBON_STRINGS mask, uint64_t word)
{
	RIBBON_STRINGS sum;

	memcpy(&sum, words, sizeof(sum));
	sum ^= mask & word;
	memcpy(words, &sum, sizeof(sum));
}

/*
 * Add each string to those behind it that have its first bit.  Not in rows are
 * those that are 0; false: one has only result bits.  nwords is a constant
 * where strings are short.
 */
KERNEL_TARGET static inline __attribute__((always_inline)) bool
dense_forward(RibbonDense *dense, unsigned nwords)
{
	size_t n = dense->n, stride = dense->stride;
	uint64_t *words = dense->words;

	dense->nrows = 0;
	for (size_t i = 0; i < n; i++)
	{
		uint64_t *row = dense->rows + dense->nrows;
		unsigned first = 64 * nwords;
		const uint64_t *has;

		for (unsigned w = nwords; w-- > 0;)
		{
			row[w * stride] = words[w * stride + i];
			if (row[w * stride] != 0)
				first = 64 * w + (unsigned) ribbon_ctz64(row[w * stride]);
		}
		if (first == 64 * nwords)
			continue;
		if (first >= dense->nslots)
			return false;
		dense->pivot[dense->nrows++] = (uint16_t) first;
		has = words + first / 64 * stride;
		for (size_t k = (i + 1) / EACH * EACH; k < n; k += EACH)
		{
			RIBBON_STRINGS mask = dense_mask(has + k, first);

			for (unsigned w = 0; w < nwords; w++)
				dense_add(words + w * stride + k, mask, row[w * stride]);
		}
	}
	return true;
}

/* RibbonDenseEliminate (dense.h). */
KERNEL_TARGET bool
RIBBON_ELIMINATE(RibbonDense *dense)
{
	bool solved = dense->nwords == 1 ? dense_forward(dense, 1) :
		dense->nwords == 2			 ? dense_forward(dense, 2) :
									   dense_forward(dense, dense->nwords);

	if (!solved)
		return false;
	for (unsigned i = 0; i < dense->nrows; i++)
		dense->results[i] = ribbon_dense_result(dense, i);
	for (unsigned i = dense->nrows; i-- > 0;)
	{
		unsigned slot = dense->pivot[i];
		uint64_t result = dense->results[i];
		const uint64_t *has = dense->rows + slot / 64 * dense->stride;

		for (unsigned k = 0; k < i; k += EACH)
			dense_add(dense->results + k, dense_mask(has + k, slot), result);
		dense->results[i] = result;
	}
	return true;
}

#undef EACH
