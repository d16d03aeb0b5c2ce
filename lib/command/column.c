/*
 * column.c - a column of a record, from lines, and from COPY's text and CSV
 *
 * In CSV a quote in quotes is written twice; text has backslashes before what
 * would be taken for something else.
 */
#include "reader.h"

#include "letters.h"

#include <stdlib.h>
#include <string.h>

/* Room for field i without quotes or backslashes, at most so many bytes. */
static char *
room_for(Reader *reader, int i, size_t size)
{
	if (reader->unquoted_capacity[i] < size)
	{
		reader->unquoted_capacity[i] = size;
		reader->unquoted[i] = need(realloc(reader->unquoted[i], size));
	}
	return reader->unquoted[i];
}

/* A field of CSV without its quotes. */
static void
unquote(Reader *reader, int i, Field *field)
{
	const char *from = field->text;
	const char *end = from + field->size;
	bool in_quotes = false;
	char *to = room_for(reader, i, field->size);

	for (; from < end; from++)
	{
		if (*from != '"')
			*to++ = *from;
		else if (in_quotes && from + 1 < end && from[1] == '"')
			*to++ = *from++;
		else
			in_quotes = !in_quotes;
	}
	field->text = reader->unquoted[i];
	field->size = (size_t) (to - reader->unquoted[i]);
}

/* A number of at most some digits behind a backslash, modulo 256. */
static char
read_code(const char **at, const char *end, int base, int most)
{
	const char *from = *at;
	int code = 0;

	for (; *at < end && *at - from < most; (*at)++)
	{
		int digit = hex_digit(**at);

		if (digit < 0 || digit >= base)
			break;
		code = code * base + digit;
	}
	return (char) code;
}

/* Put what COPY's backslashes stand for into their place. */
static void
unescape(Reader *reader, int i, Field *field)
{
	const char *at = field->text;
	const char *end = at + field->size;
	char *to;

	to = room_for(reader, i, field->size);
	while (at < end)
	{
		const char *letter;

		if (*at != '\\')
		{
			*to++ = *at++;
			continue;
		}
		if (++at == end)
			break;
		letter = memchr(copy_letters, *at, NCOPY_LETTERS);
		if (*at >= '0' && *at <= '7')
			*to++ = read_code(&at, end, 8, 3);
		else if (*at == 'x' && at + 1 < end && hex_digit(at[1]) >= 0)
		{
			at++;
			*to++ = read_code(&at, end, 16, 2);
		}
		else
		{
			*to++ = letter != NULL ? copy_meant[letter - copy_letters] : *at;
			at++;
		}
	}
	field->text = reader->unquoted[i];
	field->size = (size_t) (to - reader->unquoted[i]);
}

/* The end of a field; a delimiter in quotes, or behind a backslash, is none. */
static const char *
field_end(const Reader *reader, const char *at, const char *end)
{
	Format format = reader->options->format;
	char delimiter = reader->options->delimiter;
	bool in_quotes = false;

	if (at < end && (format == FORMAT_LINES || format == FORMAT_SHA1))
	{
		const char *stop = memchr(at, delimiter, (size_t) (end - at));

		return stop != NULL ? stop : end;
	}
	for (; at < end && (in_quotes || *at != delimiter); at++)
	{
		if (format == FORMAT_CSV && *at == '"')
			in_quotes = !in_quotes;
		if (format == FORMAT_TEXT && *at == '\\' && at + 1 < end)
			at++;
	}
	return at;
}

/* Is this NULL, as it is written? */
static bool
is_null(const Options *options, const Field *field)
{
	const char *null = options->null != NULL ? options->null :
		options->format == FORMAT_TEXT		 ? "\\N" :
		options->format == FORMAT_CSV		 ? "" :
											   NULL;

	return null != NULL && field->size == strlen(null) &&
		(field->size == 0 || memcmp(field->text, null, field->size) == 0);
}

bool
reader_field(Reader *reader, const Record *record, unsigned column, int i,
			 Field *field)
{
	const Options *options = reader->options;
	const char *at = record->text;
	const char *end = at + record->size;
	const char *stop;

	for (; column > 1; column--)
	{
		at = field_end(reader, at, end);
		if (at == end)
			return false;
		at++;
	}
	stop = column > 0 ? field_end(reader, at, end) : end;
	*field = (Field){.text = at, .size = (size_t) (stop - at)};
	field->is_null = is_null(options, field);
	if (field->is_null || field->size == 0)
		return true;
	if (options->format == FORMAT_CSV && memchr(at, '"', field->size) != NULL)
		unquote(reader, i, field);
	if (options->format == FORMAT_TEXT && memchr(at, '\\', field->size) != NULL)
		unescape(reader, i, field);
	return true;
}
