/*
 * valuetext.c - numbers, as keys have them and values, from texts and as texts
 */
#include "keyread.h"

#include "values/values.h"

#include <stdio.h>

/* As the server has it: words and what they begin with, but a lone o. */
static bool
read_bool(RibbonCursor *text, int64_t *value)
{
	static const struct
	{
		const char *word;
		bool value;
	} words[] = {
		{"false", false}, {"no", false}, {"off", false}, {"0", false},
		{"true", true},	  {"yes", true}, {"on", true},	 {"1", true},
	};
	size_t size = ribbon_cursor_size(text);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
	{
		const char *word = words[i].word;
		size_t n = 0;

		*value = words[i].value;
		if (size > strlen(word) || size <= (*word == 'o'))
			continue;
		while (n < size && ribbon_text_lower(text->at[n]) == word[n])
			n++;
		if (n == size)
			return true;
	}
	return false;
}

bool
ribbon_valuetext_read(int key_type, RibbonCursor text, int64_t *number)
{
	int32_t days = 0;
	bool valid;

	switch (key_type)
	{
		case RIBBON_KEY_BOOL:
			return read_bool(&text, number);
		case RIBBON_KEY_DATE:
			valid = ribbon_civilread_date(text, &days);
			*number = days;
			return valid;
		case RIBBON_KEY_TIME:
			return ribbon_civilread_time(text, number);
		case RIBBON_KEY_TIMESTAMP:
		case RIBBON_KEY_TIMESTAMPTZ:
			return ribbon_civilread_timestamp(text,
											  key_type ==
												  RIBBON_KEY_TIMESTAMPTZ,
											  number);
		default:
			return ribbon_cursor_integer(&text, number) &&
				ribbon_cursor_at_end(&text);
	}
}

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
	RibbonCursor rest = ribbon_cursor_trimmed(text, size);
	char shown[RIBBON_SHOWN + 1];
	int64_t parsed;

	if ((unsigned) value_type >= RIBBON_KNOWN_VALUE_CLASSES ||
		value_type == RIBBON_VALUE_TEXT)
		return ribbon_error_set(RIBBON_ERROR_VALUE_TYPE,
								"values of this type are no numbers");
	if (!ribbon_valuetext_read(key_types[value_type], rest, &parsed) ||
		!ribbon_values_is_valid(value_type, parsed))
		return ribbon_error_set(RIBBON_ERROR_VALUE_RANGE,
								"no value of type %s: \"%s\"",
								ribbon_values_type_name(value_type),
								ribbon_error_show(rest.at,
												  ribbon_cursor_size(&rest),
												  shown));
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
