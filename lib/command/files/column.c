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

/* Letters behind COPY's backslashes, and the bytes that they stand for. */
static const char copy_letters[] = "bfnrtv";
static const char copy_meant[] = "\b\f\n\r\t\v";

#define NCOPY_LETTERS (sizeof(copy_letters) - 1)

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

bool
reader_field(Reader *reader, const Record *record, unsigned column, int i,
			 Field *field)
{
	const InputOptions *options = reader->options;
	char mark = options->format->mark;
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
	field->is_null = is_null(options->null, field);
	if (field->is_null || field->size == 0)
		return true;
	if (mark != '\0' && memchr(at, mark, field->size) != NULL)
	{
		char *to = room_for(reader, i, field->size);

		stop = (mark == '"' ? unquote : unescape)(at, stop, to);
		*field = (Field){.text = to, .size = (size_t) (stop - to)};
	}
	return true;
}

void
put_bytes(const char *text, size_t size)
{
	if (size > 0)
		(void) fwrite(text, 1, size, stdout);
}

/* What text has for a character behind a backslash; 0: it is as it is. */
static char
escape_of(char c, char delimiter)
{
	const char *found = memchr(copy_meant, c, NCOPY_LETTERS);

	if (found != NULL)
		return copy_letters[found - copy_meant];
	return c == '\\' || c == delimiter ? c : '\0';
}

/* Is a value, as text has it, what a NULL looks like? */
static bool
is_like_null(char delimiter, const char *null, const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
	{
		char escape = escape_of(text[i], delimiter);

		if (escape != '\0' && *null++ != '\\')
			return false;
		/* null has no character 0, which a damaged map's text may have */
		if (text[i] == '\0' || *null++ != (escape != '\0' ? escape : text[i]))
			return false;
	}
	return size > 0 && *null == '\0';
}

void
put_text_field(char delimiter, const char *null, const char *text, size_t size)
{
	size_t done = 0;

	if (is_like_null(delimiter, null, text, size))
		(void) printf("\\%03o", (unsigned char) text[done++]);
	for (size_t i = done; i < size; i++)
	{
		char escape = escape_of(text[i], delimiter);

		if (escape == '\0')
			continue;
		put_bytes(text + done, i - done);
		(void) putchar('\\');
		(void) putchar(escape);
		done = i + 1;
	}
	put_bytes(text + done, size - done);
}

void
put_csv_field(char delimiter, const char *null, const char *text, size_t size)
{
	/* a line of \. alone ends what some servers read */
	bool plain = size > 0 &&
		(size != strlen(null) || memcmp(text, null, size) != 0) &&
		(size != 2 || memcmp(text, "\\.", 2) != 0);

	for (size_t i = 0; i < size && plain; i++)
		plain = text[i] != delimiter && text[i] != '"' && text[i] != '\n' &&
			text[i] != '\r';
	if (plain)
	{
		put_bytes(text, size);
		return;
	}
	(void) putchar('"');
	for (size_t i = 0; i < size; i++)
	{
		if (text[i] == '"')
			(void) putchar('"');
		(void) putchar(text[i]);
	}
	(void) putchar('"');
}
