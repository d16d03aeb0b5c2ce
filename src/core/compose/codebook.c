/*
 * codebook.c - which code each value of a map gets
 */
#include "compose/codebook.h"

#include "base/bits.h"
#include "construct/planes.h"

/*
 * Rates of the filter in front are tried from the highest on, until so many
 * have been no smaller than the best.
 */
#define MAX_WORSE 2

RibbonStatus
ribbon_codebook_create(const RibbonEnv *env, RibbonCodebook *book,
					   const RibbonHistogram *histogram, uint64_t nkeys)
{
	memset(book, 0, sizeof(*book));
	book->histogram = histogram;
	book->nkeys = nkeys;
	book->words = ribbon_alloc_array(env, histogram->n, sizeof(uint64_t));
	for (uint32_t i = 1; i < histogram->n; i++)
		if (histogram->values[i].count >
			histogram->values[book->dominant].count)
			book->dominant = i;
	return book->words == NULL ? RIBBON_OUT_OF_MEMORY : RIBBON_OK;
}

void
ribbon_codebook_free(const RibbonEnv *env, RibbonCodebook *book)
{
	ribbon_free(env, book->words);
}

uint64_t
ribbon_codebook_expect_passed(const RibbonCodebook *book, unsigned front_bits)
{
	return book->histogram->values[book->dominant].count >> front_bits;
}

/*
 * From the lengths of codes to their words: codes of one length are numbers in
 * a row, in the order of plain codes.
 */
static void
set_words(RibbonCodebook *book)
{
	uint64_t next[RIBBON_LONGEST_CODE + 1] = {0};

	for (unsigned level = 0; level < book->codes.nlevels; level++)
		next[book->codes.levels[level].length] =
			book->codes.levels[level].first;
	for (uint32_t i = 0; i < book->histogram->n; i++)
	{
		unsigned length = (unsigned) book->words[i];

		book->words[i] = next[length]++ << ribbon_codeword_shift(length) |
			length;
	}
}

RibbonStatus
ribbon_codebook_assign(const RibbonEnv *env, RibbonCodebook *book,
					   unsigned front_bits, uint64_t npassed)
{
	const RibbonHistogram *histogram = book->histogram;
	uint32_t n = histogram->n;
	uint32_t ncodes[RIBBON_LONGEST_CODE + 1] = {0}; /* by length */
	uint64_t nkeys[RIBBON_LONGEST_CODE + 1] = {0};
	uint64_t left = 0; /* keys whose codes have not ended before a level */
	unsigned longest = 0;
	RibbonStatus status;

	for (uint32_t i = 0; i < n; i++)
		book->words[i] = histogram->values[i].count;
	if (front_bits > 0)
		book->words[book->dominant] = npassed > 0 ? npassed : 1;
	status = ribbon_huffman_lengths(env, book->words, n, book->words);
	if (status != RIBBON_OK)
		return status;
	for (uint32_t i = 0; i < n; i++)
	{
		unsigned length = (unsigned) book->words[i];
		uint64_t count = front_bits > 0 && i == book->dominant ?
			npassed :
			histogram->values[i].count;

		ncodes[length]++;
		nkeys[length] += count;
		left += count;
		longest = length > longest ? length : longest;
	}
	book->front_bits = front_bits;
	book->codes.front = front_bits > 0;
	book->codes.entry_bits = histogram->plain.value_bits;
	ribbon_codes_set_levels(&book->codes, ncodes, longest);
	for (unsigned level = 0; level < book->codes.nlevels; level++)
	{
		book->level_keys[level] = left;
		left -= nkeys[book->codes.levels[level].length];
	}
	set_words(book);
	return RIBBON_OK;
}

static RibbonExpected
expect_bytes(const RibbonCodebook *book, int width, RibbonResultBits check)
{
	const RibbonCodes *codes = &book->codes;
	RibbonPlaneParams plane = {.width = width,
							   .check = check,
							   .in_map = true,
							   .value_bits = ribbon_codes_level_bits(codes, 0)};
	RibbonPlaneParams front = {.width = width,
							   .check = ribbon_codebook_front(book),
							   .in_map = true};
	uint8_t head[RIBBON_MAX_CODES_HEAD];
	uint64_t ncodes = ribbon_codes_table_bytes(codes) +
		(uint64_t) (ribbon_codes_write(codes, head) - head);
	uint64_t first = ribbon_size_of_plane(&plane, book->nkeys);
	uint64_t nbytes = first;

	nbytes += ribbon_size_of_plane(&front, ribbon_codebook_rare_keys(book));
	if (first == 0)
		first = nbytes;
	plane.check = ribbon_no_check;
	for (unsigned level = 1; level < codes->nlevels; level++)
	{
		plane.value_bits = ribbon_codes_level_bits(codes, level);
		nbytes += ribbon_size_of_plane(&plane, book->level_keys[level]);
	}
	return (RibbonExpected){ncodes + nbytes, nbytes - first};
}

/* Assign codes for a filter whose share of positives is as usual. */
static RibbonStatus
assign_guessed(const RibbonEnv *env, RibbonCodebook *book, unsigned front_bits)
{
	return ribbon_codebook_assign(env, book, front_bits,
								  ribbon_codebook_expect_passed(book,
																front_bits));
}

RibbonStatus
ribbon_codebook_choose(const RibbonEnv *env, RibbonCodebook *book, int width,
					   RibbonResultBits check)
{
	unsigned best = 0;
	unsigned nworse = 0;

	book->expected.nbytes = UINT64_MAX;
	for (unsigned bits = 0;
		 bits <= RIBBON_MAX_RESULT_BITS && nworse < MAX_WORSE; bits++)
	{
		RibbonStatus status = assign_guessed(env, book, bits);
		RibbonExpected now;

		if (status != RIBBON_OK)
			return status;
		now = expect_bytes(book, width, check);
		nworse++;
		if (now.nbytes < book->expected.nbytes)
		{
			book->expected = now;
			best = bits;
			nworse = 0;
		}
	}
	return assign_guessed(env, book, best);
}

void
ribbon_codebook_write_table(const RibbonCodebook *book, uint8_t *table)
{
	const RibbonCodes *codes = &book->codes;
	const RibbonHistogram *histogram = book->histogram;
	uint32_t next[RIBBON_LONGEST_CODE + 1] = {0};

	memset(table, 0, (size_t) ribbon_codes_table_bytes(codes));
	if (codes->front)
		ribbon_or_bits(table, 0, codes->entry_bits,
					   histogram->values[book->dominant].code);
	for (unsigned level = 0; level < codes->nlevels; level++)
		next[codes->levels[level].length] = codes->levels[level].entry;
	for (uint32_t i = 0; i < histogram->n; i++)
	{
		uint64_t at = next[ribbon_codeword_length(book->words[i])]++;

		ribbon_or_bits(table, at * codes->entry_bits, codes->entry_bits,
					   histogram->values[i].code);
	}
}

uint64_t
ribbon_codebook_word(const void *arg, uint64_t word)
{
	const RibbonCodebook *book = arg;
	uint64_t code = ribbon_supply_value(&book->histogram->plain, word);

	return book->words[ribbon_histogram_find(book->histogram, code)];
}
