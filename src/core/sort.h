/*
 * sort.h - order words by starting position
 *
 * Starting positions grow with the word, so sorting words sorts a region's
 * keys, buckets them and brings duplicates together, whatever the region's
 * size.
 */
#ifndef RIBBON_SORT_H
#define RIBBON_SORT_H

#include "alloc.h"

/*
 * Sort words[0..n) in ascending order.  scratch has room for n words.
 * RIBBON_INTERRUPTED, with the words in some order.
 */
extern RibbonStatus ribbon_sort(const RibbonEnv *env, uint64_t *words,
								uint64_t *scratch, size_t n);

/* The same with scratch space of its own.  RIBBON_OUT_OF_MEMORY as well. */
extern RibbonStatus ribbon_sort_alone(const RibbonEnv *env, uint64_t *words,
									  size_t n);

/* Drop repeated words from a sorted array of *n.  RIBBON_INTERRUPTED. */
extern RibbonStatus ribbon_sort_unique(const RibbonEnv *env, uint64_t *words,
									   size_t *n);

#endif /* RIBBON_SORT_H */
