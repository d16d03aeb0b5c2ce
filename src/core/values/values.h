/*
 * values.h - the classes of a map's values, and what its codes stand for
 *
 * docs/format.md, section 7.  Values are numbers, and their codes the distances
 * from the least of them, the map's base; or they are texts in a dictionary
 * (dictionary.h), and their codes the places there.  If there are NULLs, their
 * code is the one whose bits are all set, which no other value has.
 *
 * A code that stands for no value is never that of a key of the map.  So it
 * says that the key is not in it.
 */
#ifndef RIBBON_VALUES_H
#define RIBBON_VALUES_H

#include "base/bits.h"
#include "ribbon_core.h"

/* How values are stored.  Stored in every map: never renumber. */
typedef enum RibbonValueClass
{
	RIBBON_VALUES_DICTIONARY = 0, /* any type, as text in a dictionary */
	RIBBON_VALUES_BOOL = 1,		  /* 0, 1 */
	RIBBON_VALUES_INT2 = 2,		  /* these as they are */
	RIBBON_VALUES_INT4 = 3,
	RIBBON_VALUES_INT8 = 4,
	RIBBON_VALUES_DATE = 5,		 /* days since 2000-01-01: civil.h */
	RIBBON_VALUES_TIMESTAMP = 6, /* microseconds, likewise */
	RIBBON_VALUES_TIMESTAMPTZ = 7
} RibbonValueClass;

#define RIBBON_KNOWN_VALUE_CLASSES 8
#define RIBBON_DICTIONARY_VALUES   65536 /* at most, NULL not counted */

#define RIBBON_NUMBER_TEXT 48 /* bytes of a text, with its zero, at most */

/*
 * Can a map have this value class with, or without, a dictionary?  Looks at its
 * header only.  Errors: RIBBON_BAD_VALUE_CLASS, RIBBON_BAD_VALUES.
 */
extern RibbonStatus ribbon_values_check_class(const RibbonFilter *map);

/* Is it a number that a value of this class can be?  In a dictionary, none. */
extern bool ribbon_values_is_valid(unsigned value_class, int64_t number);

/* What SQL calls the type of a class below RIBBON_KNOWN_VALUE_CLASSES. */
extern const char *ribbon_values_type_name(unsigned value_class);

/*
 * Write a number as text with a terminating zero, whatever the settings: as
 * PostgreSQL casts it to text under DateStyle ISO and TimeZone UTC.  One that
 * is no date or timestamp is written as an integer.  out has RIBBON_NUMBER_TEXT
 * bytes.  Returns the length.
 */
extern size_t ribbon_values_write(unsigned value_class, int64_t number,
								  char *out);

/* Does a code of the map stand for NULL? */
static inline bool
ribbon_values_is_null(const RibbonFilter *map, uint64_t code)
{
	return map->has_null && code == ribbon_low_mask(map->value_bits);
}

/* Set *number to what a code of a map of numbers stands for; false if none. */
static inline bool
ribbon_values_number(const RibbonFilter *map, uint64_t code, int64_t *number)
{
	*number = (int64_t) ((uint64_t) map->base + code);
	return code <= (uint64_t) INT64_MAX - (uint64_t) map->base &&
		ribbon_values_is_valid(map->value_class, *number);
}

/* Does a code stand for a value?  nvalues are those of the dictionary. */
static inline bool
ribbon_values_is_code(const RibbonFilter *map, uint32_t nvalues, uint64_t code)
{
	int64_t number;

	if (ribbon_values_is_null(map, code))
		return true;
	if (map->value_class == RIBBON_VALUES_DICTIONARY)
		return code < nvalues;
	return ribbon_values_number(map, code, &number);
}

#endif /* RIBBON_VALUES_H */
