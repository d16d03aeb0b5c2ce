/*
 * hashes.h - the hashes that a layer is to hold
 *
 * Few hashes are an array.  Many may be in a store (ribbon.h), from which they
 * are read window by window.
 */
#ifndef RIBBON_HASHES_H
#define RIBBON_HASHES_H

#include "base/alloc.h"

/* As many as this are always an array. */
#ifndef RIBBON_HASHES_IN_MEMORY
#define RIBBON_HASHES_IN_MEMORY ((uint64_t) 1 << 20)
#endif

typedef struct RibbonHashes
{
	uint64_t n;
	uint64_t *array;	/* NULL if they are in a store */
	uint64_t capacity;	/* of an array that is being filled */
	RibbonStore *store; /* NULL if they are in an array */
	bool owned;			/* free or close what holds them, in the end */
} RibbonHashes;

/* Sorted hashes that are there already, in an array or a sealed store. */
static inline RibbonHashes
ribbon_hashes_of_array(uint64_t *array, uint64_t n)
{
	RibbonHashes hashes = {n, array, n, NULL, false};

	return hashes;
}

static inline RibbonHashes
ribbon_hashes_of_store(RibbonStore *store, uint64_t n)
{
	RibbonHashes hashes = {n, NULL, 0, store, false};

	return hashes;
}

/*
 * Begin to collect hashes, no more than capacity of which are worth keeping.
 * RIBBON_OUT_OF_MEMORY, or what env->open_store says; ribbon_hashes_free is
 * right in any case.
 */
extern RibbonStatus ribbon_hashes_create(const RibbonEnv *env,
										 RibbonHashes *hashes,
										 uint64_t capacity);

/* Add some.  Those beyond capacity are counted, but lost. */
extern RibbonStatus ribbon_hashes_add(RibbonHashes *hashes,
									  const uint64_t *more, size_t n);

/* Begin again (an array). */
static inline void
ribbon_hashes_clear(RibbonHashes *hashes)
{
	hashes->n = 0;
}

/* No more will come: bring them in order.  They are distinct. */
extern RibbonStatus ribbon_hashes_seal(const RibbonEnv *env,
									   RibbonHashes *hashes);

/*
 * Bring the hashes of a sealed store into an array.  RIBBON_OUT_OF_MEMORY, or
 * what the store says.
 */
extern RibbonStatus ribbon_hashes_load(const RibbonEnv *env,
									   RibbonHashes *hashes);

/*
 * The hashes first <= hash <= last: *found[0..*n).  They may be copied to
 * room[0..nroom) for that, which is left alone otherwise; if they are in a
 * store and more than nroom, *found is not to be used.
 */
extern RibbonStatus ribbon_hashes_read(const RibbonHashes *hashes,
									   uint64_t first, uint64_t last,
									   uint64_t *room, size_t nroom,
									   const uint64_t **found, size_t *n);

extern void ribbon_hashes_free(const RibbonEnv *env, RibbonHashes *hashes);

#endif /* RIBBON_HASHES_H */
