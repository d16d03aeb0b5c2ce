/*
 * probe_end_template.h - probe a region's last two blocks, for one ribbon width
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

static bool
NAME(probe, end)(const RibbonRegion *region, uint64_t word, uint64_t start,
				 uint32_t result)
{
	unsigned nbits = ribbon_region_bits(region, word);
	ROW row = ROW_FN(coeff)(word, region->row_bits);

	for (unsigned i = 0; i < nbits; i++)
		if (ROW_FN(dot)(NAME(probe, gather)(region, start, i), row) !=
			(result >> i & 1))
			return false;
	return true;
}

#include "template_end.h"
