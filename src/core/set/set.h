/*
 * set.h - a set of hashes or records: in an array, or in a file
 *
 * Elements arrive in any order and with duplicates, and are wanted in order and
 * once.  A set that fits into memory is an array.  One that outgrows it goes to
 * blocks of a file [BuRR 7.3] (file.h), one list or, if they are many, 256
 * parts:
 *
 *----------
 *	 elements are		in its array		in blocks
 *	 not in a file		all					-
 *	 in a file			what came last		all else
 *
 *	 ribbon_set_collect -> its array
 *							 | ribbon_set_flush, or at its limit
 *						   one list -- ribbon_set_split --> 256 parts
 *
 *	 collected, unsorted	02.. | 8f.. 8f.. | d1.. | 02.. 02..
 *	 sealed					02.. | 8f.. | d1..
 *----------
 *
 * More may be added to a sealed set, which is unsorted then.
 *
 * The words that are used here:
 *
 *	 element	a hash; or a record, with a word more: of a map its value, of an
 *				exact set the second hash and whether it is a member
 *	 block		up to 32 kB of elements in a file (file.h)
 *	 list		blocks that are sorted together (blocks.h): of a small set all,
 *				of a larger one those of a part
 *	 part		elements whose hashes have the same 8 highest bits
 *	 range		elements from one hash to another (read.h)
 *
 * Functions that return a status may return RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED, RIBBON_CONFLICT (ribbon_distinct), and what the file's
 * callbacks return; where there is a limit RIBBON_TOO_MANY (read.h).  After any
 * of these, or a longjmp (file.h), a set is only to be closed or released.
 *
 * Functions of a file are only for sets in one.
 *
 * Functions that change a set use its own env.  Those that only read it are
 * passed an env, which may be a task's, and allocate with that.
 */
#ifndef RIBBON_SET_H
#define RIBBON_SET_H

#include "set/element.h"
#include "set/file.h"

/* Parts that a large set is split into, by the highest bits of its hashes. */
#define RIBBON_PART_BITS 8
#define RIBBON_SET_PARTS (1 << RIBBON_PART_BITS)

/* A list of blocks.  In a sealed set they are in the order of their hashes. */
typedef struct RibbonBlockList
{
	RibbonBlock *blocks; /* the set's memory */
	uint32_t nblocks;
	uint32_t capacity;
	uint64_t nwords; /* in all blocks */
} RibbonBlockList;

/* A set.  Its members may be read. */
struct RibbonSet
{
	RibbonEnv env; /* memory, interrupts, threads and reports */
	RibbonElementKind kind;
	bool in_file;
	bool lent; /* other sets may have its blocks: it gives none back */
	bool sealed;
	bool borrowed; /* is its array the caller's, who frees it? */
	uint64_t n;	   /* elements, with duplicates until it is sealed */
	uint64_t most; /* that n may become by adding; UINT64_MAX is no limit */

	uint64_t *array; /* or NULL */
	size_t narray;	 /* words in it */
	size_t room;	 /* words that it has memory for; this grows */
	size_t limit;	 /* up to so many, and then it is emptied into the file */

	RibbonFile *file;		/* of its blocks; NULL: it stays in its array */
	RibbonBlockList whole;	/* as long as the set is small */
	RibbonBlockList *parts; /* or NULL; else RIBBON_SET_PARTS lists */

	RibbonRecord conflict[2]; /* with RIBBON_CONFLICT */
};

/* Words of an element of a set. */
static inline unsigned
ribbon_set_stride(const RibbonSet *set)
{
	return ribbon_element_stride(set->kind);
}

/*
 * The set of n elements in the caller's array of words, which is borrowed, and
 * which sealing sorts.  No more may be added, and there is nothing to close.
 */
static inline RibbonSet
ribbon_set_of_array(const RibbonEnv *env, RibbonElementKind kind,
					uint64_t *words, uint64_t n)
{
	return (RibbonSet){.env = *env,
					   .kind = kind,
					   .borrowed = true,
					   .n = n,
					   .array = words,
					   .narray = (size_t) n * ribbon_element_stride(kind)};
}

