/*
 * sort.h - order hashes by starting position
 *
 * Starting positions grow with the hash, so sorting hashes sorts a system's
 * keys, buckets them and brings duplicates together, whatever the system's
 * size.
 */
#ifndef RIBBON_SORT_H
#define RIBBON_SORT_H

#include "base/alloc.h"

/*
 * Sort hashes[0..n) in ascending order.  RIBBON_OUT_OF_MEMORY (it needs room for
 * n more hashes), RIBBON_INTERRUPTED, with the hashes in some order.
 */
extern RibbonStatus ribbon_sort(const RibbonEnv *env, uint64_t *hashes,
								size_t n);

/*
 * So many of hashes[0..n), from the first one on, are distinct and in order; n
 * if all are.  RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_sort_distinct(const RibbonEnv *env,
										 const uint64_t *hashes, size_t n,
										 size_t *ndistinct);

/* Drop repeated hashes from a sorted array of *n.  RIBBON_INTERRUPTED. */
extern RibbonStatus ribbon_sort_unique(const RibbonEnv *env, uint64_t *hashes,
									   size_t *n);

#endif /* RIBBON_SORT_H */
