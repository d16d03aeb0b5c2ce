/*
 * opened.h - the planes of an opened filter, and how they are probed
 *
 * RibbonInside.opened has the planes one after the other, each with how to
 * probe it, and with as many of its systems as there are; and behind the first
 * plane of a map whose codes are not plain, the RibbonCodes.  Offsets lead from
 * one to the other, so that the bytes in use may be copied:
 *
 *----------
 *	 how, first plane, systems | RibbonCodes | how, plane, systems
 *	 |                         |             |
 *	 +-------- codes --------->|             |
 *	 +-------- next ------------------------>|
 *----------
 *
 * A plane is probed by functions that are chosen once, when it is opened, most
 * of them among those of the kernel in use (probes.h).  So are those that put
 * the answers of a filter's planes together.
 *
 * Probes are told a plane and no RibbonFilter.  So what they need of the whole
 * filter is in each plane.
 *
 * All arrays are the caller's.  Nothing is allocated, and nothing can fail.
 */
#ifndef RIBBON_OPENED_H
#define RIBBON_OPENED_H

#include "format/codes.h"
#include "format/plane.h"
#include "format/zones.h"

typedef struct RibbonOpened RibbonOpened;
typedef struct RibbonStage RibbonStage; /* batch.h has these two */
typedef struct RibbonBatch RibbonBatch;

/*
 * Is the key with this hash in the plane?  If so, *code becomes its value bits.
 * In a plane that is a filter *code is not used, though it may become 0.
 */
typedef bool RibbonFind(const RibbonOpened *opened, uint64_t hash,
						uint64_t *code);

/*
 * Look up a hash in a bumped layer of any shape, from its start on.  Returns
 * whether the check bits are those of the hash, and sets *code to the value
 * bits.
 */
typedef bool RibbonFindAt(const RibbonSystem *system, uint64_t hash,
						  uint64_t start, uint64_t *code);

/* Look up a batch's hashes in one layer. */
typedef void RibbonFindBatch(const RibbonOpened *opened,
							 const RibbonStage *stage, RibbonBatch *batch);

/* A plane, and how to probe it. */
struct RibbonOpened
{
	/*
	 * One key: find takes the key's hash.  The others take a hash as a layer
	 * sees it: find_first the first layer, or a homogeneous system; find_last
	 * the last layer.
	 */
	RibbonFind *find;
	RibbonFind *find_first;
	RibbonFind *find_last;
	RibbonFindAt *at;

	/* many keys, in one layer; and in the last one, or NULL */
	RibbonFindBatch *batch;
	RibbonFindBatch *batch_last;
	size_t least_batch; /* fewer keys, or all if batch is NULL, are probed one
						 * by one */
	bool in_steps;		/* RibbonStage.in_steps, unless many are members */
	bool far;			/* are most slots in no near cache? */
	bool ahead;			/* are slots loaded before keys are probed singly? */

	/* of the whole filter: of an exact set, */
	bool inverted; /* the filter is of the keys that are not members */
	bool masked;   /* the column's bits are (format/format.h) */

	RibbonZoneFinder zones;
	unsigned bucket_mask; /* positions in a bucket, less one */

	/* of the whole filter: for bytes that are not in memory; else NULL */
	RibbonFetch fetch;
	void *fetch_arg;

	uint32_t next;	/* bytes from here to the next plane, or 0; */
	uint32_t codes; /* of the first plane: to the RibbonCodes, or 0 */

	RibbonPlane plane; /* the last member: its last systems may not be there */
};

/* Room for a unit of weight (format/codes.h); planes and systems take less. */
#define RIBBON_WEIGHT_BYTES 52

_Static_assert(offsetof(RibbonOpened, plane.systems) <=
					   RIBBON_PLANE_WEIGHT * RIBBON_WEIGHT_BYTES &&
				   sizeof(RibbonSystem) <=
					   RIBBON_SYSTEM_WEIGHT * RIBBON_WEIGHT_BYTES,
			   "a plane takes no more than its weight");
_Static_assert(RIBBON_MAX_WEIGHT *RIBBON_WEIGHT_BYTES + sizeof(RibbonCodes) +
					   sizeof(RibbonOpened) <=
				   RIBBON_OPENED_WORDS * sizeof(uint64_t),
			   "there is room for planes of the greatest weight, and the last");
_Static_assert(RIBBON_PLANE_WEIGHT +
					   RIBBON_SYSTEM_WEIGHT * RIBBON_MAX_SYSTEMS <=
				   RIBBON_MAX_WEIGHT,
			   "there is room for any two planes");

/* The plane behind one of an opened filter (ribbon_opened), or NULL. */
static inline const RibbonOpened *
ribbon_opened_next(const RibbonOpened *opened)
{
	return opened->next == 0 ?
		NULL :
		(const RibbonOpened *) ((const char *) opened + opened->next);
}

/* The codes of an opened map, or NULL if its values have plain ones. */
static inline const RibbonCodes *
ribbon_opened_codes(const RibbonOpened *first)
{
	return first->codes == 0 ?
		NULL :
		(const RibbonCodes *) ((const char *) first + first->codes);
}

/*
 * Choose how to probe a plane that has been placed, and whose fetch is set.
 * gives_values: the plane is one of a map, or has value bits.
 *
 * If its bytes are in memory, this sets RibbonSystem.whole.  A probe whose
 * start is below that reads both of its blocks as full ones, in groups of eight
 * columns; or in a column of values, RIBBON_COLUMN_BYTES from the start's byte.
 */
extern void ribbon_prepare(RibbonOpened *opened, bool gives_values);

/* Set contains, get and finish of a filter whose planes are prepared. */
extern void ribbon_filter_prepare(RibbonFilter *filter);

/*
 * What these two choose, beside functions of the kernel: a RibbonFind of a
 * plane whose bytes are fetched, and that has systems; and RibbonInside.get and
 * finish of a map whose codes are not plain.
 */
extern bool ribbon_sliced_find(const RibbonOpened *opened, uint64_t hash,
							   uint64_t *code);
extern bool ribbon_coded_get(const RibbonOpened *first, uint64_t hash,
							 uint64_t *code);
extern void ribbon_coded_finish(const RibbonOpened *first,
								const uint64_t *hashes, unsigned n, bool *found,
								uint64_t *codes);

#endif /* RIBBON_OPENED_H */