/* An empty set, in an array that grows (collect.c). */
static inline RibbonSet
ribbon_set_growing(const RibbonEnv *env, RibbonElementKind kind)
{
	return (RibbonSet){.env = *env,
					   .kind = kind,
					   .most = UINT64_MAX,
					   .limit = SIZE_MAX};
}

/*
 * From now on, let its array grow to so many words, and then go to this file;
 * or to the one that the set is in.
 */
static inline void
ribbon_set_limit(RibbonSet *set, size_t nwords, RibbonFile *file)
{
	set->limit = nwords;
	if (!set->in_file)
		set->file = file;
}

/*
 * From now on, let the set be in this file, if it is not in one.  What its
 * array has stays there.
 */
static inline void
ribbon_set_enter_file(RibbonSet *set, RibbonFile *file)
{
	ribbon_set_limit(set, set->limit, file);
	set->in_file = true;
}

/* The lists of its blocks: one, or RIBBON_SET_PARTS. */
static inline uint32_t
ribbon_set_nlists(const RibbonSet *set)
{
	return set->parts == NULL ? 1 : RIBBON_SET_PARTS;
}

static inline RibbonBlockList *
ribbon_set_lists(const RibbonSet *set)
{
	return set->parts == NULL ? (RibbonBlockList *) &set->whole : set->parts;
}

/*
 * Elements come (collect.c).  How they are read: read.h
 */

/* Add the n elements that words consist of, having room made for them. */
extern RibbonStatus ribbon_set_collect(RibbonSet *set, const uint64_t *words,
									   size_t n);

/*
 * The same where elements are made: have room for n of them, which are 2 MB at
 * most; their place; and that they are there.  A set that stays in its array is
 * left as it was if there is no memory to let it grow.
 */
extern RibbonStatus ribbon_set_make_room(RibbonSet *set, size_t n);

static inline bool
ribbon_set_stays_in_array(const RibbonSet *set, size_t n)
{
	return !set->in_file &&
		set->narray + n * ribbon_set_stride(set) <= set->limit;
}

static inline bool
ribbon_set_has_room(const RibbonSet *set, size_t n)
{
	return set->narray + n * ribbon_set_stride(set) <= set->room;
}

static inline uint64_t *
ribbon_set_end(const RibbonSet *set)
{
	return set->array + set->narray;
}

static inline void
ribbon_set_count_more(RibbonSet *set, size_t n)
{
	set->narray += n * ribbon_set_stride(set);
	set->n += n;
	set->sealed = false;
}

/*
 * In a file (grow.c)
 */

/* Move there what the array has, and free the array. */
extern RibbonStatus ribbon_set_flush(RibbonSet *set);

/* Divide a set that is one list, and what comes later, into parts. */
extern RibbonStatus ribbon_set_split(RibbonSet *set);

/*
 * Sets are sealed, and closed (seal.c)
 */

/* Sort, and drop duplicates, if anything has been added.  More may be later. */
extern RibbonStatus ribbon_set_seal(RibbonSet *set);

/* Give the set's blocks back, and free its memory.  Once more does no harm. */
extern void ribbon_set_close(RibbonSet *set);

/*
 * Give the set's blocks back to its file, and nothing else: for callers whose
 * memory goes by itself.  May be called twice, and at any time.
 */
extern void ribbon_set_release(RibbonSet *set);

/*
 * Sets in files that go to another set or process (handover.c)
 */

/*
 * Add all elements of another set in a file.  If it is the same one, its blocks
 * are taken over, and the other set is empty then; else they are copied.  A
 * conflict is in set, also if both of its records are the other's.
 */
extern RibbonStatus ribbon_set_absorb(RibbonSet *set, RibbonSet *other);

/* Give none of its blocks back from now on: other sets may have them. */
static inline void
ribbon_set_lend(RibbonSet *set)
{
	set->lent = true;
}

/* Add a block, which holds whole elements, to list i. */
extern RibbonStatus ribbon_set_add_block(RibbonSet *set, uint32_t i,
										 const RibbonBlock *block);

/*
 * Make a set that is lent, and has blocks of other sources alone, one of
 * another file, whose source sources[i] is source i of the set's file so far.
 */
extern void ribbon_set_refile(RibbonSet *set, RibbonFile *file,
							  const uint32_t *sources);

#endif /* RIBBON_SET_H */
