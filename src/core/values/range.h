/*
 * range.h - the values of a map that is built: their range, if they are
 * numbers, and whether there are NULLs
 *
 * A value is added before its word is used, so the range covers all records.
 * Codes are the distances from the least number, where there are no
 * texts (texts.h).
 */
#ifndef RIBBON_RANGE_H
#define RIBBON_RANGE_H

#include "values/values.h"

/*
 * While a map is built, its records have words of 64 bits instead of codes,
 * which are not known before all values are.  The word of a number is the
 * number, and that of NULL is this one.
 */
#define RIBBON_NULL_WORD UINT64_C(0x9A3C5E71B2D4F680)

/* All zero at first. */
typedef struct RibbonRange
{
	int64_t least; /* of the numbers, if there are any */
	int64_t greatest;
	bool has_null;
	bool has_numbers;		   /* least and greatest are set */
	bool has_number_like_null; /* one whose word stands for NULL */
} RibbonRange;

/*
 * The bits of a code for each value 0 .. greatest and, if has_null, for NULL;
 * any says that there are such values.  65: they are too many.
 */
extern unsigned ribbon_range_code_bits(bool any, uint64_t greatest,
									   bool has_null);

/*
 * Set base and bits of what a map of numbers stores about its values; and code
 * and code_arg, if there are NULLs: then *values must stay.  Errors:
 * RIBBON_NUMBER_LIKE_NULL, RIBBON_RANGE_TOO_WIDE.
 */
extern RibbonStatus ribbon_range_set_codes(const RibbonRange *range,
										   RibbonValues *values);

/* Have it include this number. */
static inline void
ribbon_range_widen(RibbonRange *range, int64_t number)
{
	if (RIBBON_UNLIKELY(!range->has_numbers))
	{
		range->has_numbers = true;
		range->least = range->greatest = number;
	}
	if (number < range->least)
		range->least = number;
	if (number > range->greatest)
		range->greatest = number;
}

/* Add a number.  Returns its word. */
static inline uint64_t
ribbon_range_add(RibbonRange *range, int64_t number)
{
	if (RIBBON_UNLIKELY((uint64_t) number == RIBBON_NULL_WORD))
		range->has_number_like_null = true;
	ribbon_range_widen(range, number);
	return (uint64_t) number;
}

/* Is it the word of NULL? */
static inline bool
ribbon_range_is_null(const RibbonRange *range, uint64_t word)
{
	return word == RIBBON_NULL_WORD && !range->has_number_like_null;
}

#endif /* RIBBON_RANGE_H */
