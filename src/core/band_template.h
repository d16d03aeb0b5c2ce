/*
 * band_template.h - insert one equation, for one ribbon width (see template.h)
 */
#include "template.h"

/*
 * Insert the equation (row at slot) = result.  The row's bit 0 must be set and
 * it must not reach beyond the band.  Returns the slot it was stored in,
 * RIBBON_BAND_REDUNDANT or RIBBON_BAND_INCONSISTENT; the band is unchanged in
 * the last two cases.  with_result must be a constant: false for a band
 * without results.
 */
static inline uint64_t
NAME(ribbon_band, insert)(const RibbonBand *band, uint64_t slot, ROW row,
						  uint32_t result, bool with_result)
{
	ROW *coeff = (ROW *) band->coeff;

	for (;;)
	{
		ROW there = coeff[slot];
		unsigned skip;

		if (ROW_FN(is_zero)(there))
		{
			coeff[slot] = row;
			if (with_result)
				band->result[slot] = result;
			return slot;
		}
		row = ROW_FN(xor)(row, there);
		if (with_result)
			result ^= band->result[slot];
		if (ROW_FN(is_zero)(row))
			return with_result && result != 0 ? RIBBON_BAND_INCONSISTENT :
												RIBBON_BAND_REDUNDANT;
		skip = ROW_FN(ctz)(row);
		slot += skip;
		row = ROW_FN(shr)(row, skip);
	}
}

/* Take back the insertion that ended in this slot. */
static inline void
NAME(ribbon_band, undo)(const RibbonBand *band, uint64_t slot)
{
	((ROW *) band->coeff)[slot] = ROW_FN(zero)();
}

#include "template_end.h"
