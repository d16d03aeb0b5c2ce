/*
 * texts.h - the texts of a map that is built, by their words, and their codes
 *
 * Where values are texts, a record's word (range.h) is the hash of its value's
 * text under the map's seed: 64 bits that are the same in every process.  So
 * states of processes can be combined, and their texts joined, while no record
 * is rewritten.  Two texts with one hash are found when the second is added.
 *
 *	 init -> find, add ... -> set_codes -> the map is built -> free
 *
 * When all texts are there, they are sorted by their bytes and written as a
 * dictionary (dictionary.h), and each is told its place, which is its code.
 *
 * A query may build a million maps at a time, one for each group, of few texts
 * each.  So arrays are small at first, and grow.
 */
#ifndef RIBBON_TEXTS_H
#define RIBBON_TEXTS_H

#include "base/env.h"
#include "base/hash.h"
#include "values/dictionary.h"
#include "values/range.h"

/* Bytes of all texts and the head: as many as can be sent, written and read. */
#define RIBBON_TEXTS_BYTES ((UINT32_C(512) << 20) - 1)

/* One of them. */
typedef struct RibbonText
{
	uint64_t word; /* RIBBON_NULL_WORD: there is no text here */
	uint32_t at;   /* where it is in bytes */
	uint32_t size;
	uint32_t code; /* its place among all, once these are sorted */
} RibbonText;

typedef struct RibbonTexts
{
	RibbonText *slots;	/* a hash table by word, never full */
	uint32_t nslots;	/* a power of two */
	uint32_t nvalues;	/* texts in it */
	uint64_t secret;	/* texts could be chosen to lie side by side */
	uint64_t null_code; /* once texts have codes */
	char *bytes;		/* the head of their dictionary, then the texts */
	uint32_t nhead;
	uint32_t nbytes;
	uint32_t capacity; /* of bytes */
} RibbonTexts;

/*
 * No texts yet, for a dictionary with this head.  secret is a number that
 * whoever chooses the texts does not know.  Errors: RIBBON_OUT_OF_MEMORY, as
 * below, but here nothing is left to free then.
 */
extern RibbonStatus ribbon_texts_init(RibbonTexts *texts, const RibbonEnv *env,
									  const uint8_t *head, uint32_t nhead,
									  uint64_t secret);

/*
 * Add a text in UTF-8 with this word, unless it is there.  After an error all
 * is as before.  Also RIBBON_TOO_MANY_TEXTS, RIBBON_TEXTS_TOO_LARGE,
 * RIBBON_SAME_WORD.
 */
extern RibbonStatus ribbon_texts_add(RibbonTexts *texts, const RibbonEnv *env,
									 uint64_t word, const char *text,
									 size_t size);

/* The next text, in any order; NULL at the end.  *at must be 0 at first. */
extern const RibbonText *ribbon_texts_next(const RibbonTexts *texts,
										   uint32_t *at);

/*
 * Sort them, give each its code, and write their dictionary, which env
 * allocates.  Sets bits, code, code_arg, dictionary and ndictionary of what a
 * map stores about its values, by its has_null.  The texts must stay.  Errors:
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_texts_set_codes(RibbonTexts *texts,
										   const RibbonEnv *env,
										   RibbonValues *values);

/* Free what texts has, which may be all zero. */
extern void ribbon_texts_free(RibbonTexts *texts, const RibbonEnv *env);

/* Where a word is in the table, or would be put. */
static inline RibbonText *
ribbon_texts_slot(const RibbonTexts *texts, uint64_t word)
{
	uint32_t mask = texts->nslots - 1;
	uint32_t i = (uint32_t) ribbon_mix(word ^ texts->secret) & mask;

	while (texts->slots[i].word != word &&
		   texts->slots[i].word != RIBBON_NULL_WORD)
		i = (i + 1) & mask;
	return &texts->slots[i];
}

/* The text of this word, or NULL. */
static inline const RibbonText *
ribbon_texts_find(const RibbonTexts *texts, uint64_t word)
{
	const RibbonText *slot = ribbon_texts_slot(texts, word);

	return slot->word != RIBBON_NULL_WORD ? slot : NULL;
}

/* Is this the text of this word? */
static inline bool
ribbon_texts_has(const RibbonTexts *texts, uint64_t word, const char *text,
				 size_t size)
{
	const RibbonText *found = ribbon_texts_find(texts, word);

	return found != NULL && found->size == size &&
		(size == 0 || memcmp(texts->bytes + found->at, text, size) == 0);
}

#endif /* RIBBON_TEXTS_H */
