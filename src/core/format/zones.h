/*
 * zones.h - the zones of the last layer: how many, and which one a key is in
 *
 * A Standard Ribbon of many keys needs many slots more than keys.  So the last
 * layer's keys are cut by their hash into zones that are solved on their own
 * ("hard sharding" [RF 5.4]).  Zones also make fractions of a result bit [RF
 * 5.1]: of 2048 keys, split go to wide zones, which have one result bit more
 * than the narrow ones.
 *
 * Each wide key costs one bit more, and how many keys are wide varies by
 * chance.  So all hashes are first rotated left by rotation times four bits, by
 * that one of the 16 rotations that makes fewest keys wide.  Non-members are as
 * likely to be wide as before, so the false-positive rate does not change.
 *
 * The zones are part of the format (docs/format.md, sections 1 and 2);
 * construct/zone solves them.
 */
#ifndef RIBBON_ZONES_H
#define RIBBON_ZONES_H

#include "format/plane.h"

#define RIBBON_ROTATIONS 16

/*
 * The hash that the last layer sees, rotated left by rotation (0 .. 15) times
 * four bits.
 */
static inline uint64_t
ribbon_hash_rotated(uint64_t hash, unsigned rotation)
{
	return ribbon_rotate_left(hash, rotation * (64 / RIBBON_ROTATIONS));
}

#define RIBBON_ZONE_SEEDS 16 /* the header has four bits for each seed */

/*
 * With fewer than RIBBON_MAX_ZONES zones, one has on average fewer keys than
 * this; four times that if w is 128.
 */
#define RIBBON_ZONES_KEYS 1536

/* The ribbon width (64 or 128) of the zones of a filter of this width. */
static inline unsigned
ribbon_zones_width(unsigned width)
{
	return width == 128 ? 128 : 64;
}

/*
 * The number of narrow or of wide zones of a last layer of nkeys keys, if share
 * 2048ths of the keys are of that kind: 0 .. RIBBON_MAX_ZONES.
 */
static inline unsigned
ribbon_zones_count(unsigned width, uint64_t nkeys, unsigned share)
{
	uint64_t keys = nkeys * share / RIBBON_SHARES;
	uint64_t zone_keys = width == 128 ? 4 * RIBBON_ZONES_KEYS :
										RIBBON_ZONES_KEYS;

	return share == 0 ?
		0 :
		(unsigned) ribbon_min64(1 + keys / zone_keys, RIBBON_MAX_ZONES);
}

/* Are they so few that zones can take them, if need be? */
static inline bool
ribbon_zones_fit(unsigned width, uint64_t nkeys)
{
	return ribbon_zones_count(width, nkeys, RIBBON_SHARES) < RIBBON_MAX_ZONES;
}

/* Set the numbers of zones, of a last layer of nkeys keys. */
static inline void
ribbon_zones_set(RibbonPlane *plane, uint64_t nkeys)
{
	plane->nzones[0] = ribbon_zones_count(plane->width, nkeys,
										  RIBBON_SHARES - plane->split);
	plane->nzones[1] = ribbon_zones_count(plane->width, nkeys, plane->split);
}

/*
 * The expected slots of zone z (0: the first narrow one) if all zones together
 * have nslots.  The header stores differences from it.
 */
static inline uint64_t
ribbon_zones_expected_slots(const RibbonPlane *plane, unsigned z,
							uint64_t nslots)
{
	unsigned wide = z >= plane->nzones[0];
	unsigned share = wide ? plane->split : RIBBON_SHARES - plane->split;

	return nslots * share / (RIBBON_SHARES * plane->nzones[wide]);
}

/* The slots of all zones. */
static inline uint64_t
ribbon_zones_slots(const RibbonPlane *plane)
{
	uint64_t nslots = 0;

	for (unsigned z = 0; z < ribbon_plane_nzones(plane); z++)
		nslots += ribbon_plane_zones(plane)[z].nslots;
	return nslots;
}

/*
 * Finds the zone of a rotated last-layer hash.  Its share is its 11 highest
 * bits.  The shares of narrow keys are divided evenly among the narrow zones,
 * those of wide keys, whose hashes are first_wide or more, among the wide ones.
 * Zones are counted from the first narrow one; so without a division it is
 *
 *	 zone = (base[i] + share * step[i]) / 2^32, i = 1 for wide keys, else 0
 *
 * A step is the part of a zone that a share takes, in 2^32nds, rounded up by
 * less than 2^4 of them.  So a product is too large by less than 2^15, but the
 * exact one is at least 2^21 below the next zone: the quotient is right.
 */
typedef struct RibbonZoneFinder
{
	uint64_t first_wide;
	uint64_t step[2];
	uint64_t base[2];
} RibbonZoneFinder;

/* Zones per share, a 2048th of the keys, in 2^32nds, rounded up. */
static inline uint64_t
ribbon_zones_step(uint64_t nzones, uint64_t shares)
{
	return nzones * (((UINT64_C(1) << 32) + shares - 1) / shares);
}

static inline RibbonZoneFinder
ribbon_zones_finder(const RibbonPlane *plane)
{
	uint64_t narrow = RIBBON_SHARES - plane->split;
	RibbonZoneFinder finder = {
		.step[0] = ribbon_zones_step(plane->nzones[0], narrow)};

	if (plane->split > 0)
	{
		finder.first_wide = ribbon_hash_highest(plane->split);
		finder.step[1] = ribbon_zones_step(plane->nzones[1], plane->split);
		finder.base[1] = ((uint64_t) plane->nzones[0] << 32) -
			narrow * finder.step[1];
	}
	return finder;
}

static inline unsigned
ribbon_zones_locate(const RibbonPlane *plane, const RibbonZoneFinder *finder,
					uint64_t hash)
{
	size_t wide = 0;

	/*
	 * A branch that is the same for all keys, then an index: compilers make a
	 * branch of a condition, and which zones a key is in cannot be foreseen.
	 */
	if (plane->split > 0)
		wide = hash >= finder->first_wide;
	return (unsigned) ((finder->base[wide] +
						ribbon_hash_share(hash) * finder->step[wide]) >>
					   32);
}

#endif /* RIBBON_ZONES_H */
