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
extern bool column_field(Reader *reader, const Record *record, unsigned column,
						 int i, Field *field);

/* The number of the first field of a header that has this name, or 0. */
extern unsigned column_named(Reader *reader, const Record *header,
							 const char *name);

/* Letters behind the backslashes of COPY's text, and what they stand for. */
#define COPY_LETTERS 6
extern const char copy_letters[COPY_LETTERS];
extern const char copy_meant[COPY_LETTERS];

#endif /* RIBBON_COMMAND_COLUMN_H */
