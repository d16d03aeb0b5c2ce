/*
 * span_template.h - the minimal span form of a stretch of a band, for one width
 */
#include "template.h"

/*
 * Sum P(s) for s in first .. last, looking at rows up to slot end - 1.  tails holds
 * end - first + RIBBON_BITS zeroed rows: the row whose last bit is at slot t is at
 * t - first, shifted so that this bit is its highest.
 */
static double
NAME(span, sum) (const RibbonBand *band, unsigned row_bits, uint64_t first,
				 uint64_t last, uint64_t end, ROW *tails)
{
	const ROW  *coeff = (const ROW *) band->coeff;
	double		sum = 0;
	int			inside = 0;

	for (uint64_t slot = end; slot-- > first;)
	{
		ROW			row = coeff[slot];

		if (!ROW_FN(is_zero) (row))
		{
			unsigned	gap = ROW_FN(clz) (row);
			uint64_t	tail = slot - first + (RIBBON_BITS - 1 - gap);

			/* rows behind this one begin later, so bit slot stays */
			row = ROW_FN(shl) (row, gap);
			while (!ROW_FN(is_zero) (tails[tail]))
			{
				row = ROW_FN(xor) (row, tails[tail]);
				gap = ROW_FN(clz) (row);
				row = ROW_FN(shl) (row, gap);
				tail -= gap;
			}
			tails[tail] = row;
			inside++;
		}

		/* a row that ends at slot + row_bits has just come to stick out */
		if (!ROW_FN(is_zero) (tails[slot - first + row_bits]))
			inside--;
		if (slot <= last && !ROW_FN(is_zero) (coeff[slot]))
			sum += exp2(inside - (int) row_bits);
	}
	return sum;
}

static RibbonStatus
NAME(span, mean) (const RibbonEnv *env, const RibbonBand *band,
				  const RibbonRegion *region, double *probability)
{
	uint64_t	nstretches = (region->nstarts + STRETCH - 1) / STRETCH;
	size_t		tails_bytes = (ribbon_min64(region->nslots, STRETCH + MARGIN) +
							   RIBBON_BITS + 1) * sizeof(ROW);
	ROW		   *tails = ribbon_alloc(env, tails_bytes);
	double		sum = 0;

	if (tails == NULL)
		return RIBBON_OUT_OF_MEMORY;
	for (uint64_t stretch = 0; stretch < nstretches; stretch++)
	{
		uint64_t	first = stretch * STRETCH;
		uint64_t	behind = ribbon_min64(first + STRETCH, region->nstarts);
		uint64_t	end = ribbon_min64(first + STRETCH + MARGIN, region->nslots);

		memset(tails, 0, tails_bytes);
		sum += NAME(span, sum) (band, region->row_bits, first, behind - 1, end,
								tails);
		if (ribbon_interrupted(env))
		{
			ribbon_free(env, tails);
			return RIBBON_INTERRUPTED;
		}
	}
	ribbon_free(env, tails);
	*probability = sum / (double) region->nstarts;
	return RIBBON_OK;
}

#include "template_end.h"
