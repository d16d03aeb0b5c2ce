/*
 * locate.h - the bucket and the zone of a key, in few instructions
 *
 * The results are those of format/buckets.h and format/zones.h.  The filter has
 * been opened.
 */
#ifndef RIBBON_LOCATE_H
#define RIBBON_LOCATE_H

#include "base/bits.h"
#include "format/buckets.h"
#include "format/zones.h"
#include "probe/opened.h"

/*
 * ribbon_buckets_bump in fewer steps.  width is that of the layer, or 128 where
 * it is no constant: buckets may be in groups only if it is 128.
 *
 * A word of codes is loaded.  It may end up to three bytes behind the layer's
 * thresholds, but not behind the value, for the slots of layer 0 are there, in
 * four bytes at least: a plane with layers has a column, if only in the wide
 * blocks, and in these are the last w >= 32 slots, where a start may be.
 */
static inline __attribute__((always_inline)) bool
ribbon_locate_bumps(const RibbonOpened *opened, const RibbonSystem *layer,
					uint64_t start, unsigned width)
{
	const RibbonBuckets *buckets = &opened->plane.buckets;
	uint64_t bucket = start >> buckets->log2_size;
	unsigned position = (unsigned) start & opened->bucket_mask;
	uint32_t codes;

	if (width == 128 && buckets->grouped)
		return position <
			ribbon_grouped_threshold(layer->thresholds, buckets, bucket);
	codes = ribbon_load32(layer->thresholds + bucket / 16 * 4);
	return position <
		buckets->threshold[codes >> ((unsigned) bucket * 2 & 31) & 3];
}

/*
 * The number, among the zones, of that of a hash that has come to the last
 * layer.  *hash becomes the one that this zone sees.  (Hashes are rotated only
 * where there are wide zones.)
 */
static inline unsigned
ribbon_locate_last(const RibbonOpened *opened, uint64_t *hash)
{
	const RibbonPlane *plane = &opened->plane;
	unsigned zone = 0;

	if (RIBBON_LIKELY(ribbon_plane_nzones(plane) > 1))
	{
		if (plane->split > 0)
			*hash = ribbon_hash_rotated(*hash, plane->rotation);
		zone = ribbon_zones_locate(plane, &opened->zones, *hash);
	}
	*hash *= ribbon_plane_zones(plane)[zone].factor;
	return zone;
}

/* ribbon_system_start, which may be too large by what smash adds. */
static inline uint64_t
ribbon_locate_start(const RibbonSystem *system, uint64_t hash)
{
	uint64_t start = ribbon_mulhi(hash, system->range);

	return (start > system->smash ? start : system->smash) - system->smash;
}

/* The hash in the first layer of the key with this hash. */
static inline uint64_t
ribbon_locate_salted(const RibbonOpened *opened, uint64_t hash)
{
	return opened->plane.salted ? ribbon_hash_salted(hash, opened->plane.salt) :
								  hash;
}

/*
 * A RibbonFind from layer first of a BuRR plane on, 0 .. nlayers, to which the
 * hash has come; nlayers stands for the last layer.
 */
extern bool ribbon_find_from(const RibbonOpened *opened, uint64_t hash,
							 uint64_t *code, unsigned first);

#endif /* RIBBON_LOCATE_H */
