/*
 * kernel_layers.h - a kernel follows one hash to the system that holds its key
 *
 * Part of a kernel (kernel_table.h).  A key is in the first layer that does not
 * bump it, else in a zone of the last layer:
 *
 *	 find_first		 from the first layer on; most hashes end there
 *	 find_last		 in the last layer, by opened->find_last
 *	 find_only		 in a homogeneous filter, which has one system
 *
 * Bumping is the only branch that depends on the data, and rare.
 */
#ifndef RIBBON_KERNEL_LAYERS_H
#define RIBBON_KERNEL_LAYERS_H

#include "probe/kernel_slots.h"
#include "probe/locate.h"

/* A start from system->whole on, by at_template.h. */
KERNEL_INLINE bool
find_end(const RibbonSystem *system, uint64_t hash, uint64_t start,
		 RibbonVariant v, uint64_t *code)
{
	uint32_t print = find_print(hash, v);

#if KERNEL_SIZE == KERNEL_FULL
	if (!v.gives_values)
		return v.width == 32 ? end32_contains(system, hash, print, start) :
			v.width == 64	 ? end64_contains(system, hash, print, start) :
							   end128_contains(system, hash, print, start);
#endif
	return v.width == 32 ? end32_get(system, hash, print, start, code) :
		v.width == 64	 ? end64_get(system, hash, print, start, code) :
						   end128_get(system, hash, print, start, code);
}

/* Any start, which may be too large by what smash adds. */
KERNEL_INLINE bool
find_at(const RibbonSystem *system, uint64_t hash, uint64_t start,
		RibbonVariant v, uint64_t *code)
{
	if (RIBBON_LIKELY(start < system->whole))
		return find_whole(system, hash, start, v, code);
	return find_end(system, hash, start, v, code);
}

/* A hash that has come to the last layer, in its zone. */
KERNEL_INLINE bool
find_last(const RibbonOpened *opened, uint64_t hash, RibbonVariant v,
		  uint64_t *code)
{
	const RibbonSystem *zone = ribbon_plane_zones(&opened->plane) +
		ribbon_locate_last(opened, &hash);

	return find_at(zone, hash, ribbon_locate_start(zone, hash), v, code);
}

/* Any hash, if there are layers.  The first one keeps most keys. */
KERNEL_INLINE bool
find_first(const RibbonOpened *opened, uint64_t hash, RibbonVariant v,
		   uint64_t *code)
{
	const RibbonSystem *layer = &opened->plane.systems[0];
	uint64_t start = ribbon_mulhi(hash, layer->range) - layer->smash;

	if (RIBBON_UNLIKELY(start >= layer->whole))
		return ribbon_find_from(opened, hash, code, 0);
	if (RIBBON_UNLIKELY(ribbon_locate_bumps(opened, layer, start, v.width)))
		return ribbon_find_from(opened, ribbon_hash_next_layer(hash), code, 1);
	return find_whole(layer, hash, start, v, code);
}

/* Any hash in a homogeneous filter, which has one system. */
KERNEL_INLINE bool
find_only(const RibbonOpened *opened, uint64_t hash, RibbonVariant v,
		  uint64_t *code)
{
	const RibbonSystem *system = &opened->plane.systems[0];

	return find_at(system, hash, ribbon_mulhi(hash, system->range), v, code);
}

#endif /* RIBBON_KERNEL_LAYERS_H */
