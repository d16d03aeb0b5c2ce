/*
 * band.c - the memory of a band
 */
#include "band.h"

RibbonStatus
ribbon_band_create(const RibbonEnv *env, RibbonBand *band, uint64_t nslots,
				   size_t row_bytes, bool with_results)
{
	RibbonStatus status;

	band->nslots = nslots;
	band->coeff = NULL;
	band->result = NULL;

	if (nslots > SIZE_MAX / row_bytes)
		return RIBBON_OUT_OF_MEMORY;
	band->coeff = ribbon_alloc(env, nslots * row_bytes);
	if (with_results)
		band->result = ribbon_alloc(env, nslots * sizeof(uint32_t));
	if (band->coeff == NULL || (with_results && band->result == NULL))
	{
		ribbon_band_free(env, band);
		return RIBBON_OUT_OF_MEMORY;
	}

	/* results need no zeroing: they count only where a row is stored */
	status = ribbon_zero(env, band->coeff, nslots * row_bytes);
	if (status != RIBBON_OK)
		ribbon_band_free(env, band);
	return status;
}

void
ribbon_band_free(const RibbonEnv *env, RibbonBand *band)
{
	ribbon_free(env, band->coeff);
	ribbon_free(env, band->result);
	band->coeff = NULL;
	band->result = NULL;
}
