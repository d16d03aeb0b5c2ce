/*
 * probe_end_template.h - probe where whole words or groups of eight columns
 * could leave the value, for one ribbon width
 */
#include "template.h"

/* The w' bits of column i from slot start on. */
static ROW
NAME(probe, gather)(const RibbonRegion *region, uint64_t start, unsigned i)
{
	uint64_t block = start / RIBBON_BITS;
	unsigned offset = (unsigned) (start % RIBBON_BITS);
	unsigned rows = ribbon_icml_rows(region, block);
	unsigned here = rows - offset < region->row_bits ? rows - offset :
													   region->row_bits;
	uint64_t bit = ribbon_icml_block_bit(region, block) + (uint64_t) i * rows +
		offset;
	ROW low = ROW_FN(load_bits)(region->slots, bit, here);
	ROW high;

	if (here == region->row_bits)
		return low;
	rows = ribbon_icml_rows(region, block + 1);
	bit = ribbon_icml_block_bit(region, block + 1) + (uint64_t) i * rows;
	high = ROW_FN(load_bits)(region->slots, bit, region->row_bits - here);
	return ROW_FN(append)(low, here, high);
}

/* The same from two full blocks. */
static ROW
NAME(probe, join)(const RibbonRegion *region, uint64_t start, unsigned i)
{
	RibbonIcmlPair at = ribbon_icml_pair(region, start, RIBBON_BITS);

	return ROW_FN(join)(ROW_FN(load)(at.low + i * (RIBBON_BITS / 8)),
						ROW_FN(load)(at.high + i * (RIBBON_BITS / 8)),
						(unsigned) (start % RIBBON_BITS));
}

static bool
NAME(probe, end)(const RibbonRegion *region, uint64_t word, uint64_t start,
				 uint32_t result)
{
	unsigned nbits = ribbon_region_bits(region, word);
	ROW row = ROW_FN(coeff)(word, region->row_bits);
	bool full = (start / RIBBON_BITS + 2) * RIBBON_BITS <= region->nslots;

	for (unsigned i = 0; i < nbits; i++)
	{
		ROW slots = full ? NAME(probe, join)(region, start, i) :
						   NAME(probe, gather)(region, start, i);

		if (ROW_FN(dot)(slots, row) != (result >> i & 1))
			return false;
	}
	return true;
}

#include "template_end.h"
