/*
 * words.h - the words that a layer is to hold
 *
 * Few words are an array.  Many may be in a store (ribbon.h), from which they
 * are read window by window.
 */
#ifndef RIBBON_WORDS_H
#define RIBBON_WORDS_H

#include "base/alloc.h"

/* As many as this are always an array. */
#ifndef RIBBON_WORDS_IN_MEMORY
#define RIBBON_WORDS_IN_MEMORY ((uint64_t) 1 << 20)
#endif

typedef struct RibbonWords
{
	uint64_t n;
	uint64_t *array;	/* NULL if they are in a store */
	uint64_t capacity;	/* of an array that is being filled */
	RibbonStore *store; /* NULL if they are in an array */
	bool owned;			/* free or close what holds them, in the end */
} RibbonWords;

/* Sorted words that are there already, in an array or a sealed store. */
static inline RibbonWords
ribbon_words_of_array(uint64_t *array, uint64_t n)
{
	RibbonWords words = {n, array, n, NULL, false};

	return words;
}

static inline RibbonWords
ribbon_words_of_store(RibbonStore *store, uint64_t n)
{
	RibbonWords words = {n, NULL, 0, store, false};

	return words;
}

/*
 * Begin to collect words, no more than capacity of which are worth keeping.
 * RIBBON_OUT_OF_MEMORY, or what env->open_store says; ribbon_words_free is
 * right in any case.
 */
extern RibbonStatus ribbon_words_create(const RibbonEnv *env,
										RibbonWords *words, uint64_t capacity);

/* Add some.  Those beyond capacity are counted, but lost. */
extern RibbonStatus ribbon_words_add(RibbonWords *words, const uint64_t *more,
									 size_t n);

/* Begin again (an array). */
static inline void
ribbon_words_clear(RibbonWords *words)
{
	words->n = 0;
}

/* No more will come: bring them in order.  They are distinct. */
extern RibbonStatus ribbon_words_seal(const RibbonEnv *env, RibbonWords *words);

/*
 * Bring the words of a sealed store into an array.  RIBBON_OUT_OF_MEMORY, or
 * what the store says.
 */
extern RibbonStatus ribbon_words_load(const RibbonEnv *env, RibbonWords *words);

/*
 * The words first <= word <= last: *found[0..*n).  They may be copied to
 * room[0..nroom) for that, which is left alone otherwise; if they are in a
 * store and more than nroom, *found is not to be used.
 */
extern RibbonStatus ribbon_words_read(const RibbonWords *words, uint64_t first,
									  uint64_t last, uint64_t *room,
									  size_t nroom, const uint64_t **found,
									  size_t *n);

extern void ribbon_words_free(const RibbonEnv *env, RibbonWords *words);

#endif /* RIBBON_WORDS_H */
