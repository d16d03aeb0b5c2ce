/*
 * read.h - ranges of a sealed set, and all of a set
 */
#ifndef RIBBON_READ_H
#define RIBBON_READ_H

#include "set/set.h"

/*
 * Within the core alone: there are more elements than a limit allows, or more
 * than what is built of them can take.
 */
#define RIBBON_TOO_MANY ((RibbonStatus) RIBBON_NSTATUS)

/*
 * Elements that were read: in place from an array, or from a file into buffer.
 * Zeroed at first.
 */
typedef struct RibbonSetRange
{
	const uint64_t *words;
	size_t n;
	uint64_t *buffer;
	size_t room; /* words that it has memory for */
} RibbonSetRange;

/*
 * Set range to the elements first <= hash <= last, in order: at most so many,
 * or it is RIBBON_TOO_MANY; UINT64_MAX is no limit.  Of a file whole blocks are
 * read, so the buffer has up to two of them more.  A caller that has read all
 * ranges compares the sum of range->n with set->n; if they differ it is
 * RIBBON_BAD_FILE.
 */
extern RibbonStatus ribbon_set_read(const RibbonEnv *env, const RibbonSet *set,
									uint64_t first, uint64_t last,
									uint64_t most, RibbonSetRange *range);

extern void ribbon_set_range_free(const RibbonEnv *env, RibbonSetRange *range);

/* Called with some elements of a set, the next n of them, 1 or more. */
typedef RibbonStatus (*RibbonTakeElements)(void *arg, const uint64_t *elements,
										   size_t n);

/*
 * Go through all elements, of a sealed set in order, and call take with some
 * after the other: a block, or 65,536 of an array.  A status other than
 * RIBBON_OK ends it.
 */
extern RibbonStatus ribbon_set_each(const RibbonEnv *env, const RibbonSet *set,
									RibbonTakeElements take, void *arg);

#endif /* RIBBON_READ_H */
