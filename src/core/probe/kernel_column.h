/*
 * kernel_column.h - a kernel looks up hashes in a plane of one value bit
 *
 * Part of a kernel (kernel_table.h).  Ribbon widths are no constants here: see
 * column.h.
 */
#ifndef RIBBON_KERNEL_COLUMN_H
#define RIBBON_KERNEL_COLUMN_H

#include "probe/column.h"
#include "probe/locate.h"

#ifdef LANES
#include "probe/kernel_batch.h"
#endif

/* A RibbonFind: the first layer alone.  (w = 128 bumps one key in twenty.) */
static KERNEL_TARGET bool
column_first(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	const RibbonSystem *layer = &opened->plane.systems[0];
	uint64_t start = ribbon_locate_start(layer, hash);

	if (ribbon_locate_bumps(opened, layer,
							ribbon_min64(start, layer->nstarts - 1), 128))
		return ribbon_find_from(opened, ribbon_hash_next_layer(hash), code, 1);
	*code = ribbon_column_bit(layer, hash, start);
	return true;
}

/* A RibbonFind: a hash that has come to the last layer. */
static KERNEL_TARGET bool
column_last(const RibbonOpened *opened, uint64_t hash, uint64_t *code)
{
	const RibbonSystem *zone = ribbon_plane_zones(&opened->plane) +
		ribbon_locate_last(opened, &hash);

	*code = zone->nslots > 0 &&
		ribbon_column_bit(zone, hash, ribbon_locate_start(zone, hash));
	return true;
}

#ifdef LANES
/* The value bits of hashes whose starts are below system->whole. */
KERNEL_INLINE Lanes
column_bits(const RibbonSystem *system, Lanes hashes, Lanes start)
{
	Lanes at = start >> 3;
	Lanes shift = start & 7;
	Lanes low = lanes_gather64(system->slots, at);
	Lanes middle = lanes_gather64(system->slots + 8, at);
	/* its first byte is the middle's last one, too */
	Lanes last = lanes_gather64(system->slots + 9, at);
	unsigned row_bits = system->row_bits;
	Lanes row = lanes_coeff(hashes, RIBBON_COEFF_MUL0) | 1;

	low = low >> shift | middle << 1 << (63 - shift);
	low &= row & ribbon_low_mask(row_bits);
	if (row_bits > 64)
	{
		row = lanes_coeff(hashes, RIBBON_COEFF_MUL1) &
			ribbon_low_mask(row_bits - 64);
		low ^= (middle >> shift | last << (8 - shift)) & row;
	}
	return lanes_parity(low);
}

/* A RibbonFindBatch: as batch_layer, but three gathers load what is needed. */
static KERNEL_TARGET void
column_batch(const RibbonOpened *opened, const RibbonStage *stage,
			 RibbonBatch *batch)
{
	const RibbonSystem *system = stage->systems;
	const Lanes smash = lanes_set(system->smash);
	const Lanes range = lanes_set(system->range);

	batch->nbumped = batch->nends = 0;
	memset(batch->found, true, batch->nhashes);
	for (unsigned i = 0; i < batch->nhashes; i += LANES)
	{
		unsigned n = batch_lanes(i, batch->nhashes);
		Lanes hashes = lanes_load(batch->hashes + i, n);
		Lanes start = lanes_start(hashes, range, smash);

		batch_note(batch->bumped, &batch->nbumped, i, n,
				   batch_bumps(opened, system, start, 128));
		batch_note(batch->ends, &batch->nends, i, n,
				   ~lanes_less(start, lanes_set(system->whole)));
		start = lanes_select(lanes_less(start, lanes_set(system->whole)), start,
							 lanes_set(0));
		lanes_put(batch->results + i, column_bits(system, hashes, start), n);
	}
}
#endif

#endif /* RIBBON_KERNEL_COLUMN_H */
