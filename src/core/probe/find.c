/*
 * find.c - look up hashes near a layer's end
 *
 * Kernels do the usual case by themselves (kernel_layers.h).  What they leave
 * is found here, layer by layer, and looked up by the kernel again.
 */
#include "probe/find.h"

#include "format/buckets.h"
#include "probe/column.h"
#include "probe/probes.h"

static bool
find_in_system(const RibbonPlane *plane, const RibbonSystem *system,
			   uint64_t hash, uint64_t start, uint64_t *code)
{
	return ribbon_probes(system->width)
		->at(system, hash, plane->kind == RIBBON_HOMOGENEOUS, start, code);
}

bool
ribbon_find_from(const RibbonPlane *plane, int first, uint64_t hash,
				 uint64_t *code)
{
	if (plane->kind == RIBBON_HOMOGENEOUS)
		return find_in_system(plane, &plane->systems[0], hash,
							  ribbon_system_start(&plane->systems[0], hash),
							  code);

	for (int i = first; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (RIBBON_UNLIKELY(ribbon_buckets_bump(layer, &plane->buckets, start)))
		{
			hash = ribbon_hash_next_layer(hash);
			continue;
		}
		if (!ribbon_plane_is_column(plane))
			return find_in_system(plane, layer, hash, start, code);
		*code = ribbon_column_bit(layer, hash, start);
		return true;
	}
	return plane->find_last(plane, hash, code);
}
