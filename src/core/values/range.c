/*
 * range.c - the values of a map that is built: their range, and its codes
 */
#include "values/range.h"

unsigned
ribbon_range_code_bits(bool any, uint64_t greatest, bool has_null)
{
	uint64_t last = any ? greatest : 0; /* code that needs bits of its own */

	if (any && has_null && ++last == 0)
		return 65;
	return ribbon_bit_length(last);
}

/* The code of a number, or of NULL: a RibbonCode. */
static uint64_t
code_of_number(const void *arg, uint64_t word)
{
	const RibbonValues *values = arg;
	uint64_t all_bits = ribbon_low_mask(values->bits);

	return word == RIBBON_NULL_WORD ?
		all_bits :
		(word - (uint64_t) values->base) & all_bits;
}

RibbonStatus
ribbon_range_set_codes(const RibbonRange *range, RibbonValues *values)
{
	uint64_t widest = (uint64_t) range->greatest - (uint64_t) range->least;

	if (range->has_null && range->has_number_like_null)
		return RIBBON_NUMBER_LIKE_NULL;
	values->bits = ribbon_range_code_bits(range->has_numbers, widest,
										  range->has_null);
	if (values->bits > RIBBON_MAX_VALUE_BITS)
		return RIBBON_RANGE_TOO_WIDE;
	values->base = range->has_numbers ? range->least : 0;
	if (range->has_null)
	{
		values->code = code_of_number;
		values->code_arg = values;
	}
	return RIBBON_OK;
}
