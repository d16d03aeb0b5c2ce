/*
 * retrieve.c - what does a plane of a map have stored for this key?
 *
 * As query.c and probe.c do for filters: follow the key to the layer that holds
 * it, and bring its columns together there (get.h).  Kernels do the common case
 * all by themselves (get_template.h).
 */
#include "format/buckets.h"
#include "probe/get.h"
#include "probe/layers.h"
#include "probe/locate.h"
#include "probe/probes.h"

bool
ribbon_get_at(const RibbonSystem *system, uint64_t hash, uint64_t start,
			  uint64_t *code)
{
	return ribbon_probes(system->width)->get_system(system, hash, start, code);
}

bool
ribbon_get_from(const RibbonPlane *plane, int first, uint64_t hash,
				uint64_t *code)
{
	for (int i = first; i < plane->nlayers; i++)
	{
		const RibbonSystem *layer = &plane->systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (RIBBON_LIKELY(!ribbon_buckets_bump(layer, &plane->buckets, start)))
			return ribbon_get_at(layer, hash, start, code);
		hash = ribbon_hash_next_layer(hash);
	}
	return plane->get_last(plane, hash, code);
}
