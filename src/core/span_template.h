/*
 * span_template.h - the minimal span form of a band, for one ribbon width
 */
#include "template.h"

static RibbonStatus
NAME(span, mean)(const RibbonEnv *env, const RibbonBand *band,
				 const RibbonRegion *region, unsigned result_bits,
				 double *probability)
{
	const ROW *coeff = (const ROW *) band->coeff;
	ROW tails[RING];
	double floor = ldexp(1, -(int) result_bits);
	double excess[RIBBON_BITS + 1];
	double sum = 0;
	unsigned inside = 0;

	memset(tails, 0, sizeof(tails));
	for (unsigned left = 0; left <= RIBBON_BITS; left++)
		excess[left] = fmax(0, ldexp(1, -(int) left) - floor);
	for (uint64_t slot = region->nslots; slot-- > 0;)
	{
		ROW row = coeff[slot];

		tails[slot % RING] = ROW_FN(zero)();
		if (!ROW_FN(is_zero)(row))
		{
			unsigned gap = ROW_FN(clz)(row);
			uint64_t tail = slot + RIBBON_BITS - 1 - gap;

			/* rows met here begin behind slot, so bit slot stays */
			row = ROW_FN(shl)(row, gap);
			while (!ROW_FN(is_zero)(tails[tail % RING]))
			{
				row = ROW_FN(xor)(row, tails[tail % RING]);
				gap = ROW_FN(clz)(row);
				row = ROW_FN(shl)(row, gap);
				tail -= gap;
			}
			tails[tail % RING] = row;
			inside++;
		}

		/* a row that ends at slot + w' has just come to stick out */
		if (!ROW_FN(is_zero)(tails[(slot + region->row_bits) % RING]))
			inside--;
		if (slot < region->nstarts && !ROW_FN(is_zero)(coeff[slot]))
			sum += excess[region->row_bits - inside];
		if (slot % RIBBON_INTERRUPT_KEYS == 0 && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	*probability = sum / (double) region->nstarts / (1 - floor);
	return RIBBON_OK;
}

#include "template_end.h"
