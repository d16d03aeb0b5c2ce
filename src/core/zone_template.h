/*
 * zone_template.h - one attempt at a zone, for one ribbon width
 */
#include "template.h"

/* Try to bring all words into the band; *solved tells whether it worked. */
static RibbonStatus
NAME(zone, try)(const RibbonEnv *env, const RibbonBand *band,
				const RibbonRegion *region, const uint64_t *words,
				size_t nwords, bool *solved)
{
	uint32_t result_mask = (uint32_t) ribbon_low_mask(region->columns);

	*solved = false;
	memset(band->coeff, 0, region->nslots * sizeof(ROW));
	for (size_t i = 0; i < nwords; i++)
	{
		uint64_t word = ribbon_hash_seeded(words[i], region->seed);
		uint64_t start = ribbon_region_start(region, word);
		ROW row = ROW_FN(coeff)(word, region->row_bits);
		uint32_t result = ribbon_hash_fingerprint(word) & result_mask;

		if (NAME(ribbon_band, insert)(band, start, row, result, true) ==
			RIBBON_BAND_INCONSISTENT)
			break;
		if (i % RIBBON_INTERRUPT_KEYS == RIBBON_INTERRUPT_KEYS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
		*solved = i + 1 == nwords;
	}
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}

#include "template_end.h"
