/*
 * find.c - look up hashes near a layer's end
 *
 * Kernels do the usual case by themselves (kernel_layers.h).  What they leave
 * is found here, layer by layer, and looked up by the kernel again.
 */

#include "format/buckets.h"
#include "probe/column.h"
#include "probe/probes.h"

static bool
find_in_system(const RibbonPlan *plan, const RibbonSystem *system,
			   uint64_t hash, uint64_t start, uint64_t *code)
{
	return ribbon_probes(system->width)
		->at(system, hash, plan->plane.kind == RIBBON_HOMOGENEOUS, start, code);
}

bool
ribbon_find_from(const RibbonPlan *plan, int first, uint64_t hash,
				 uint64_t *code)
{
	if (plan->plane.kind == RIBBON_HOMOGENEOUS)
		return find_in_system(plan, &plan->plane.systems[0], hash,
							  ribbon_system_start(&plan->plane.systems[0],
												  hash),
							  code);

	for (int i = first; i < plan->plane.nlayers; i++)
	{
		const RibbonSystem *layer = &plan->plane.systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (RIBBON_UNLIKELY(ribbon_buckets_bump(layer, &plan->plane.buckets,
												start)))
		{
			hash = ribbon_hash_next_layer(hash);
			continue;
		}
		if (!ribbon_plane_is_column(&plan->plane))
			return find_in_system(plan, layer, hash, start, code);
		*code = ribbon_column_bit(layer, hash, start);
		return true;
	}
	return plan->find_last(plan, hash, code);
}
