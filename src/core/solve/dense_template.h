/*
 * dense_template.h - dense.c's matrix, for one kernel: filled and eliminated
 *
 * It defines dense_solve.  RIBBON_STRINGS is the type of as many 64-bit words
 * as the kernel's vectors have: so many seeds are tried at once.  KERNEL_TARGET
 * is its CPUs.
 */
#include "base/kernel.h"

#define SEEDS (sizeof(RIBBON_STRINGS) / sizeof(uint64_t)) /* at once */

/*
 * All ones where x has a bit, which is its only one.  A comparison gives them
 * of vectors; of words it does not, and compilers would not make vectors of it.
 */
#define ONES_WHERE(x) \
	(SEEDS == 1 ? (((x) -1) >> 63) - 1 : (RIBBON_STRINGS) ((x) != 0))

typedef RIBBON_STRINGS DenseStrings __attribute__((may_alias));

/* Set bits at .. of a string, nbits of them, which were 0. */
KERNEL_INLINE void
dense_put(uint64_t *string, size_t stride, uint64_t at, unsigned nbits,
		  uint64_t value)
{
	uint64_t *word = string + at / 64 * stride;

	if (nbits == 0)
		return;
	*word |= value << at % 64;
	if (at % 64 + nbits > 64)
		word[stride] |= value >> (64 - at % 64);
}

/*
 * Set all strings, under SEEDS seeds from this one on.  nwords is 0, or where
 * slots are fewer than 64 the words of a string, 1 or 2.  Constants are nwords
 * = 0, and without a supply the others, too.
 */
KERNEL_INLINE void
dense_fill(RibbonDense *dense, const uint64_t *elements,
		   const RibbonSupply *supply, unsigned seed, unsigned nwords)
{
	const RibbonSystem *system = dense->system;
	unsigned low = (unsigned) ribbon_min64(system->row_bits, 64);
	size_t words = ribbon_supply_stride(supply);
	size_t n = dense->n, stride = n * SEEDS;
	uint64_t result_mask = ribbon_low_mask(system->ncolumns);
	uint64_t factors[SEEDS];

	for (unsigned s = 0; s < SEEDS; s++)
		factors[s] = ribbon_hash_zone_factor(seed + s);
	if (nwords == 0)
		memset(dense->words, 0, dense->nwords * stride * sizeof(uint64_t));
	for (size_t i = 0; i < n; i++)
		for (unsigned s = 0; s < SEEDS; s++)
		{
			const uint64_t *element = elements + i * words;
			uint64_t *string = dense->words + i * SEEDS + s;
			uint64_t hash = *element * factors[s];
			uint64_t coeff = ribbon_row64_coeff(hash, low);
			uint64_t result = ribbon_supply_result(supply, hash, element) &
				result_mask;
			uint64_t start;

			if (nwords > 0) /* all rows begin in slot 0 */
			{
				*string = coeff | result << low;
				if (nwords > 1)
					string[stride] = result >> (64 - low);
				continue;
			}
			start = ribbon_system_start(system, hash);
			dense_put(string, stride, start, low, coeff);
			if (system->row_bits > 64)
				dense_put(string, stride, start + 64, system->row_bits - 64u,
						  ribbon_row128_coeff(hash, system->row_bits).hi);
			dense_put(string, stride, system->nslots, system->ncolumns, result);
		}
}

/* The bits of a string behind the coefficients. */
KERNEL_INLINE uint64_t
dense_result(const RibbonDense *dense, const uint64_t *string, size_t stride)
{
	unsigned nslots = (unsigned) dense->system->nslots;
	unsigned w = nslots / 64, bit = nslots % 64;
	uint64_t low = w < dense->nwords ? string[w * stride] : 0;
	uint64_t high = w + 1 < dense->nwords ? string[(w + 1) * stride] : 0;

	return low >> bit | high << 1 << (63 - bit);
}

