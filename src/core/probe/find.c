/*
 * find.c - look up a hash from any layer on, wherever it starts
 *
 * Kernels do the usual case by themselves (kernel_layers.h).  What they leave
 * is found here, layer by layer, and looked up by the kernel again: starts near
 * a layer's end, the last few hashes of a batch, and what a column has bumped.
 */
#include "format/buckets.h"
#include "probe/column.h"
#include "probe/plan.h"

bool
ribbon_find_from(const RibbonPlan *plan, unsigned first, uint64_t hash,
				 uint64_t *code)
{
	if (plan->plane.kind == RIBBON_HOMOGENEOUS)
		return plan->at(&plan->plane.systems[0], hash, true,
						ribbon_system_start(&plan->plane.systems[0], hash),
						code);

	for (unsigned i = first; i < plan->plane.nlayers; i++)
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
			return plan->at(layer, hash, false, start, code);
		*code = ribbon_column_bit(layer, hash, start);
		return true;
	}
	return plan->find_last(plan, hash, code);
}
