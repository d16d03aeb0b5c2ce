/*
 * probe.c - does a system's stored row for this key match its result bits?
 */
#include "probe/probe.h"

#include "format/buckets.h"
#include "probe/probes.h"

bool
ribbon_probe_at(const RibbonSystem *system, uint64_t hash, uint64_t start,
				uint32_t result)
{
	return ribbon_probes(system->width)->system(system, hash, start, result);
}

bool
ribbon_probe(const RibbonSystem *system, uint64_t hash, uint32_t result)
{
	if (RIBBON_UNLIKELY(system->nslots == 0))
		return (result & ribbon_low_mask(ribbon_system_bits(system, hash))) ==
			0;
	return ribbon_probe_at(system, hash, ribbon_system_start(system, hash),
						   result);
}

bool
ribbon_probe_from(const RibbonPlane *plane, int first, uint64_t hash)
{
	if (plane->kind == RIBBON_HOMOGENEOUS)
		return ribbon_probe(&plane->systems[0], hash, 0);

	for (int i = first; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (RIBBON_LIKELY(!ribbon_buckets_bump(layer, &plane->buckets, start)))
			return ribbon_probe_at(layer, hash, start,
								   ribbon_hash_fingerprint(hash));
		hash = ribbon_hash_next_layer(hash);
	}
	return plane->last_layer(plane, hash);
}
