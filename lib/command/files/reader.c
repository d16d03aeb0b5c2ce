/*
 * reader.c - records, from lines, and from COPY's text and CSV
 *
 * A record is found in a buffer, which grows to the longest one.  Where its end
 * has been looked for in vain, it is not looked for again.  In CSV a line ends
 * where quotes do not continue it; a quote in quotes is written twice.  The end
 * of a line is a newline, with or without a carriage return before it, and may
 * be missing at the end of the file.
 */
#define _FILE_OFFSET_BITS 64
#include "reader.h"

#include "compressed.h"
#include "command/base/numbers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t) 1 << 20)
#define MAX_RECORD	((size_t) 1 << 30)
#define MAX_KEPT	((size_t) 16 << 20) /* of a pipe, to be read again */

void
die_at(const Reader *reader, const Record *record, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	(void) vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	die("%s:%llu: %s", reader->name, (unsigned long long) record->line, text);
}

/* 21BD1 or 21BD1.txt has the ends of the hashes that begin so. */
static void
find_prefix(const char *name, char *prefix)
{
	const char *slash = strrchr(name, '/');
	int n = 0;

	name = slash != NULL ? slash + 1 : name;
	while (n < PREFIX_DIGITS && hex_digit(name[n]) >= 0)
		n++;
	if (n == PREFIX_DIGITS &&
		(name[n] == '\0' || strcmp(name + n, ".txt") == 0))
		memcpy(prefix, name, PREFIX_DIGITS);
}

/* All but the file: it reads standard input, unless it is told otherwise. */
static void
init_reader(Reader *reader, const InputOptions *options, const char *name)
{
	memset(reader, 0, sizeof(*reader));
	reader->options = options;
	reader->name = strcmp(name, "-") == 0 ? "standard input" : name;
	reader->fd = STDIN_FILENO;
	if (options->prefix != NULL)
		memcpy(reader->prefix, options->prefix, PREFIX_DIGITS);
	else
		find_prefix(name, reader->prefix);
	reader->line = 1;
	reader->capacity = FIRST_BYTES;
	reader->buffer = need(malloc(reader->capacity));
}

void
reader_open(Reader *reader, const InputOptions *options, const char *name)
{
	init_reader(reader, options, name);
	if (strcmp(name, "-") != 0)
		reader->fd = open(name, O_RDONLY | O_CLOEXEC);
	if (reader->fd < 0)
		die_errno("could not open \"%s\"", name);
}

void
reader_keep(Reader *reader, Kept *kept)
{
	memset(kept, 0, sizeof(*kept));
	kept->at = lseek(reader->fd, 0, SEEK_CUR);
	kept->is_whole = true;
	reader->kept = kept;
}

void
reader_open_again(Reader *reader, const InputOptions *options, const char *name,
				  const Kept *kept)
{
	if (kept->at < 0)
	{
		init_reader(reader, options, name);
		reader->from = kept->bytes != NULL ? kept->bytes : "";
		reader->nfrom = kept->size;
		return;
	}
	reader_open(reader, options, name);
	if (lseek(reader->fd, kept->at, SEEK_SET) < 0)
		die_errno("could not read \"%s\" again", reader->name);
}

/* Keep what has been read of a pipe, unless it becomes too much. */
static void
keep_read(Kept *kept, const char *bytes, size_t size)
{
	if (kept->at >= 0 || !kept->is_whole)
		return;
	if (kept->size + size > MAX_KEPT)
	{
		free(kept->bytes);
		kept->bytes = NULL;
		kept->is_whole = false;
		return;
	}
	kept->bytes = need(realloc(kept->bytes, kept->size + size + 1));
	memcpy(kept->bytes + kept->size, bytes, size);
	kept->size += size;
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

/* As read has it; from what has been kept, if that is what is read. */
static ssize_t
read_some(Reader *reader, char *to, size_t room)
{
	ssize_t n;

	if (reader->from != NULL)
	{
		size_t left = reader->nfrom < room ? reader->nfrom : room;

		memcpy(to, reader->from, left);
		reader->from += left;
		reader->nfrom -= left;
		return (ssize_t) left;
	}
	do
		n = read(reader->fd, to, room);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Read more behind what there is. */
static void
read_more(Reader *reader)
{
	size_t kept = reader->end - reader->begin;
	const char *how;
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
	n = read_some(reader, reader->buffer + kept, reader->capacity - kept);
	if (n < 0)
		die_errno("could not read \"%s\"", reader->name);
	if (reader->kept != NULL)
		keep_read(reader->kept, reader->buffer + kept, (size_t) n);
	reader->end += (size_t) n;
	if (reader->read == kept &&
		(how = compression_of(reader->buffer, reader->end)) != NULL)
		die("\"%s\" is compressed: use %s %s | ribbon %s ...", reader->name,
			how, reader->fd == STDIN_FILENO ? "FILE" : reader->name,
			reader->options->subcommand);

	/* a byte-order mark, as soon as its last byte has come */
	if (reader->read == kept && kept < 3 && reader->end >= 3 &&
		!reader->options->zero_ends &&
		memcmp(reader->buffer, "\357\273\277", 3) == 0)
		reader->begin = reader->scanned = 3;
	reader->read += (uint64_t) n;
	reader->at_end = n == 0;
}

/* Is there an odd number of backslashes before it? */
static bool
is_escaped(const char *begin, const char *at)
{
	const char *first = at;

	while (first > begin && first[-1] == '\\')
		first--;
	return (at - first) % 2 == 1;
}

/* The end of the record in the buffer, or NULL if it is not there yet. */
static const char *
find_end(Reader *reader)
{
	const char *at = reader->buffer + reader->scanned;
	const char *end = reader->buffer + reader->end;
	int terminator = reader->options->zero_ends ? '\0' : '\n';
	char mark = reader->options->format->mark;

	reader->scanned = reader->end;
	if (mark != '"')
	{
		at = at < end ? memchr(at, terminator, (size_t) (end - at)) : NULL;
		while (at != NULL && mark == '\\' &&
			   is_escaped(reader->buffer + reader->begin, at))
		{
			reader->lines_scanned++;
			at++;
			at = memchr(at, terminator, (size_t) (end - at));
		}
		return at;
	}
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

/*
 * COPY takes a carriage return outside of quotes, or without a backslash before
 * it, for the end of a line, or refuses it.  So it is never part of a key.
 */
static void
refuse_carriage_return(const Reader *reader, const Record *record)
{
	char mark = reader->options->format->mark;
	bool in_quotes = false;

	if (mark == '\0' || record->size == 0 ||
		memchr(record->text, '\r', record->size) == NULL)
		return;
	for (size_t i = 0; i < record->size; i++)
	{
		char c = record->text[i];

		if (c == mark && mark == '"')
			in_quotes = !in_quotes;
		else if (c == mark)
			i++;
		else if (c == '\r' && !in_quotes)
			die_at(reader, record,
				   "a carriage return without a newline behind it");
	}
}

bool
reader_next(Reader *reader, Record *record)
{
	const char *end;

	while ((end = find_end(reader)) == NULL && !reader->at_end)
		read_more(reader);
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
	refuse_carriage_return(reader, record);
	/* where COPY's text ends */
	return reader->options->format->mark != '\\' || record->size != 2 ||
		memcmp(record->text, "\\.", 2) != 0;
}
