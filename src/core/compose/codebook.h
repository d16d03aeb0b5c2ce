/*
 * codebook.h - which code each value of a map gets (format/codes.h)
 *
 * From how many keys have each value follow codes, with a filter in front or
 * without; and from these, how many bytes the map is expected to take.  That is
 * computed for all rates of the filter that make sense, and the smallest is
 * taken.
 */
#ifndef RIBBON_CODEBOOK_H
#define RIBBON_CODEBOOK_H

#include "base/env.h"
#include "compose/histogram.h"
#include "format/codes.h"
#include "format/result_bits.h"

/* What a map is expected to take. */
typedef struct RibbonExpected
{
	uint64_t nbytes; /* all planes, and the codes in the head; of these */
	uint64_t behind; /* the bodies behind the first one */
} RibbonExpected;

typedef struct RibbonCodebook
{
	const RibbonHistogram *histogram; /* of two values at least */
	uint32_t dominant;				  /* the most frequent value */
	uint64_t nkeys;
	unsigned front_bits; /* result bits of the filter in front; 0: none */
	uint64_t *words;	 /* of codes, by value: see below */
	RibbonCodes codes;
	uint64_t level_keys[RIBBON_MAX_LEVELS]; /* that come to each level */
	RibbonExpected expected;				/* by ribbon_codebook_choose */
} RibbonCodebook;

/*
 * A code as a word: its bits are the word's highest ones, its length the six
 * lowest ones.  So the bits of a level are found by a shift.
 */
static inline unsigned
ribbon_codeword_length(uint64_t word)
{
	return word & 63;
}

static inline unsigned
ribbon_codeword_shift(unsigned length)
{
	return (64 - length) & 63; /* any, if there are no bits */
}

/*
 * Begin a book; the histogram must stay as it is.  ribbon_codebook_free is to
 * be called after a failure too.  Errors: RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_codebook_create(const RibbonEnv *env,
										   RibbonCodebook *book,
										   const RibbonHistogram *histogram,
										   uint64_t nkeys);
extern void ribbon_codebook_free(const RibbonEnv *env, RibbonCodebook *book);

/*
 * Choose whether there is a filter in front and its result bits, for a map of
 * this width (as in RibbonParams) and check bits, and set all for that.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_codebook_choose(const RibbonEnv *env,
										   RibbonCodebook *book, int width,
										   RibbonResultBits check);

/*
 * Set all codes for a filter of front_bits in front, 0 is none, which does not
 * turn away npassed keys of the dominant value.  The first function is a guess
 * of npassed.  Errors: as above.
 */
extern uint64_t ribbon_codebook_expect_passed(const RibbonCodebook *book,
											  unsigned front_bits);
extern RibbonStatus ribbon_codebook_assign(const RibbonEnv *env,
										   RibbonCodebook *book,
										   unsigned front_bits,
										   uint64_t npassed);

/* The keys that have other values than the dominant one. */
static inline uint64_t
ribbon_codebook_rare_keys(const RibbonCodebook *book)
{
	return book->nkeys - book->histogram->values[book->dominant].count;
}

/* The check bits of the filter in front; none: there is no filter. */
static inline RibbonResultBits
ribbon_codebook_front(const RibbonCodebook *book)
{
	return (RibbonResultBits){book->front_bits, 0};
}

/* Write the table of codes. */
extern void ribbon_codebook_write_table(const RibbonCodebook *book,
										uint8_t *table);

/* A RibbonCode whose argument is the book: from value words to codewords. */
extern uint64_t ribbon_codebook_word(const void *book, uint64_t word);

/*
 * huffman.c, for codebook.c: set lengths[i], 1 .. RIBBON_LONGEST_CODE, of the
 * codes of n values, 2 .. RIBBON_MAX_CODES, of which value i occurs counts[i]
 * times, 1 .. 2^48; from 2^46 - 1 on, all are as frequent.  Of values that are
 * as frequent, the codes of greater ones are no longer.  lengths may be counts.
 * Lengths of a complete code: the sum of 2^-lengths[i] is 1.  Errors:
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_huffman_lengths(const RibbonEnv *env,
										   const uint64_t *counts, uint32_t n,
										   uint64_t *lengths);

#endif /* RIBBON_CODEBOOK_H */
