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

/* What an insertion returns if it stores nothing. */
#define BAND_REDUNDANT	  (UINT64_MAX - 1)
#define BAND_INCONSISTENT UINT64_MAX

/* The row in a slot of a band, with zeros above its width. */
static inline RibbonRow128
band_row(const RibbonBand *band, uint64_t slot)
{
	RibbonRow128 row = {0, 0};

	if (band->width == 32)
		row.lo = ((const RibbonRow32 *) band->coeff)[slot];
	else if (band->width == 64)
		row.lo = ((const RibbonRow64 *) band->coeff)[slot];
	else
		row = ((const RibbonRow128 *) band->coeff)[slot];
	return row;
}

static inline void
band_set_row(const RibbonBand *band, uint64_t slot, RibbonRow128 row)
{
	if (band->width == 32)
		((RibbonRow32 *) band->coeff)[slot] = (RibbonRow32) row.lo;
	else if (band->width == 64)
		((RibbonRow64 *) band->coeff)[slot] = row.lo;
	else
		((RibbonRow128 *) band->coeff)[slot] = row;
}

/*
 * Algorithm 1 of the paper, which sweeps are held against: insert the equation
 * that result rows which row selects from slot on add up to result.  Bit 0 of
 * row is set, and it does not reach behind the band.  Returns the slot that it
 * is stored in; or, with the band unchanged, one of the numbers above.
 */
static inline uint64_t
band_insert_row(const RibbonBand *band, uint64_t slot, RibbonRow128 row,
				uint64_t result)
{
	for (;;)
	{
		RibbonRow128 there = band_row(band, slot);

		if (ribbon_row128_is_zero(there))
		{
			band_set_row(band, slot, row);
			ribbon_band_set_result(band, slot, result);
			return slot;
		}
		row.lo ^= there.lo;
		row.hi ^= there.hi;
		result ^= ribbon_band_result(band, slot);
		if (ribbon_row128_is_zero(row))
			return result != 0 ? BAND_INCONSISTENT : BAND_REDUNDANT;
		for (; (row.lo & 1) == 0; slot++)
		{
			row.lo = row.lo >> 1 | row.hi << 63;
			row.hi >>= 1;
		}
	}
}

/* Insert the equation of a hash that the system sees. */
static inline uint64_t
band_insert(const RibbonBand *band, const RibbonSystem *system, uint64_t hash,
			uint64_t result)
{
	RibbonRow128 row = {ribbon_row64_coeff(hash, 64), 0};

	if (band->width == 32)
		row.lo = (uint32_t) row.lo;
	if (band->width == 128)
		row = ribbon_row128_coeff(hash, 128);
	if (system->row_bits <= 64)
		row = (RibbonRow128){row.lo & ribbon_low_mask(system->row_bits), 0};
	else
		row.hi &= ribbon_low_mask(system->row_bits - 64u);
	return band_insert_row(band,
						   ribbon_system_start(system, hash) - band->first, row,
						   result & band->result_mask);
}

#endif /* RIBBON_TEST_BANDS_H */
