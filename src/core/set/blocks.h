/*
 * blocks.h - what the modules of this folder share: how a set grows, and the
 * lists of blocks of one in a file
 */
#ifndef RIBBON_BLOCKS_H
#define RIBBON_BLOCKS_H

#include "base/env.h"
#include "set/set.h"

/* The parts of a set are those of a digit of its hashes, from this bit on. */
#define RIBBON_TOP_SHIFT (64 - RIBBON_PART_BITS)

/* 2 MB: words that are collected, or split, at a time. */
#define RIBBON_SET_CHUNK ((size_t) 256 * 1024)

/*
 * All errors are RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of the file,
 * and of what sorts RIBBON_CONFLICT.
 */

/* Let the array have room for so many words, more than it has (collect.c). */
extern RibbonStatus ribbon_set_reserve(RibbonSet *set, uint64_t nwords);

/* Move to the file what the array has, and keep the array (grow.c). */
extern RibbonStatus ribbon_set_move_array(RibbonSet *set);

/*
 * Add n elements, in any order, to the file and not to the array: many at once,
 * or it takes long (grow.c).
 */
extern RibbonStatus ribbon_set_add_to_file(RibbonSet *set,
										   const uint64_t *words, size_t n);

/*
 * Lists are written and read (blocks.c)
 */

/* Add words[0..n), whole elements, at the end. */
extern RibbonStatus ribbon_blocks_append(RibbonSet *set, RibbonBlockList *list,
										 const uint64_t *words, size_t n);

/* Move all blocks to the end of another list of the set: all, or none. */
extern RibbonStatus ribbon_blocks_move(RibbonSet *set, RibbonBlockList *to,
									   RibbonBlockList *from);

/*
 * Read the words of blocks begin .. end - 1.  Interrupts are those of env, for
 * threads may read (file.h).
 */
extern RibbonStatus ribbon_blocks_read(const RibbonEnv *env,
									   const RibbonSet *set,
									   const RibbonBlockList *list,
									   uint32_t begin, uint32_t end,
									   uint64_t *words);

/* Give blocks back, from number begin on.  Calls nothing. */
extern void ribbon_blocks_drop(RibbonSet *set, RibbonBlockList *list,
							   uint32_t begin);

/* Give all blocks back, and free the list's memory. */
extern void ribbon_blocks_free(RibbonSet *set, RibbonBlockList *list);

/* Set set->n, in a file, after duplicates may have gone. */
extern void ribbon_blocks_count(RibbonSet *set);

/*
 * Lists are sorted, and split to be sorted (blocks_sort.c)
 */

/*
 * Add each of n elements to parts[i], where i is the eight bits of its hash
 * from bit shift on.
 */
extern RibbonStatus ribbon_blocks_scatter(RibbonSet *set, const uint64_t *words,
										  size_t n, unsigned shift,
										  RibbonBlockList *parts);

/*
 * Move each element of a list to (*parts)[i] likewise.  *parts may be NULL;
 * then it is made.  Of 2 MB at a time duplicates are dropped.
 */
extern RibbonStatus ribbon_blocks_split(RibbonSet *set, RibbonBlockList *list,
										unsigned shift,
										RibbonBlockList **parts);

/* Sort some lists, which together fit in memory, and drop duplicates. */
extern RibbonStatus ribbon_blocks_sort(RibbonSet *set, RibbonBlockList **lists,
									   unsigned nlists);

/* Seal a set in a file, whose array is empty. */
extern RibbonStatus ribbon_blocks_seal(RibbonSet *set);

#endif /* RIBBON_BLOCKS_H */
