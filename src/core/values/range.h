/*
 * range.h - the values of a map that is built: their range, if they are
 * numbers, and whether there are NULLs
 *
 * A value is added before its word (number.h) is used, so the range covers all
 * records.  Codes are the distances from the least number, where there are no
 * texts (texts.h).
 */
#ifndef RIBBON_RANGE_H
#define RIBBON_RANGE_H

#include "values/number.h"

/* All zero but value_class at first. */
typedef struct RibbonRange
{
	int64_t least; /* of the numbers, if there are any */
	int64_t greatest;
	uint8_t value_class; /* a RibbonValueClass */
	bool has_null;
	bool has_numbers;		   /* least and greatest are set */
	bool has_number_like_null; /* one whose word stands for NULL */
} RibbonRange;

#pragma GCC visibility push(default)

/*
 * Set base and bits of what a map of numbers stores about its values; and code
 * and code_arg, if there are NULLs: then *values must stay.  Errors:
 * RIBBON_NUMBER_LIKE_NULL, RIBBON_RANGE_TOO_WIDE.
 */
extern RibbonStatus ribbon_range_set_codes(const RibbonRange *range,
										   RibbonValues *values);

#pragma GCC visibility pop

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
