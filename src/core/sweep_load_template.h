/*
 * sweep_load_template.h - a bucket's equations, for one ribbon width
 */
#include "template.h"

static void
NAME(sweep, load)(RibbonSweep *sweep, const RibbonRegion *region,
				  const uint64_t *words, size_t nwords)
{
	uint32_t result_mask = sweep->band->result_mask;

	for (size_t i = 0; i < nwords; i++)
	{
		uint64_t word = words[nwords - 1 - i];
		unsigned position = (unsigned) (ribbon_region_start(region, word) -
										sweep->slot);
		unsigned offset = position % RIBBON_SWEEP_SLOTS;
		ROW row = ROW_FN(coeff)(word, RIBBON_BITS);
		uint64_t rest;

		sweep->low[i] = ROW_FN(low)(row) << offset;
		rest = ROW_FN(low)(row) >> 1 >> (63 - offset);
		if (RIBBON_BITS == 128)
		{
			uint64_t high = ROW_FN(high)(row);

			sweep->high[i] = high << offset | rest;
			rest = high >> 1 >> (63 - offset);
		}
		sweep->extra[i] = rest << 56 |
			(ribbon_hash_fingerprint(word) & result_mask);
		sweep->position[i] = (uint16_t) position;
		sweep->pattern[i] = (uint8_t) sweep->low[i];
		sweep->begins[position / RIBBON_SWEEP_SLOTS]++;
	}
}

#include "template_end.h"
