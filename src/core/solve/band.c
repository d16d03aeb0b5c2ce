/*
 * band.c - the memory of a band
 */
#include "solve/band.h"

RibbonStatus
ribbon_band_alloc(const RibbonEnv *env, RibbonBand *band, uint64_t nslots,
				  unsigned width, unsigned ncolumns)
{
	uint64_t nrows = nslots + RIBBON_BAND_PADDING;
	size_t row_bytes = width / 8;

	memset(band, 0, sizeof(*band));
	band->width = width;
	band->result_size = ncolumns == 0 ? 0 :
		ncolumns <= 8				  ? 1 :
		ncolumns <= 16				  ? 2 :
		ncolumns <= 32				  ? 4 :
										8;
	band->result_mask = ribbon_low_mask(ncolumns);

	band->coeff = ribbon_alloc_array(env, nrows, row_bytes);
	if (band->result_size > 0)
		band->result = ribbon_alloc_array(env, nrows, band->result_size);
	return band->coeff == NULL ||
			(band->result_size > 0 && band->result == NULL) ?
		RIBBON_OUT_OF_MEMORY :
		RIBBON_OK;
}

RibbonStatus
ribbon_band_clear(const RibbonEnv *env, RibbonBand *band, uint64_t first,
				  uint64_t nslots, uint64_t nkept)
{
	band->first = first;
	memset((uint8_t *) band->coeff + nslots * (band->width / 8), 0,
		   RIBBON_BAND_PADDING * (band->width / 8));
	/* results need no zeroing: they are read only where a row is stored */
	return ribbon_zero(env, band->coeff, (nslots - nkept) * (band->width / 8));
}

void
ribbon_band_free(const RibbonEnv *env, RibbonBand *band)
{
	ribbon_free(env, band->coeff);
	ribbon_free(env, band->result);
}
