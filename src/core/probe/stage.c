/*
 * stage.c - prepare a layer for batches (batch.h)
 */
#include "probe/batch.h"

#include "format/icml.h"

#include <string.h>

/*
 * Copy a system's blocks from byte begin of its slots on.  Columns of the last
 * one that have fewer than w bits get w, by zeros.  If w is 32, the four bytes
 * behind the copy are written, too.
 */
static void
copy_end(const RibbonPlane *plane, const RibbonSystem *system, uint64_t begin,
		 uint8_t *to)
{
	uint64_t nfull = system->nslots / system->width;
	uint64_t last = ribbon_icml_block_bit(system, nfull) / 8;
	unsigned rows = ribbon_icml_rows(system, nfull);
	unsigned bits = rows * ribbon_icml_columns(system, nfull);
	const uint8_t *from = system->slots + last;
	uint8_t copy[RIBBON_MAX_COLUMNS * 16 + 32];

	memcpy(to, system->slots + begin, (size_t) (last - begin));
	to += last - begin;
	if ((size_t) (plane->bytes + plane->total_bytes - from) < bits / 8 + 32)
		from = memcpy(copy, from, (bits + 7) / 8);
	for (unsigned at = 0; at < bits; at += rows, to += system->width / 8)
		for (unsigned done = 0; done < system->width; done += 64)
		{
			const uint8_t *word = from + (at + done) / 8;
			unsigned shift = (at + done) % 8;
			unsigned left = rows < done ? 0 : rows - done;
			uint64_t column = ribbon_load64(word) >> shift |
				(uint64_t) word[8] << 1 << (63 - shift);

			ribbon_store64(to + done / 8, column & ribbon_low_mask(left));
		}
}

/*
 * Do so few of nhashes come to a layer's end that to find these one by one
 * takes less time than to copy it?  In vain, the batch reads the layer's first
 * blocks for them, as if these were the end: fewer than 32.
 */
static bool
lists_ends(const RibbonSystem *layer, unsigned nhashes)
{
	return layer->whole >= 32u * layer->width &&
		(layer->nstarts - layer->whole) * nhashes < 2 * layer->nstarts;
}

bool
ribbon_stage_set(RibbonStage *stage, const RibbonOpened *opened, unsigned layer,
				 unsigned nhashes, bool in_steps)
{
	const RibbonPlane *plane = &opened->plane;
	bool column = ribbon_plane_is_column(plane);
	size_t used = 0;

	stage->systems = &plane->systems[layer];
	stage->is_last = layer == plane->nlayers &&
		plane->kind != RIBBON_HOMOGENEOUS;
	stage->in_steps = in_steps;
	stage->lists_ends = !stage->is_last && lists_ends(stage->systems, nhashes);
	stage->nsystems = stage->is_last ? ribbon_plane_nzones(plane) : 1;
	for (unsigned z = 0; z < stage->nsystems; z++)
	{
		const RibbonSystem *system = &stage->systems[z];
		unsigned log2_width = 5 + ribbon_width_index(system->width);
		uint64_t first = system->whole >> log2_width;
		uint64_t begin = ribbon_icml_block_bit(system, first) / 8;
		const uint8_t *end = system->slots;

		if (system->range > UINT32_MAX || (column && system->whole == 0))
			return false;
		stage->range[z] = system->range;
		stage->smash[z] = system->smash;
		stage->whole[z] = system->whole;
		stage->factor[z] = system->factor;
		stage->slots[z] = (uintptr_t) system->slots;
		if (!stage->lists_ends && !column)
		{
			uint64_t nblocks = (system->nslots + system->width - 1) >>
				log2_width;
			uint64_t bytes = ribbon_icml_block_bit(system, nblocks) / 8 - begin;

			if (bytes == 0 || bytes > RIBBON_ENDS_BYTES - used)
				return false;
			copy_end(plane, system, begin, stage->ends + used);
			end = stage->ends + used;
			used += bytes;
		}
		stage->end[z] = (uintptr_t) end - begin;
	}
	return true;
}
