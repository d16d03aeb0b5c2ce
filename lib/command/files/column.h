/*
 * column.h - columns of records: of lines, and of COPY's text and CSV
 */
#ifndef RIBBON_COMMAND_COLUMN_H
#define RIBBON_COMMAND_COLUMN_H

#include "reader.h"

typedef struct Field
{
	const char *text;
	size_t size;
	bool is_null;
} Field;

/*
 * Field number column (1, ...; 0: all of it) of a record, to place i of those
 * that are wanted, without quotes or backslashes; false if there is none.
 */
extern bool reader_field(Reader *reader, const Record *record, unsigned column,
						 int i, Field *field);

/* Print bytes as they are. */
extern void put_bytes(const char *text, size_t size);

/*
 * Print a value as text has it, with backslashes, or CSV, in quotes if it must
 * be: so that it is no more than a field, and not what a NULL looks like.
 */
extern void put_text_field(char delimiter, const char *null, const char *text,
						   size_t size);
extern void put_csv_field(char delimiter, const char *null, const char *text,
						  size_t size);

#endif /* RIBBON_COMMAND_COLUMN_H */
