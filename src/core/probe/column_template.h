/*
 * column_template.h - a kernel's lookups in planes of one value bit (column.h)
 *
 * Part of probe_template.h, once for each kernel: widths are no constants here.
 */
#ifndef RIBBON_COLUMN_TEMPLATE_H
#define RIBBON_COLUMN_TEMPLATE_H

#include "probe/column.h"
#include "probe/probes.h"

/* The first layer alone; one key in twenty is bumped. */
static KERNEL_TARGET bool
column_get(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	const RibbonSystem *layer = &plane->systems[0];
	uint64_t start = ribbon_locate_start(layer, hash);

	if (ribbon_locate_bumps_128(plane, layer,
								ribbon_min64(start, layer->nstarts - 1)))
		return plane->find_bumped(plane, ribbon_hash_next_layer(hash), code);
	*code = ribbon_column_bit(layer, hash, start);
	return true;
}

static KERNEL_TARGET bool
column_last(const RibbonPlane *plane, uint64_t hash, uint64_t *code)
{
	const RibbonSystem *zone = ribbon_locate_last(plane, &hash);

	*code = zone->nslots > 0 &&
		ribbon_column_bit(zone, hash, ribbon_locate_start(zone, hash));
	return true;
}

#ifdef COLUMN_BATCH
#define COLUMN_VECTORS true
#else
#define COLUMN_VECTORS false
#define COLUMN_BATCH   column_batch

/* A RibbonBatchLoop: as NAME(batch, system), but nothing is put off. */
static KERNEL_TARGET void
column_batch(const RibbonPlane *plane, const RibbonSystem *system,
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
			batch->nbumped += ribbon_locate_bumps_128(plane, system, start);
		}
		if (i < RIBBON_AHEAD)
			continue;
		batch->codes[i - RIBBON_AHEAD] =
			ribbon_column_bit(system, hashes[i - RIBBON_AHEAD],
							  batch->starts[i - RIBBON_AHEAD]);
	}
	memset(batch->answers, true, n * sizeof(bool));
}
#endif

#endif /* RIBBON_COLUMN_TEMPLATE_H */
