/*
 * zones.h - the zones of the last layer: how many there are, and whose is a key
 *
 * A Standard Ribbon of many keys is hard to solve, so the last layer's keys are
 * cut by their hash into zones that are solved alone ("hard sharding" [RF 5.4]).
 * A fraction of a result bit per key is had the same way [RF 5.1]: a share of
 * the keys, split of 2048, goes to wide zones, which have a result bit more
 * than the narrow ones.  Which keys these are is a matter of chance, and each
 * costs a bit, so hashes are first rotated in the one of 16 ways that makes
 * fewest keys wide.  Non-members are divided as before: the rate stays what it
 * was.
 *
 * The zones are part of the format (docs/format.md, section 5); solving them is
 * build/zone.h's.
 */
#ifndef RIBBON_ZONES_H
#define RIBBON_ZONES_H

#include "format/system.h"

#define RIBBON_ZONE_SEEDS 16 /* the header has four bits for each zone's */

/* A zone's keys, on average, if its width is 64; with 128 four times as many. */
#define RIBBON_ZONES_KEYS 1536

/* Ribbon width of the zones of a filter of this width. */
static inline unsigned
ribbon_zones_width(int width)
{
	return width == 128 ? 128 : 64;
}

/* Zones for the last layer's keys of a class, share 2048ths of nkeys. */
static inline unsigned
ribbon_zones_count(int width, uint64_t nkeys, unsigned share)
{
	uint64_t keys = nkeys * share / RIBBON_SHARES;
	uint64_t zone_keys = width == 128 ? 4 * RIBBON_ZONES_KEYS :
										RIBBON_ZONES_KEYS;

	return share == 0 ?
		0 :
		(unsigned) ribbon_min64(1 + keys / zone_keys, RIBBON_MAX_ZONES);
}

/* The slots to expect in zone z, if all zones together have nslots. */
static inline uint64_t
ribbon_zones_expected_slots(const RibbonFilter *filter, unsigned z,
							uint64_t nslots)
{
	unsigned wide = z >= filter->nzones[0];
	unsigned share = wide ? filter->split : RIBBON_SHARES - filter->split;

	return nslots * share / (RIBBON_SHARES * filter->nzones[wide]);
}

/* The zone of a rotated last-layer hash, counted from the first one. */
static inline unsigned
ribbon_zones_find(const RibbonFilter *filter, uint64_t hash)
{
	unsigned share = ribbon_hash_share(hash);
	unsigned narrow = RIBBON_SHARES - filter->split;

	if (share < narrow)
		return share * filter->nzones[0] / narrow;
	return filter->nzones[0] +
		(share - narrow) * filter->nzones[1] / filter->split;
}

#endif /* RIBBON_ZONES_H */
