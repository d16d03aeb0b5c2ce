/*
 * probe_template.h - the scalar probe of one region, for one ribbon width
 *
 * No branch depends on the data: one that does is mispredicted for every other
 * stranger, which costs more than the columns it saves.  KERNEL_TARGET is the
 * target attribute of the kernel.
 */
#include "template.h"

static KERNEL_TARGET bool
NAME(probe, loop)(const RibbonRegion *region, uint64_t word, uint64_t start,
				  uint32_t result)
{
	unsigned offset = (unsigned) (start % RIBBON_BITS);
	unsigned nbits = ribbon_region_bits(region, word);
	ROW row = ROW_FN(coeff)(word, RIBBON_BITS);
	uint32_t differences = 0;
	RibbonIcmlPair at;

	if (RIBBON_UNLIKELY(ribbon_probe_is_end(region, start)))
		return ribbon_probe_end(region, word, start, result);

	at = ribbon_icml_pair(region, start);
	for (unsigned i = 0; i < nbits; i++)
	{
		ROW slots = ROW_FN(join)(ROW_FN(load)(at.low), ROW_FN(load)(at.high),
								 offset);

		differences |= ROW_FN(dot)(slots, row) ^ (result >> i & 1);
		at.low += RIBBON_BITS / 8;
		at.high += RIBBON_BITS / 8;
	}
	return differences == 0;
}

#include "template_end.h"
