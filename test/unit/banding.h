/*
 * banding.h - insert a word's equation into a band of any width
 */
#ifndef RIBBON_TEST_BANDING_H
#define RIBBON_TEST_BANDING_H

#include "band.h"

/* As ribbon_band..._insert, for the word's starting position and row. */
static inline uint64_t
insert_word(const RibbonBand *band, const RibbonRegion *region, uint64_t word,
			uint32_t result, bool with_result)
{
	uint64_t start = ribbon_region_start(region, word);
	unsigned bits = region->row_bits;

	switch (region->width)
	{
		case 32:
			return ribbon_band32_insert(band, start,
										ribbon_row32_coeff(word, bits), result,
										with_result);
		case 64:
			return ribbon_band64_insert(band, start,
										ribbon_row64_coeff(word, bits), result,
										with_result);
		default:
			return ribbon_band128_insert(band, start,
										 ribbon_row128_coeff(word, bits),
										 result, with_result);
	}
}

#endif /* RIBBON_TEST_BANDING_H */
