/*
 * bands.h - bands for tests
 */
#ifndef RIBBON_TEST_BANDS_H
#define RIBBON_TEST_BANDS_H

#include "solve/band.h"

/* An empty band of all slots of a system. */
static inline RibbonStatus
band_create(RibbonBand *band, uint64_t nslots, unsigned width,
			unsigned ncolumns)
{
	RibbonStatus status = ribbon_band_alloc(&ribbon_malloc_env, band, nslots,
											width, ncolumns);

	return status == RIBBON_OK ?
		ribbon_band_clear(&ribbon_malloc_env, band, 0, nslots, 0) :
		status;
}

#endif /* RIBBON_TEST_BANDS_H */
