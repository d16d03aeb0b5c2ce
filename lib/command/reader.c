/*
 * reader.c - records and their fields, from lines and from CSV
 *
 * A record is found in a buffer, which grows to the longest one.  Where its end
 * has been looked for in vain, it is not looked for again.  In CSV a line ends
 * where quotes do not continue it; a quote in quotes is written twice (as
 * PostgreSQL's COPY has it).  A line's end is a newline, with or without a
 * carriage return before it, and may be missing at the end of the file.
 */
#define _FILE_OFFSET_BITS 64
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t) 1 << 20)
#define MAX_RECORD	((size_t) 1 << 30)

void
reader_open(Reader *reader, const Options *options, const char *name)
{
	memset(reader, 0, sizeof(*reader));
	reader->options = options;
	reader->name = strcmp(name, "-") == 0 ? "standard input" : name;
	reader->fd = STDIN_FILENO;
	reader->line = 1;
	reader->capacity = FIRST_BYTES;
	reader->buffer = need(malloc(reader->capacity));
	if (strcmp(name, "-") != 0)
		reader->fd = open(name, O_RDONLY | O_CLOEXEC);
	if (reader->fd < 0)
		die_errno("could not open \"%s\"", name);
}

void
reader_close(Reader *reader)
{
	if (reader->fd != STDIN_FILENO)
		(void) close(reader->fd);
	free(reader->buffer);
	for (int i = 0; i < MAX_FIELDS; i++)
		free(reader->unquoted[i]);
}

/* Read more behind what there is. */
static void
fill(Reader *reader)
{
	size_t kept = reader->end - reader->begin;
	ssize_t n;

	if (reader->before_read != NULL)
		reader->before_read(reader->arg);
	memmove(reader->buffer, reader->buffer + reader->begin, kept);
	reader->scanned -= reader->begin;
	reader->begin = 0;
	reader->end = kept;
	if (kept == reader->capacity)
	{
		if (kept >= MAX_RECORD)
			die("%s:%llu: the line is longer than 1 GB", reader->name,
				(unsigned long long) reader->line);
		reader->capacity *= 2;
		reader->buffer = need(realloc(reader->buffer, reader->capacity));
	}
	do
		n = read(reader->fd, reader->buffer + kept, reader->capacity - kept);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		die_errno("could not read \"%s\"", reader->name);
	reader->end += (size_t) n;

	/* a byte-order mark, as soon as its last byte has come */
	if (reader->read == kept && kept < 3 && reader->end >= 3 &&
		!reader->options->zero_ends &&
		memcmp(reader->buffer, "\357\273\277", 3) == 0)
		reader->begin = reader->scanned = 3;
	reader->read += (uint64_t) n;
	reader->at_end = n == 0;
}

/* The end of the record in the buffer, or NULL if it is not there yet. */
static const char *
find_end(Reader *reader)
{
	const char *at = reader->buffer + reader->scanned;
	const char *end = reader->buffer + reader->end;
	int terminator = reader->options->zero_ends ? '\0' : '\n';

	reader->scanned = reader->end;
	if (reader->options->format != FORMAT_CSV)
		return at < end ? memchr(at, terminator, (size_t) (end - at)) : NULL;
	for (; at < end; at++)
	{
		if (*at == '"')
			reader->in_quotes = !reader->in_quotes;
		else if (*at == '\n' && !reader->in_quotes)
			return at;
		else if (*at == '\n')
			reader->lines_scanned++;
	}
	return NULL;
}

bool
reader_next(Reader *reader, Record *record)
{
	const char *end;

	while ((end = find_end(reader)) == NULL && !reader->at_end)
		fill(reader);
	if (end == NULL && reader->begin == reader->end)
		return false;
	record->text = reader->buffer + reader->begin;
	record->line = reader->line;
	if (end == NULL && reader->in_quotes)
		die_at(reader, record, "a quoted field does not end");
	record->size = (size_t) ((end != NULL ? end :
											reader->buffer + reader->end) -
							 record->text);
	reader->begin += record->size + (end != NULL ? 1 : 0);
	reader->scanned = reader->begin;
	reader->line += 1 + reader->lines_scanned;
	reader->lines_scanned = 0;
	if (record->size > 0 && record->text[record->size - 1] == '\r' &&
		!reader->options->zero_ends)
		record->size--;
	return true;
}

/* A field of CSV from *at on, without its quotes; *at becomes its end. */
static void
unquote(Reader *reader, const char **at, const char *end, int i, Field *field)
{
	char delimiter = reader->options->delimiter;
	const char *from = *at;
	const char *first = *at;
	bool in_quotes = false;
	char *to;

	while (from < end && *from != '"' && *from != delimiter)
		from++;
	*field = (Field){.text = first, .size = (size_t) (from - first)};
	*at = from;
	if (from == end || *from == delimiter)
		return;

	if (reader->unquoted_capacity[i] < (size_t) (end - first))
	{
		reader->unquoted_capacity[i] = (size_t) (end - first);
		reader->unquoted[i] = need(realloc(reader->unquoted[i],
										   reader->unquoted_capacity[i]));
	}
	to = reader->unquoted[i];
	memcpy(to, first, field->size);
	to += field->size;
	for (; from < end && (in_quotes || *from != delimiter); from++)
	{
		if (*from != '"')
			*to++ = *from;
		else if (in_quotes && from + 1 < end && from[1] == '"')
			*to++ = *from++;
		else
			in_quotes = !in_quotes;
	}
	*at = from;
	*field = (Field){.text = reader->unquoted[i],
					 .size = (size_t) (to - reader->unquoted[i]),
					 .quoted = true};
}

/* The end of a field of CSV. */
static const char *
skip_field(const Reader *reader, const char *at, const char *end)
{
	bool in_quotes = false;

	for (; at < end && (in_quotes || *at != reader->options->delimiter); at++)
		if (*at == '"')
			in_quotes = !in_quotes;
	return at;
}

bool
reader_field(Reader *reader, const Record *record, unsigned column, int i,
			 Field *field)
{
	const char *at = record->text;
	const char *end = at + record->size;
	bool is_csv = reader->options->format == FORMAT_CSV;

	for (; column > 1; column--)
	{
		if (is_csv)
			at = skip_field(reader, at, end);
		else if (at < end)
		{
			at = memchr(at, reader->options->delimiter, (size_t) (end - at));
			if (at == NULL)
				return false;
		}
		if (at == end)
			return false;
		at++;
	}
	if (is_csv)
		unquote(reader, &at, end, i, field);
	else
	{
		const char *stop = at < end ?
			memchr(at, reader->options->delimiter, (size_t) (end - at)) :
			NULL;

		*field = (Field){.text = at,
						 .size = (size_t) ((stop != NULL ? stop : end) - at)};
	}
	return true;
}
