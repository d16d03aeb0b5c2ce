/*
 * column.c - columns of records: of lines, and of COPY's text and CSV
 *
 * In CSV a quote in quotes is written twice; text has backslashes before what
 * would be taken for something else.
 */
#include "column.h"

#include "command/base/numbers.h"

#include <stdlib.h>
#include <string.h>

const char copy_letters[] = {'b', 'f', 'n', 'r', 't', 'v'};
const char copy_meant[] = {'\b', '\f', '\n', '\r', '\t', '\v'};

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

/* A field of CSV without its quotes, to where there is room: its end there. */
static char *
unquote(const char *from, const char *end, char *to)
{
	bool in_quotes = false;

	for (; from < end; from++)
	{
		if (*from != '"')
			*to++ = *from;
		else if (in_quotes && from + 1 < end && from[1] == '"')
			*to++ = *from++;
		else
			in_quotes = !in_quotes;
	}
	return to;
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

/* The same of text: without backslashes, but with what they stand for. */
static char *
unescape(const char *at, const char *end, char *to)
{
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
		letter = memchr(copy_letters, *at, COPY_LETTERS);
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
	return to;
}

/* The end of a field; a delimiter in quotes, or behind a backslash, is none. */
static const char *
field_end(const Reader *reader, const char *at, const char *end)
{
	char mark = reader->options->format->mark;
	char delimiter = reader->options->delimiter;
	bool in_quotes = false;

	if (at < end && mark == '\0')
	{
		const char *stop = memchr(at, delimiter, (size_t) (end - at));

		return stop != NULL ? stop : end;
	}
	for (; at < end && (in_quotes || *at != delimiter); at++)
	{
		if (*at != mark)
			continue;
		if (mark == '"')
			in_quotes = !in_quotes;
		else if (at + 1 < end)
			at++;
	}
	return at;
}

/* Is this NULL, as it is written? */
static bool
is_null(const char *null, const Field *field)
{
	return null != NULL && field->size == strlen(null) &&
		(field->size == 0 || memcmp(field->text, null, field->size) == 0);
}

/* The field that lies from at to stop, without quotes or backslashes. */
static Field
field_between(Reader *reader, const char *at, const char *stop, int i)
{
	char mark = reader->options->format->mark;
	Field field = {.text = at, .size = (size_t) (stop - at)};

	field.is_null = is_null(reader->options->null, &field);
	if (!field.is_null && field.size > 0 && mark != '\0' &&
		memchr(at, mark, field.size) != NULL)
	{
		char *to = room_for(reader, i, field.size);

		stop = (mark == '"' ? unquote : unescape)(at, stop, to);
		field = (Field){.text = to, .size = (size_t) (stop - to)};
	}
	return field;
}

bool
column_field(Reader *reader, const Record *record, unsigned column, int i,
			 Field *field)
{
	const char *at = record->text;
	const char *end = at + record->size;

	for (; column > 1; column--)
	{
		at = field_end(reader, at, end);
		if (at == end)
			return false;
		at++;
	}
	*field = field_between(reader, at,
						   column > 0 ? field_end(reader, at, end) : end, i);
	return true;
}

unsigned
column_named(Reader *reader, const Record *header, const char *name)
{
	const char *end = header->text + header->size;
	const char *at = header->text;

	for (unsigned column = 1;; column++)
	{
		const char *stop = field_end(reader, at, end);
		Field field = field_between(reader, at, stop, 0);

		if (field.size == strlen(name) &&
			memcmp(field.text, name, field.size) == 0)
			return column;
		if (stop == end)
			return 0;
		at = stop + 1;
	}
}
