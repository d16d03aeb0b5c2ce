/*
 * band_template.h - insert one equation, for one ribbon width (see template.h)
 */
#include "base/template.h"

/*
 * Insert the equation (row at slot) = result.  The row's bit 0 must be set.  It
 * must not reach beyond the system's slots; beyond a window's it cannot be
 * stored.  Returns the slot it was stored in, RIBBON_BAND_REDUNDANT or
 * RIBBON_BAND_INCONSISTENT; the band is unchanged in the last two cases.
 */
static inline uint64_t
NAME(ribbon_band, insert)(const RibbonBand *band, uint64_t slot, ROW row,
						  uint32_t result)
{
	ROW *coeff = (ROW *) band->coeff;

	while (slot < band->nslots)
	{
		ROW there = coeff[slot];
		unsigned skip;

		if (ROW_FN(is_zero)(there))
		{
			coeff[slot] = row;
			ribbon_band_set_result(band, slot, result);
			return slot;
		}
		row = ROW_FN(xor)(row, there);
		result ^= ribbon_band_result(band, slot);
		if (ROW_FN(is_zero)(row))
			return result != 0 ? RIBBON_BAND_INCONSISTENT :
								 RIBBON_BAND_REDUNDANT;
		skip = ROW_FN(ctz)(row);
		slot += skip;
		row = ROW_FN(shr)(row, skip);
	}
	return RIBBON_BAND_INCONSISTENT;
}

/* The same for row, last bit first, and a result of zero. */
static inline uint64_t
NAME(ribbon_band, insert_reversed)(const RibbonBand *band, uint64_t slot,
								   ROW row)
{
	ROW reversed = ROW_FN(reverse)(row);
	unsigned skip = ROW_FN(ctz)(reversed);

	return NAME(ribbon_band, insert)(band, slot + skip,
									 ROW_FN(shr)(reversed, skip), 0);
}

#include "base/template_end.h"
