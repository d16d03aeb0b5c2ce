/*
 * set.h - a set of hashes or records that does not fit into memory
 *
 * Elements arrive in any order and with duplicates, many at a time, and are
 * wanted in order and once [BuRR 7.3].  They are in blocks of a file (file.h):
 * roughly in order while a set grows, and in order once it is sealed.
 *
 *----------
 *	 add, absorb   unsorted		02.. | 8f.. 8f.. | d1.. | 02.. 02..
 *	   |
 *	 seal          sorted		02.. 02.. 02.. | 8f.. 8f.. | d1..
 *	   |
 *	 read a range, or block after block
 *----------
 *
 * Of records the second word is a value, for a map; for an exact set the key's
 * second hash and whether it is a member (ribbon.h).
 *
 * Functions that return a status may return RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED, RIBBON_CONFLICT (ribbon_distinct), and what the file's
 * callbacks return.  After any of these, or a longjmp (file.h), a set is of no
 * use but to be closed or released.
 */
#ifndef RIBBON_SET_H
#define RIBBON_SET_H

#include "set/file.h"

#pragma GCC visibility push(default)

/*
 * Set *set to an empty set in a file, which must stay.  Its memory, interrupts,
 * threads and reports are env's, whose arg must stay as long as the set.
 */
extern RibbonStatus ribbon_set_create(const RibbonEnv *env, RibbonFile *file,
									  RibbonElementKind kind, RibbonSet **set);

/* Give the set's blocks back, and free its memory.  set may be NULL. */
extern void ribbon_set_close(RibbonSet *set);

/*
 * Give the set's blocks back to its file, and nothing else: for callers whose
 * memory goes by itself.  May be called twice, and at any time.
 */
extern void ribbon_set_release(RibbonSet *set);

extern RibbonFile *ribbon_set_file(const RibbonSet *set);

/* The number of elements, with duplicates until the set is sealed. */
extern uint64_t ribbon_set_count(const RibbonSet *set);

/* Add n elements, in any order: many at once, or it takes long. */
extern RibbonStatus ribbon_set_add(RibbonSet *set, const uint64_t *words,
								   size_t n);

/* The same for elements that are in order. */
extern RibbonStatus ribbon_set_add_sorted(RibbonSet *set, const uint64_t *words,
										  size_t n);

/* The same for a few at a time; these are collected in 2 MB of memory. */
extern RibbonStatus ribbon_set_collect(RibbonSet *set, const uint64_t *words,
									   size_t n);

/*
 * Add all elements of another set.  Of the same file its blocks are taken over,
 * and the other set is empty then; else they are copied.
 */
extern RibbonStatus ribbon_set_absorb(RibbonSet *set, RibbonSet *other);

/* Sort, and drop duplicates.  More may be added later. */
extern RibbonStatus ribbon_set_seal(RibbonSet *set);

/* Of RIBBON_CONFLICT: two records, as ribbon_distinct gives them. */
extern const uint64_t *ribbon_set_conflict(const RibbonSet *set);

/*
 * Set *n to the number of elements of a sealed set with first <= hash <= last,
 * or SIZE_MAX if size_t cannot hold it.  If *n is at most room, copy them, in
 * order, to words[]; otherwise what is in words[0..room) is undefined.
 */
extern RibbonStatus ribbon_set_read(RibbonSet *set, uint64_t first,
									uint64_t last, uint64_t *words, size_t room,
									size_t *n);

/* Where one reads in a set; zeroed at first. */
typedef struct RibbonSetPosition
{
	uint32_t list;
	uint32_t block;
} RibbonSetPosition;

/*
 * Read the next block to words[0..RIBBON_BLOCK_WORDS), and set *n to the number
 * of its elements, 0 at the end.  In a sealed set they come in order.
 */
extern RibbonStatus ribbon_set_next(const RibbonSet *set,
									RibbonSetPosition *position,
									uint64_t *words, size_t *n);

/*
 * For a process that gives a set's blocks, in a file that others can open, to
 * another one.  A set that is lent gives no blocks back.
 */
extern void ribbon_set_lend(RibbonSet *set);
extern bool ribbon_set_is_lent(const RibbonSet *set);

/* The number of its lists of blocks: 1, or RIBBON_SET_PARTS. */
extern uint32_t ribbon_set_nlists(const RibbonSet *set);

/* The blocks of list i; sets *n to their number. */
extern const RibbonBlock *ribbon_set_blocks(const RibbonSet *set, uint32_t i,
											uint32_t *n);

/* Divide a set that is one list, and what comes later, into parts. */
extern RibbonStatus ribbon_set_cut(RibbonSet *set);

/* Add a block, which holds whole elements, to list i. */
extern RibbonStatus ribbon_set_take(RibbonSet *set, uint32_t i,
									const RibbonBlock *block);

/*
 * Make a set that is lent, and has blocks of other sources alone, one of
 * another file, whose source sources[i] is source i of the set's file so far.
 */
extern void ribbon_set_refile(RibbonSet *set, RibbonFile *file,
							  const uint32_t *sources);

/* How a build reads the set; the caller keeps it. */
extern RibbonStore *ribbon_set_store(RibbonSet *set);

/*
 * Set *store to a new set of hashes (words is 1), or of such elements, in the
 * file of another one: what RibbonEnv.open_store is to do.
 */
extern RibbonStatus ribbon_set_open_store(const RibbonEnv *env,
										  const RibbonSet *like, unsigned words,
										  RibbonStore **store);

#pragma GCC visibility pop

#endif /* RIBBON_SET_H */
