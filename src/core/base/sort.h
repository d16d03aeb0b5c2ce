/*
 * sort.h - order words by starting position
 *
 * Starting positions grow with the word, so sorting words sorts a region's
 * keys, buckets them and brings duplicates together, whatever the region's
 * size.
 */
#ifndef RIBBON_SORT_H
#define RIBBON_SORT_H

#include "base/alloc.h"

/*
 * Sort words[0..n) in ascending order.  RIBBON_OUT_OF_MEMORY (it needs room for
 * n more words), RIBBON_INTERRUPTED, with the words in some order.
 */
extern RibbonStatus ribbon_sort(const RibbonEnv *env, uint64_t *words,
								size_t n);

/* Drop repeated words from a sorted array of *n.  RIBBON_INTERRUPTED. */
extern RibbonStatus ribbon_sort_unique(const RibbonEnv *env, uint64_t *words,
									   size_t *n);

#endif /* RIBBON_SORT_H */
