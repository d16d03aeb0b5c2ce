/*
 * reader.h - records, from lines, and from COPY's text and CSV
 */
#ifndef RIBBON_COMMAND_READER_H
#define RIBBON_COMMAND_READER_H

#include "command/options/options.h"

typedef struct Record
{
	const char *text; /* in the reader's buffer, until the next read */
	size_t size;	  /* without the end of the line */
	uint64_t line;	  /* its first one */
} Record;

#define MAX_FIELDS 2 /* that are wanted of a record */

/* What it takes to read an input again. */
typedef struct Kept
{
	int64_t at;	 /* where a file was begun; -1: it is a pipe */
	char *bytes; /* of a pipe */
	size_t size;
	bool is_whole; /* all of it is there */
} Kept;

typedef struct Reader
{
	const InputOptions *options;
	const char *name; /* for messages */
	int fd;
	char *buffer;
	size_t capacity;
	size_t begin; /* of what has not been given out */
	size_t end;
	size_t scanned; /* how far its end has been looked for */
	bool in_quotes; /* at that place */
	bool at_end;
	uint64_t line; /* of begin */
	uint64_t lines_scanned;
	uint64_t read; /* bytes */
	char *unquoted[MAX_FIELDS];
	size_t unquoted_capacity[MAX_FIELDS];

	Kept *kept;		  /* or NULL */
	const char *from; /* what is read instead of a file; or NULL */
	size_t nfrom;
	char prefix[PREFIX_DIGITS + 1]; /* of a range of hashes; or empty */

	/* called before the buffer is overwritten */
	void (*before_read)(void *arg);
	void *arg;
} Reader;

/* Open a file, or standard input for "-". */
extern void reader_open(Reader *reader, const InputOptions *options,
						const char *name);
extern void reader_close(Reader *reader);

/* Keep what it takes to read it again, before the first record. */
extern void reader_keep(Reader *reader, Kept *kept);

/* Open it again, if it is whole. */
extern void reader_open_again(Reader *reader, const InputOptions *options,
							  const char *name, const Kept *kept);

/* The next record; false at the end. */
extern bool reader_next(Reader *reader, Record *record);

/* Say "ribbon: FILE:LINE: ..." and end. */
extern void die_at(const Reader *reader, const Record *record,
				   const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));

#endif /* RIBBON_COMMAND_READER_H */
