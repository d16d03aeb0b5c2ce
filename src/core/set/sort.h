/*
 * sort.h - order hashes, or records, by starting position
 *
 * Starting positions grow with the hash, so sorting hashes sorts a system's
 * keys, buckets them and brings duplicates together, whatever the system's
 * size.  ribbon_distinct of ribbon_core.h, which also drops duplicates, is in
 * distinct.c.
 */
#ifndef RIBBON_SORT_H
#define RIBBON_SORT_H

#include "base/env.h"

/*
 * Sort n elements, hashes or records, in ascending order of hashes.  It
 * allocates n more meanwhile.  *repeated becomes false only if no two hashes
 * are equal; repeated may be NULL.  Errors: RIBBON_OUT_OF_MEMORY;
 * RIBBON_INTERRUPTED, and then elements may be lost or repeated.
 */
extern RibbonStatus ribbon_sort(const RibbonEnv *env, RibbonElementKind kind,
								uint64_t *words, size_t n, bool *repeated);

/*
 * Copy n elements to to, in the order of the bits from shift on of their
 * hashes; end[b] becomes the number of those with bits up to b.  Errors:
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_scatter(const RibbonEnv *env, RibbonElementKind kind,
								   const uint64_t *words, size_t n,
								   unsigned shift, unsigned bits, uint64_t *to,
								   size_t *end);

#endif /* RIBBON_SORT_H */
