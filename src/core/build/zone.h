/*
 * zone.h - the last layer: Standard Ribbon with smash, retried until it holds
 *
 * What reaches the last layer must all be stored.  With w = 64 and smash w/2
 * a square system (as many slots as keys) of up to about a thousand keys has a
 * solution for one hash function in four or so [RF 3.1, 5.4], so a few seeds
 * are tried, then others with a slot more, and so on: a set of a thousand keys
 * is its result bits and next to nothing else.
 *
 * Beyond that it gets hard quickly, so more keys are cut into zones
 * (format/zones.h) that are solved alone.
 */
#ifndef RIBBON_ZONE_H
#define RIBBON_ZONE_H

#include "base/alloc.h"
#include "format/zones.h"

/* A solved zone: its geometry, and ribbon_icml_bytes(&system) bytes to free. */
typedef struct RibbonZone
{
	RibbonSystem system;
	uint8_t *slots; /* NULL if it has none */
} RibbonZone;

/*
 * Solve the keys with these last-layer hashes (distinct, any order) with columns
 * result bits each and ribbon width 64 or 128.  Some seeds and sizes are tried,
 * as many as *tries at most, which is counted down; *solved tells whether one
 * of them worked.  That none does is rare, unless the keys were chosen for it.
 *
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_zone_build(const RibbonEnv *env, unsigned width,
									  const uint64_t *hashes, size_t nhashes,
									  unsigned columns, unsigned *tries,
									  RibbonZone *zone, bool *solved);

#endif /* RIBBON_ZONE_H */
