/*
 * print.c - values as fields of records: of COPY's text and CSV
 */
#include "print.h"

#include "column.h"

#include <string.h>

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
	const char *found = memchr(copy_meant, c, COPY_LETTERS);

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

static void
put_text(char delimiter, const char *null, const char *text, size_t size)
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

static void
put_csv(char delimiter, const char *null, const char *text, size_t size)
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

void
put_field(const InputOptions *input, const char *null, const char *text,
		  size_t size)
{
	if (input->format->mark == '"')
		put_csv(input->delimiter, null, text, size);
	else if (input->zero_ends)
		put_bytes(text, size);
	else
		put_text(input->delimiter, null, text, size);
}
