/*
 * values.c - the classes of a map's values, and their numbers as texts
 */
#include "values/values.h"

#include "values/civil.h"

#include <string.h>

static const char *const type_names[RIBBON_KNOWN_VALUE_CLASSES] = {
	"dictionary", "boolean", "smallint",  "integer",
	"bigint",	  "date",	 "timestamp", "timestamptz",
};

RibbonStatus
ribbon_values_check_class(const RibbonFilter *map)
{
	if (map->value_class >= RIBBON_KNOWN_VALUE_CLASSES)
		return RIBBON_BAD_VALUE_CLASS;
	if ((map->value_class == RIBBON_VALUES_DICTIONARY) !=
		(map->ndictionary > 0))
		return RIBBON_BAD_VALUES;
	return RIBBON_OK;
}

const char *
ribbon_values_type_name(unsigned value_class)
{
	return type_names[value_class];
}

bool
ribbon_values_is_valid(unsigned value_class, int64_t number)
{
	switch (value_class)
	{
		case RIBBON_VALUES_BOOL:
			return number == 0 || number == 1;
		case RIBBON_VALUES_INT2:
			return number >= INT16_MIN && number <= INT16_MAX;
		case RIBBON_VALUES_INT4:
			return number >= INT32_MIN && number <= INT32_MAX;
		case RIBBON_VALUES_INT8:
			return true;
		case RIBBON_VALUES_DATE:
			return ribbon_civil_is_date(number);
		case RIBBON_VALUES_TIMESTAMP:
		case RIBBON_VALUES_TIMESTAMPTZ:
			return ribbon_civil_is_timestamp(number);
		default:
			return false;
	}
}

size_t
ribbon_values_write(unsigned value_class, int64_t number, char *out)
{
	uint64_t size = number < 0 ? -(uint64_t) number : (uint64_t) number;
	char *end = out;

	if (value_class == RIBBON_VALUES_BOOL)
		return strlen(strcpy(out, number != 0 ? "true" : "false"));
	switch (ribbon_values_is_valid(value_class, number) ? value_class :
														  RIBBON_VALUES_INT8)
	{
		case RIBBON_VALUES_DATE:
			return ribbon_civil_write_date(number, out);
		case RIBBON_VALUES_TIMESTAMP:
		case RIBBON_VALUES_TIMESTAMPTZ:
			return ribbon_civil_write_timestamp(number,
												value_class ==
													RIBBON_VALUES_TIMESTAMPTZ,
												out);
		default:
			if (number < 0)
				*end++ = '-';
			end = ribbon_civil_write_number(size, 1, end);
			*end = '\0';
			return (size_t) (end - out);
	}
}
