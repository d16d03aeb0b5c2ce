/*
 * band_template.h - insert one equation, for one ribbon width
 */

/*
 * Insert an equation: the result rows that row selects from slot on add up to
 * result.  slot is one of the band; bit 0 of row is set; the row does not reach
 * behind the system's last slot.  Returns the slot of the band that it was
 * stored in; or, with the band unchanged, RIBBON_BAND_REDUNDANT, or
 * RIBBON_BAND_INCONSISTENT, also if it had to be stored behind the band's last
 * slot.
 */
static inline uint64_t
NAME(ribbon_band, insert)(const RibbonBand *band, uint64_t slot, ROW row,
						  uint64_t result)
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
		row = ROW_FN(sum)(row, there);
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
