/*
 * sort.h - order hashes, or records, by starting position (sort.c), and drop
 * duplicates (distinct.c)
 *
 * Starting positions grow with the hash, so sorting hashes sorts a system's
 * keys, buckets them and brings duplicates together, whatever the system's
 * size.
 */
#ifndef RIBBON_SORT_H
#define RIBBON_SORT_H

#include "base/env.h"
#include "set/element.h"

/*
 * Sort n elements, of one word or RIBBON_RECORD_WORDS each, in ascending order
 * of hashes.  It allocates n more meanwhile.  *repeated becomes false only if
 * no two hashes are equal; repeated may be NULL.  Errors: RIBBON_OUT_OF_MEMORY;
 * RIBBON_INTERRUPTED, and then elements may be lost or repeated.
 */
extern RibbonStatus ribbon_sort(const RibbonEnv *env, size_t stride,
								uint64_t *words, size_t n, bool *repeated);

/* Some bits of hashes, by which they are moved. */
typedef struct RibbonDigit
{
	unsigned shift; /* the digit is hash >> shift, */
	unsigned bits;	/* so many low bits of it */
	size_t *end;	/* with room for each digit: how many hashes have this one,
					 * or a lower one, once they have been moved */
} RibbonDigit;

/*
 * Copy n elements to to, in the order of this digit of their hashes.  Errors:
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_scatter(const RibbonEnv *env, size_t stride,
								   const uint64_t *words, size_t n,
								   uint64_t *to, const RibbonDigit *digit);

/*
 * Sort *n elements by their hashes, drop duplicates, and set *n to the number
 * that is left.  Records of an exact set with the same hash are sorted by their
 * second word.  This allocates as much memory again as the array has, and frees
 * it, unless the array is sorted and distinct already.
 *
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED; RIBBON_CONFLICT if a hash
 * has two value words, even if their codes are equal, or a key of an exact set
 * is both a member and not.  Then conflict has the two records; it may be NULL
 * for hashes.  After an error the array is of no use.
 */
extern RibbonStatus ribbon_distinct(const RibbonEnv *env,
									RibbonElementKind kind, uint64_t *words,
									size_t *n, RibbonRecord conflict[2]);

#endif /* RIBBON_SORT_H */
