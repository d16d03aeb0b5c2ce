/*
 * seeded.h - a zone's hashes under a seed, in the order of their slots
 *
 * Each seed that is tried has an order of its own, and three to five are tried
 * for a zone.  A sweep wants hashes in the order of their starting positions,
 * no finer.  So they are counted into cells, one for each of these, and moved
 * there: a sort (base/sort.h) takes two or three times as long, most of it for
 * the order within cells.
 */
#ifndef RIBBON_SEEDED_H
#define RIBBON_SEEDED_H

#include "base/alloc.h"
#include "format/system.h"
#include "solve/supply.h"

/* Hashes, or if supply is not NULL records, and room for them in order. */
typedef struct RibbonSeeded
{
	const RibbonSupply *supply;
	uint64_t *ordered; /* n elements */
	uint64_t *mixed;   /* n hashes, meanwhile */
	uint32_t *end;	   /* of cells, meanwhile */
	uint64_t ncells;   /* for which there is room so far */
} RibbonSeeded;

/*
 * Make room for n elements of this supply; ribbon_seeded_free frees it, after a
 * failure too.  Errors: RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_seeded_create(const RibbonEnv *env,
										 RibbonSeeded *seeded,
										 const RibbonSupply *supply, size_t n);
extern void ribbon_seeded_free(const RibbonEnv *env, RibbonSeeded *seeded);

/*
 * Set seeded->ordered to the n elements, with their hashes under the system's
 * seed, in ascending order of starting positions.  *clustered says whether they
 * cluster (cluster.h).  Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_seeded_order(const RibbonEnv *env,
										RibbonSeeded *seeded,
										const RibbonSystem *system,
										const uint64_t *elements, size_t n,
										bool *clustered);

#endif /* RIBBON_SEEDED_H */
