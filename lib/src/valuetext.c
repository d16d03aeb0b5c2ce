/*
 * valuetext.c - numbers that are values of a map, from texts and as texts
 */
#include "parse.h"

#include "values/number.h"

#include <stdio.h>

ribbon_status
ribbon_value_parse(int64_t *number, ribbon_value_type value_type,
				   const char *text, size_t size)
{
	char shown[RIBBON_SHOWN + 1];
	int64_t parsed = 0;
	int32_t days = 0;
	bool truth = false;
	bool valid;

	ribbon_parse_trim(&text, &size);
	switch (value_type)
	{
		case RIBBON_VALUE_BOOL:
			valid = ribbon_parse_bool(text, size, &truth);
			parsed = truth ? 1 : 0;
			break;
		case RIBBON_VALUE_INT16:
		case RIBBON_VALUE_INT32:
		case RIBBON_VALUE_INT64:
			valid = ribbon_parse_integer(text, size, &parsed);
			break;
		case RIBBON_VALUE_DATE:
			valid = ribbon_civil_date(text, size, &days);
			parsed = days;
			break;
		case RIBBON_VALUE_TIMESTAMP:
		case RIBBON_VALUE_TIMESTAMPTZ:
			valid = ribbon_civil_timestamp(text, size,
										   value_type ==
											   RIBBON_VALUE_TIMESTAMPTZ,
										   &parsed);
			break;
		default:
			return ribbon_error_set(RIBBON_ERROR_VALUE_TYPE,
									"values of this type are no numbers");
	}
	if (!valid || !ribbon_number_is_valid(value_type, parsed))
		return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
								"no value of type %s: \"%s\"",
								ribbon_number_type_name(value_type),
								ribbon_parse_show(text, size, shown));
	*number = parsed;
	return RIBBON_SUCCESS;
}

size_t
ribbon_value_format(int64_t number, ribbon_value_type value_type, char *buffer,
					size_t room)
{
	char text[RIBBON_NUMBER_TEXT];

	(void) ribbon_number_write(value_type, number, text);
	return (size_t) snprintf(buffer, room, "%s", text);
}
