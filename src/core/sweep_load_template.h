/*
 * sweep_load_template.h - a bucket's equations, for one ribbon width
 */
#include "template.h"

/* The last word's equation comes first. */
static size_t
NAME(sweep, load)(RibbonSweep *sweep, const RibbonRegion *region,
				  const uint64_t *words, size_t nwords)
{
	uint64_t nslots = (uint64_t) sweep->nsteps * RIBBON_SWEEP_SLOTS;
	uint32_t result_mask = sweep->band->result_mask;

	for (size_t n = 0; n < nwords; n++)
	{
		uint64_t word = words[n];
		uint64_t position = ribbon_region_start(region, word) - sweep->slot;
		unsigned offset = (unsigned) position % RIBBON_SWEEP_SLOTS;
		ROW row = ROW_FN(coeff)(word, RIBBON_BITS);
		uint64_t rest = ROW_FN(low)(row) >> 1 >> (63 - offset);
		size_t i = RIBBON_SWEEP_KEYS - 1 - n;

		if (position >= nslots || n == RIBBON_SWEEP_KEYS)
			return position >= nslots ? n : n + 1;
		sweep->low[i] = ROW_FN(low)(row) << offset;
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
		sweep->first_of[position / RIBBON_SWEEP_SLOTS] = (uint16_t) i;
	}
	return nwords;
}

#include "template_end.h"
