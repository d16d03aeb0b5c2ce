/*
 * zone.h - the last layer: Standard Ribbon with smash, retried until it holds
 *
 * What reaches the last layer must all be stored.  With w = 64 and smash w/2
 * a square system (as many slots as keys) of up to about a thousand keys has a
 * solution for one hash function in four or so [RF 3.1, 5.4], so a few seeds
 * are tried, then others with a slot more, and so on: a set of a thousand keys
 * is its result bits and next to nothing else.
 *
 * Beyond that it gets hard quickly, so more keys are cut by a hash into zones
 * that are solved alone ("hard sharding" [RF 5.4]).  A fraction of a result
 * bit per key is had the same way [RF 5.1]: a share of the keys goes to wide
 * zones, which have a column more than the narrow ones.  Which keys these are
 * is a matter of chance, and each costs a bit, so hashes are first rotated
 * in the one of a few ways that makes fewest keys wide.  Non-members
 * are divided as before: the FPR stays what it was.
 */
#ifndef RIBBON_ZONE_H
#define RIBBON_ZONE_H

#include "base/alloc.h"
#include "format/system.h"

#define RIBBON_ZONE_SEEDS 16 /* the header has four bits for each zone's */

/* A zone's keys, on average, if its width is 64; with 128 four times as many. */
#define RIBBON_ZONE_KEYS 1536

/*
 * Ribbon width of the zones of a filter.  This and the next three functions
 * are part of the format: the header relies on them.
 */
static inline unsigned
ribbon_zone_width(int width)
{
	return width == 128 ? 128 : 64;
}

/* Zones for the last layer's keys of a class, share 2048ths of nkeys. */
static inline unsigned
ribbon_zone_count(int width, uint64_t nkeys, unsigned share)
{
	uint64_t keys = nkeys * share / RIBBON_SHARES;
	uint64_t zone_keys = width == 128 ? 4 * RIBBON_ZONE_KEYS : RIBBON_ZONE_KEYS;

	return share == 0 ?
		0 :
		(unsigned) ribbon_min64(1 + keys / zone_keys, RIBBON_MAX_ZONES);
}

/* The slots to expect in zone z, if all zones together have nslots. */
static inline uint64_t
ribbon_zone_expected_slots(const RibbonFilter *filter, unsigned z,
						   uint64_t nslots)
{
	unsigned wide = z >= filter->nzones[0];
	unsigned share = wide ? filter->split : RIBBON_SHARES - filter->split;

	return nslots * share / (RIBBON_SHARES * filter->nzones[wide]);
}

/* The zone of a rotated last-layer hash, as an index into filter->zones. */
static inline unsigned
ribbon_zone_of(const RibbonFilter *filter, uint64_t hash)
{
	unsigned share = ribbon_hash_share(hash);
	unsigned narrow = RIBBON_SHARES - filter->split;

	if (share < narrow)
		return share * filter->nzones[0] / narrow;
	return filter->nzones[0] +
		(share - narrow) * filter->nzones[1] / filter->split;
}

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
