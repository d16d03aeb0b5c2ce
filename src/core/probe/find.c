/*
 * find.c - follow a hash from any layer on to the system that holds its key
 *
 * Kernels do the usual case by themselves (kernel_layers.h).  What they leave
 * is found here, layer by layer, and looked up by the kernel again: what the
 * first layer bumps, starts near its end, and the last few hashes of a batch.
 */
#include "probe/locate.h"

bool
ribbon_find_from(const RibbonOpened *opened, uint64_t hash, uint64_t *code,
				 unsigned first)
{
	for (unsigned i = first; i < opened->plane.nlayers; i++)
	{
		const RibbonSystem *layer = &opened->plane.systems[i];
		uint64_t start = ribbon_system_start(layer, hash);

		if (RIBBON_LIKELY(!ribbon_locate_bumps(opened, layer, start, 128)))
			return opened->at(layer, hash, start, code);
		hash = ribbon_hash_next_layer(hash);
	}
	return opened->find_last(opened, hash, code);
}