/* Set the columns, from the last string under a seed to the first. */
KERNEL_INLINE void
dense_back(RibbonDense *dense, unsigned seed, unsigned nwords)
{
	size_t stride = dense->n * SEEDS;
	unsigned ncolumns = dense->system->ncolumns;

	memset(dense->columns, 0, ncolumns * nwords * sizeof(uint64_t));
	for (size_t i = dense->n; i-- > 0;)
	{
		const uint64_t *string = dense->words + i * SEEDS + seed;
		uint64_t result = dense_result(dense, string, stride);
		unsigned at = 0;

		while (at < nwords && string[at * stride] == 0)
			at++;
		if (at == nwords)
			continue;
		for (unsigned b = 0; b < ncolumns; b++)
		{
			uint64_t *column = dense->columns + b * nwords;
			uint64_t sum = 0;

			for (unsigned w = 0; w < nwords; w++)
				sum ^= string[w * stride] & column[w];
			column[at] |= ((result >> b & 1) ^ ribbon_parity64(sum))
				<< ribbon_ctz64(string[at * stride]);
		}
	}
}

/*
 * Add each string to those behind it that have its first bit.  Returns the
 * first seed, from 0 on, under which none has only result bits, and sets the
 * columns; or SEEDS.  nwords is a constant where strings are short.
 */
KERNEL_INLINE unsigned
dense_eliminate(RibbonDense *dense, unsigned nwords)
{
	size_t n = dense->n;
	unsigned nslots = (unsigned) dense->system->nslots;
	DenseStrings *strings = (DenseStrings *) dense->words;
	RIBBON_STRINGS wrong = {0};
	uint64_t wrong_of[SEEDS];
	unsigned seed = 0;

	for (size_t i = 0; i < n; i++)
	{
		RIBBON_STRINGS row[RIBBON_DENSE_WORDS], first[RIBBON_DENSE_WORDS];
		RIBBON_STRINGS none = ~(RIBBON_STRINGS){0};

		for (unsigned w = 0; w < nwords; w++)
		{
			unsigned at = 64 * w;

			row[w] = strings[w * n + i];
			first[w] = row[w] & -row[w] & none;
			none &= ~ONES_WHERE(first[w]);
			wrong |= first[w] & ~ribbon_low_mask(nslots < at ? 0 : nslots - at);
		}
		for (size_t k = i + 1; k < n; k++)
		{
			RIBBON_STRINGS has = {0};

			for (unsigned w = 0; w < nwords; w++)
				has |= strings[w * n + k] & first[w];
			has = ONES_WHERE(has);
			for (unsigned w = 0; w < nwords; w++)
				strings[w * n + k] ^= has & row[w];
		}
	}
	memcpy(wrong_of, &wrong, sizeof(wrong));
	while (seed < SEEDS && wrong_of[seed] != 0)
		seed++;
	if (seed < SEEDS)
		dense_back(dense, seed, nwords);
	return seed;
}

/* RibbonDenseSolve (dense.h). */
static KERNEL_TARGET unsigned
dense_solve(RibbonDense *dense, const uint64_t *elements,
			const RibbonSupply *supply, unsigned nseeds)
{
	unsigned nwords = dense->system->nslots < 64 ? dense->nwords : 0;

	for (unsigned seed = 0; seed < nseeds; seed += SEEDS)
	{
		unsigned first;

		if (nwords == 0)
			dense_fill(dense, elements, supply, seed, 0);
		else if (supply != NULL)
			dense_fill(dense, elements, supply, seed, nwords);
		else if (nwords == 1)
			dense_fill(dense, elements, NULL, seed, 1);
		else
			dense_fill(dense, elements, NULL, seed, 2);
		first = dense->nwords == 1 ? dense_eliminate(dense, 1) :
			dense->nwords == 2	   ? dense_eliminate(dense, 2) :
									 dense_eliminate(dense, dense->nwords);
		if (first < SEEDS && seed + first < nseeds)
			return seed + first;
	}
	return nseeds;
}

#undef SEEDS
#undef ONES_WHERE
