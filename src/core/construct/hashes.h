/*
 * hashes.h - a sorted set of hashes, or of records, in an array or in a store
 *
 * The keys' hashes, or those of the keys that a layer bumps.  Few hashes are in
 * an array.  Many may be in a store (ribbon.h) outside of memory [BuRR 7.3],
 * from which a range of hashes is read at a time.
 *
 * In the build of a map each hash comes with a value word, as a record
 * (solve/supply.h).  What is said of hashes here is true of records: n counts
 * them, an array has two words for each, and their hashes are distinct.
 */
#ifndef RIBBON_HASHES_H
#define RIBBON_HASHES_H

#include "base/alloc.h"
#include "set/element.h"
#include "solve/supply.h"

/*
 * So many hashes, or fewer, are always in an array.  (Tests set other values.)
 */
#ifndef RIBBON_HASHES_IN_MEMORY
#define RIBBON_HASHES_IN_MEMORY ((uint64_t) 1 << 20)
#endif

typedef struct RibbonHashes
{
	uint64_t n;
	uint64_t *array;	/* NULL if they are in a store */
	uint64_t capacity;	/* most hashes to be kept, while they are collected */
	RibbonStore *store; /* NULL if they are in an array */
	const RibbonSupply *supply; /* of records' results; NULL: hashes alone */
	bool owned; /* ribbon_hashes_free frees the array, closes the store */
} RibbonHashes;

/*
 * The n sorted, distinct hashes of an array, or of a sealed store, that the
 * caller owns and keeps.
 */
static inline RibbonHashes
ribbon_hashes_of_array(uint64_t *array, uint64_t n, const RibbonSupply *supply)
{
	RibbonHashes hashes = {n, array, n, NULL, supply, false};

	return hashes;
}

static inline RibbonHashes
ribbon_hashes_of_store(RibbonStore *store, uint64_t n,
					   const RibbonSupply *supply)
{
	RibbonHashes hashes = {n, NULL, 0, store, supply, false};

	return hashes;
}

/* The same elements with another supply; hashes still owns them. */
static inline RibbonHashes
ribbon_hashes_lent(const RibbonHashes *hashes, const RibbonSupply *supply)
{
	RibbonHashes lent = *hashes;

	lent.owned = false;
	lent.supply = supply;
	return lent;
}

/* Words of an element. */
static inline size_t
ribbon_hashes_stride(const RibbonHashes *hashes)
{
	return ribbon_supply_stride(hashes->supply);
}

/*
 * Begin to collect hashes, of which at most capacity are kept: in a store if
 * there may be one (env->open_store) and capacity is above
 * RIBBON_HASHES_IN_MEMORY, else in an array.  Errors: RIBBON_OUT_OF_MEMORY,
 * those of stores.  ribbon_hashes_free is to be called after a failure too.
 */
extern RibbonStatus ribbon_hashes_create(const RibbonEnv *env,
										 RibbonHashes *hashes,
										 uint64_t capacity,
										 const RibbonSupply *supply);

/*
 * Add more[0..n), in any order.  If hashes->n exceeds the capacity, hashes are
 * counted but no longer kept.  Errors: those of stores.
 */
extern RibbonStatus ribbon_hashes_add(RibbonHashes *hashes,
									  const uint64_t *more, size_t n);

/* Drop the hashes collected so far.  Only for an array. */
static inline void
ribbon_hashes_clear(RibbonHashes *hashes)
{
	hashes->n = 0;
}

/*
 * Sort the hashes of an array.  Errors: RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_hashes_sort(const RibbonEnv *env,
									   RibbonHashes *hashes);

/*
 * Sort the hashes that were collected, which must be distinct.  A store with
 * few hashes becomes an array.  Errors: RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED, those of stores.
 */
extern RibbonStatus ribbon_hashes_seal(const RibbonEnv *env,
									   RibbonHashes *hashes);

/*
 * Read all hashes of a sealed store into an array, which hashes owns.  The
 * store is closed if hashes owned it.  Errors: RIBBON_OUT_OF_MEMORY,
 * RIBBON_BAD_STORE, those of stores.
 */
extern RibbonStatus ribbon_hashes_load(const RibbonEnv *env,
									   RibbonHashes *hashes);

/* Some elements in memory; the hash of element i is words[i * stride]. */
typedef struct RibbonElements
{
	const uint64_t *words;
	size_t n;
	size_t stride; /* words of an element */
} RibbonElements;

/* Hashes that were read: in place from an array, or from a store into room. */
typedef struct RibbonHashRange
{
	const uint64_t *hashes;
	size_t n;
	uint64_t *room; /* NULL at first; ribbon_free frees it */
	size_t nroom;	/* elements */
} RibbonHashRange;

/*
 * Have room for nroom hashes, if they are in a store.  What was read before is
 * gone.  Errors: RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_hashes_make_room(const RibbonEnv *env,
											const RibbonHashes *hashes,
											RibbonHashRange *range,
											uint64_t nroom);

/*
 * Set range to the hashes first <= hash <= last, in order.  Where a store has
 * more of them than there is room for, more room is made; unless they are more
 * than most: then only range->n is set.  A caller that has read all ranges
 * compares the sum of range->n with hashes->n; if they differ it is
 * RIBBON_BAD_STORE.  Errors: RIBBON_OUT_OF_MEMORY, RIBBON_BAD_STORE (a second
 * read gave more than the first), those of stores.
 */
extern RibbonStatus ribbon_hashes_read(const RibbonEnv *env,
									   const RibbonHashes *hashes,
									   uint64_t first, uint64_t last,
									   uint64_t most, RibbonHashRange *range);

/* Free the array or close the store if hashes owns it; hashes is empty then. */
extern void ribbon_hashes_free(const RibbonEnv *env, RibbonHashes *hashes);

#endif /* RIBBON_HASHES_H */
