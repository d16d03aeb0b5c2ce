/*
 * layer_template.h - fill one bumped layer, for one ribbon width
 */
#include "template.h"

static RibbonStatus
NAME(layer, fill)(const RibbonEnv *env, const RibbonBand *band,
				  const RibbonRegion *region, const RibbonBuckets *buckets,
				  Insertion *latest, const uint64_t *words, size_t nwords,
				  uint64_t *bumped, size_t max_bumped, uint8_t *thresholds,
				  size_t *nbumped)
{
	const unsigned log2_size = buckets->log2_size;
	const uint64_t position_mask = (UINT64_C(1) << log2_size) - 1;
	uint32_t result_mask = (uint32_t) ribbon_low_mask(region->columns +
													  (region->wide > 0));
	size_t begin = 0, nout = 0, since_check = 0;

	while (begin < nwords)
	{
		uint64_t bucket = ribbon_region_start(region, words[begin]) >>
			log2_size;
		size_t end = begin + 1, nlatest = 0;
		unsigned threshold = 0;

		while (end < nwords &&
			   ribbon_region_start(region, words[end]) >> log2_size == bucket)
			end++;

		/* right to left, until one does not fit */
		for (size_t i = end; i-- > begin;)
		{
			uint64_t word = words[i];
			uint64_t start = ribbon_region_start(region, word);
			unsigned position = (unsigned) (start & position_mask);
			uint64_t slot;

			slot = NAME(ribbon_band,
						insert)(band, start, ROW_FN(coeff)(word, RIBBON_BITS),
								ribbon_hash_fingerprint(word) & result_mask,
								true);
			if (slot < RIBBON_BAND_REDUNDANT)
			{
				latest[nlatest].slot = slot;
				latest[nlatest++].position = position;
			}
			else if (slot == RIBBON_BAND_INCONSISTENT)
			{
				unsigned code = smallest_code_above(buckets, position);

				thresholds[bucket / 4] |= (uint8_t) (code << 2 * (bucket % 4));
				threshold = buckets->threshold[code];
				while (nlatest > 0 && latest[nlatest - 1].position < threshold)
					NAME(ribbon_band, undo)(band, latest[--nlatest].slot);
				break;
			}
		}

		/* the keys below the threshold go to the next layer */
		for (size_t i = begin; i < end &&
			 (ribbon_region_start(region, words[i]) & position_mask) <
				 threshold;
			 i++)
		{
			if (nout >= max_bumped)
			{
				*nbumped = max_bumped + 1;
				return RIBBON_OK;
			}
			bumped[nout++] = words[i];
		}

		since_check += end - begin;
		begin = end;
		if (since_check >= RIBBON_INTERRUPT_KEYS)
		{
			since_check = 0;
			if (ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	*nbumped = nout;
	return RIBBON_OK;
}

#include "template_end.h"
