/*
 * zone.h - the last layer: Standard Ribbon with smash, retried until it holds
 *
 * What reaches the last layer must all be stored.  With w = 64 and smash w/2
 * a square system (as many slots as keys) of up to about a thousand keys has a
 * solution for one hash function in four or so [RF 3.1, 5.4], so a few seeds
 * are tried, then one slot more, and so on: a set of a thousand keys is its
 * result bits and next to nothing else.
 *
 * A set that asks for a fraction of a result bit per key is split in two zones
 * by a hash: one of a columns and one of a + 1 [RF 5.1].  Each is solved alone.
 */
#ifndef RIBBON_ZONE_H
#define RIBBON_ZONE_H

#include "alloc.h"
#include "region.h"

#define RIBBON_ZONE_SEEDS 16	/* the header has four bits for each zone's */

/* A solved zone: its geometry, and ribbon_icml_bytes(&region) bytes to free. */
typedef struct RibbonZone
{
	RibbonRegion region;
	uint8_t    *slots;			/* NULL if it has none */
} RibbonZone;

/*
 * Solve the keys with these last-layer words (distinct, any order) with columns
 * result bits each.  Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_zone_build(const RibbonEnv *env,
									  const uint64_t *words, size_t nwords,
									  unsigned columns, RibbonZone *zone);

#endif							/* RIBBON_ZONE_H */
