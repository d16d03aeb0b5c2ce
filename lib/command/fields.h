/*
 * fields.h - keys and values from the fields of records
 */
#ifndef RIBBON_COMMAND_FIELDS_H
#define RIBBON_COMMAND_FIELDS_H

#include "column.h"

/* Which columns have keys and values; 0: the whole record is the key. */
typedef struct Columns
{
	unsigned key;
	unsigned value;
} Columns;

/* Find out, from the options and the header, which is read if there is one. */
extern Columns columns_of(Reader *reader);

/*
 * The key of a record; false if it is NULL.  Warns of keys that are taken for
 * what they hardly are.
 */
extern bool key_of(Reader *reader, const Record *record, const Columns *columns,
				   int key_type, ribbon_key *key);

/* A value: NULL, or a number, or (of maps of texts) a text. */
typedef struct Value
{
	bool is_null;
	int64_t number;
	Field text;
} Value;

extern Value value_of(Reader *reader, const Record *record,
					  const Columns *columns);

#endif /* RIBBON_COMMAND_FIELDS_H */
