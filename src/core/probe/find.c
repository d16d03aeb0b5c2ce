/*
 * find.c - look up a hash from any layer on, wherever it starts
 *
 * Kernels do the usual case by themselves (kernel_layers.h).  What they leave
 * is found here, layer by layer, and looked up by the kernel again: starts near
 * a layer's end, the last few hashes of a batch, and what a column has bumped.
 */
#include "format/buckets.h"
#include "probe/column.h"
#include "probe/opened.h"

bool
ribbon_find_from(const RibbonOpened *opened, unsigned first, uint64_t hash,
				 uint64_t *code)
{
	if (opened->plane.kind == RIBBON_HOMOGENEOUS)
		return opened->at(&opened->plane.systems[0], hash, true,
						  ribbon_system_start(&opened->plane.systems[0], hash),
						  code);

	for (unsigned i = first; i < opened->plane.nlayers; i++)
	{
		const RibbonSystem *layer = &opened->plane.systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (RIBBON_UNLIKELY(ribbon_buckets_bump(layer, &opened->plane.buckets,
												start)))
		{
			hash = ribbon_hash_next_layer(hash);
			continue;
		}
		if (!ribbon_plane_is_column(&opened->plane))
			return opened->at(layer, hash, false, start, code);
		*code = ribbon_column_bit(layer, hash, start);
		return true;
	}
	return opened->find_last(opened, hash, code);
}
