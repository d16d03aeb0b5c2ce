/*
 * span.c - how many strangers' equations follow from the keys' equations?
 *
 * What happens in one place hardly depends on rows far away, so the band is
 * looked at in stretches, each with a margin of rows behind it: the work space
 * stays small.
 */
#include "span.h"

#include <math.h>

#define STRETCH			16384	/* starting positions looked at in one go */
#define MARGIN			2048	/* rows behind them that can matter */

#define RIBBON_BITS 32
#include "span_template.h"
#define RIBBON_BITS 64
#include "span_template.h"
#define RIBBON_BITS 128
#include "span_template.h"

RibbonStatus
ribbon_span_probability(const RibbonEnv *env, const RibbonBand *band,
						const RibbonRegion *region, double *probability)
{
	switch (region->width)
	{
		case 32:
			return span32_mean(env, band, region, probability);
		case 64:
			return span64_mean(env, band, region, probability);
		default:
			return span128_mean(env, band, region, probability);
	}
}
