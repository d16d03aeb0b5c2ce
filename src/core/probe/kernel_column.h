/*
 * kernel_column.h - a kernel looks up hashes in a plane of one value bit
 *
 * Part of a kernel (kernel_table.h).  Ribbon widths are no constants here: see
 * column.h.
 */
#ifndef RIBBON_KERNEL_COLUMN_H
#define RIBBON_KERNEL_COLUMN_H

#include "probe/batch.h"
#include "probe/column.h"

#include <string.h>

/* A RibbonFind: the first layer alone.  One key in twenty is bumped. */
static KERNEL_TARGET bool
column_first(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	const RibbonSystem *layer = &plan->plane.systems[0];
	uint64_t start = ribbon_locate_start(layer, hash);

	if (ribbon_locate_bumps(plan, layer,
							ribbon_min64(start, layer->nstarts - 1), 128))
		return plan->find_bumped(plan, ribbon_hash_next_layer(hash), code);
	*code = ribbon_column_bit(layer, hash, start);
	return true;
}

/* A RibbonFind: a hash that has come to the last layer. */
static KERNEL_TARGET bool
column_last(const RibbonPlan *plan, uint64_t hash, uint64_t *code)
{
	const RibbonSystem *zone = ribbon_locate_last(plan, &hash);

	*code = zone->nslots > 0 &&
		ribbon_column_bit(zone, hash, ribbon_locate_start(zone, hash));
	return true;
}

/* A RibbonFindBatch: as batch_system, but nothing is put off. */
static KERNEL_TARGET inline void
column_batch(const RibbonPlan *plan, const RibbonSystem *system,
			 RibbonBatch *batch)
{
	const uint64_t *hashes = batch->hashes;
	unsigned n = batch->nhashes;

	batch->nrest = batch->nbumped = 0;
	for (unsigned i = 0; i < n + RIBBON_AHEAD; i++)
	{
		uint64_t start;

		if (i < n)
		{
			start = ribbon_locate_start(system, hashes[i]);
			start = ribbon_min64(start, system->nstarts - 1);
			batch->starts[i] = start;
			__builtin_prefetch(system->slots + start / 8);
			batch->bumped[batch->nbumped] = (uint16_t) i;
			batch->nbumped += ribbon_locate_bumps(plan, system, start, 128);
		}
		if (i < RIBBON_AHEAD)
			continue;
		batch->codes[i - RIBBON_AHEAD] =
			ribbon_column_bit(system, hashes[i - RIBBON_AHEAD],
							  batch->starts[i - RIBBON_AHEAD]);
	}
	memset(batch->answers, true, n * sizeof(bool));
}

#endif /* RIBBON_KERNEL_COLUMN_H */
