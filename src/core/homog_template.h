/*
 * homog_template.h - the banding of a homogeneous filter, for one ribbon width
 */
#include "template.h"

static RibbonStatus
NAME(homog, fill)(const RibbonEnv *env, const RibbonBand *band,
				  const RibbonRegion *region, const uint64_t *words,
				  size_t nwords)
{
	for (size_t i = 0; i < nwords; i++)
	{
		NAME(ribbon_band, insert)
		(band, ribbon_region_start(region, words[i]),
		 ROW_FN(coeff)(words[i], region->row_bits), 0, false);
		if (i % RIBBON_INTERRUPT_KEYS == RIBBON_INTERRUPT_KEYS - 1 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

#include "template_end.h"
