/*
 * element.h - what a set is made of: hashes, or records
 *
 * An element is one word, a hash; or a record of two, a hash and a word more
 * (ribbon_core.h).  Functions count elements; those on blocks count words.
 *
 * A set says of what kind its elements are, and so what duplicates are.  What
 * only moves or compares them is told their stride, the words of one.  What
 * makes equations of them is told a supply of results (solve/supply.h), which
 * is NULL for hashes.
 */
#ifndef RIBBON_ELEMENT_H
#define RIBBON_ELEMENT_H

#include "ribbon_core.h"

/* A record as ribbon_core.h has it in an array of words. */
typedef struct RibbonRecord
{
	uint64_t hash;
	uint64_t word;
} RibbonRecord;

/* Words of an element. */
static inline unsigned
ribbon_element_stride(RibbonElementKind kind)
{
	return kind == RIBBON_HASHES ? 1 : RIBBON_RECORD_WORDS;
}

/*
 * The index of the first of n sorted elements whose hash is this one or
 * greater, or n; the hash of element i is words[i * stride].
 */
static inline size_t
ribbon_element_first(const uint64_t *words, size_t stride, size_t n,
					 uint64_t hash)
{
	size_t low = 0;

	while (low < n)
	{
		size_t middle = low + (n - low) / 2;

		if (words[middle * stride] < hash)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Of hashes that come in order, the one that came last.  Zeroed at first. */
typedef struct RibbonLastHash
{
	uint64_t hash;
	bool any;
} RibbonLastHash;

/* Did this hash come last, too?  It is the last one then. */
static inline bool
ribbon_hash_repeats(RibbonLastHash *last, uint64_t hash)
{
	bool repeats = last->any && last->hash == hash;

	*last = (RibbonLastHash){hash, true};
	return repeats;
}

#endif /* RIBBON_ELEMENT_H */
