/*
 * span.c - how many strangers' equations follow from the keys' equations?
 *
 * One pass from the last row to the first.  Each row is given a last bit of
 * its own, as banding gave it a first one: where a row that begins further
 * behind already ends at the same slot, that row is added, which moves the end
 * to the left and leaves the beginning alone.  Only rows that end within w
 * slots can be met again, so a ring of them is all that is kept.
 */
#include "span.h"

#include <math.h>

#define RING 256 /* more than the widest row and one */

#define RIBBON_BITS 32
#include "span_template.h"
#define RIBBON_BITS 64
#include "span_template.h"
#define RIBBON_BITS 128
#include "span_template.h"

RibbonStatus
ribbon_span_probability(const RibbonEnv *env, const RibbonBand *band,
						const RibbonRegion *region, unsigned result_bits,
						double *probability)
{
	switch (region->width)
	{
		case 32:
			return span32_mean(env, band, region, result_bits, probability);
		case 64:
			return span64_mean(env, band, region, result_bits, probability);
		default:
			return span128_mean(env, band, region, result_bits, probability);
	}
}
