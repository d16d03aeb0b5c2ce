/*
 * find.c - look up a hash, in plain C
 *
 * Kernels do the usual case by themselves (probe_template.h).  This is for keys
 * near the ends of layers.
 */
#include "probe/find.h"

#include "format/buckets.h"
#include "probe/column.h"
#include "probe/probes.h"

static bool
find_at(const RibbonSystem *system, uint64_t hash, uint64_t start,
		uint32_t result, uint64_t *code)
{
	return ribbon_probes(system->width)
		->system(system, hash, start, result, code);
}

bool
ribbon_find_from(const RibbonPlane *plane, int first, uint64_t hash,
				 uint64_t *code)
{
	if (plane->kind == RIBBON_HOMOGENEOUS)
		return find_at(&plane->systems[0], hash,
					   ribbon_system_start(&plane->systems[0], hash), 0, code);

	for (int i = first; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (RIBBON_UNLIKELY(ribbon_buckets_bump(layer, &plane->buckets, start)))
		{
			hash = ribbon_hash_next_layer(hash);
			continue;
		}
		if (code == NULL || !ribbon_plane_is_column(plane))
			return find_at(layer, hash, start, ribbon_hash_fingerprint(hash),
						   code);
		*code = ribbon_column_bit(layer, hash, start);
		return true;
	}
	return plane->find_last(plane, hash, code);
}
