/*
 * valuetext.c - numbers that are values of a map, from texts and as texts
 */
#include "parse.h"

#include "values/values.h"

#include <stdio.h>

/* The types of keys whose texts are those of values. */
static const int key_types[RIBBON_KNOWN_VALUE_CLASSES] = {
	[RIBBON_VALUE_BOOL] = RIBBON_KEY_BOOL,
	[RIBBON_VALUE_INT16] = RIBBON_KEY_INTEGER,
	[RIBBON_VALUE_INT32] = RIBBON_KEY_INTEGER,
	[RIBBON_VALUE_INT64] = RIBBON_KEY_INTEGER,
	[RIBBON_VALUE_DATE] = RIBBON_KEY_DATE,
	[RIBBON_VALUE_TIMESTAMP] = RIBBON_KEY_TIMESTAMP,
	[RIBBON_VALUE_TIMESTAMPTZ] = RIBBON_KEY_TIMESTAMPTZ,
};

ribbon_status
ribbon_value_parse(int64_t *number, ribbon_value_type value_type,
				   const char *text, size_t size)
{
	char shown[RIBBON_SHOWN + 1];
	int64_t parsed;
	bool valid;

	if ((unsigned) value_type >= RIBBON_KNOWN_VALUE_CLASSES ||
		value_type == RIBBON_VALUE_TEXT)
		return ribbon_error_set(RIBBON_ERROR_VALUE_TYPE,
								"values of this type are no numbers");
	ribbon_parse_trim(&text, &size);
	valid = ribbon_parse_number(key_types[value_type], text, size, &parsed);
	if (!valid || !ribbon_values_is_valid(value_type, parsed))
		return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
								"no value of type %s: \"%s\"",
								ribbon_values_type_name(value_type),
								ribbon_parse_show(text, size, shown));
	*number = parsed;
	return RIBBON_SUCCESS;
}

size_t
ribbon_value_format(int64_t number, ribbon_value_type value_type, char *buffer,
					size_t room)
{
	char text[RIBBON_NUMBER_TEXT];

	(void) ribbon_values_write(value_type, number, text);
	return (size_t) snprintf(buffer, room, "%s", text);
}
