/*
 * seal.h - cutting and sorting the lists of a set; for this folder only
 */
#ifndef RIBBON_SEAL_H
#define RIBBON_SEAL_H

#include "set/blocks.h"

/*
 * Move each element of a list to parts[i], where i is the eight bits of its
 * hash from bit shift on.  Duplicates that are near each other are dropped.
 */
extern RibbonStatus ribbon_set_split(RibbonSet *set, RibbonBlockList *list,
									 unsigned shift, RibbonBlockList *parts);

/* Add n sorted elements to the parts that the bits from shift on name. */
extern RibbonStatus ribbon_set_deal(RibbonSet *set, const uint64_t *words,
									size_t n, unsigned shift,
									RibbonBlockList *parts);

/* Sort some lists, which together fit in memory, and drop duplicates. */
extern RibbonStatus ribbon_set_sort_lists(RibbonSet *set,
										  RibbonBlockList **lists,
										  unsigned nlists);

/* Sort all lists, and drop duplicates. */
extern RibbonStatus ribbon_set_sort_all(RibbonSet *set);

#endif /* RIBBON_SEAL_H */
