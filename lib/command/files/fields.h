/*
 * fields.h - keys and values from the fields of records
 */
#ifndef RIBBON_COMMAND_FIELDS_H
#define RIBBON_COMMAND_FIELDS_H

#include "column.h"

/* Keys that are looked up together, or added to an exact set. */
#define BATCH 1024

/* What keys are, and where: at first only the type is set, and quiet. */
typedef struct Fields
{
	int key_type;
	bool quiet;			 /* warn of nothing */
	unsigned key_column; /* from 1 on; 0: the whole record is the key */
	unsigned value_column;
	size_t hash_digits; /* of each hash in all files; 0: there was none yet */
	bool warned;		/* of keys in this file that look like hashes */
} Fields;

/* Find the columns of a file, by its header, which is read if there is one. */
extern void fields_begin(Fields *fields, Reader *reader);

/*
 * The key of a record; false if it is NULL, or its line has none.  Warns of
 * keys that are taken for what they hardly are.
 */
extern bool fields_key(Fields *fields, Reader *reader, const Record *record,
					   ribbon_key *key);

/* A value: NULL, or a number, or (of maps of texts) a text. */
typedef struct Value
{
	bool is_null;
	int64_t number;
	Field text;
} Value;

extern Value fields_value(const Fields *fields, Reader *reader,
						  const Record *record);

#endif /* RIBBON_COMMAND_FIELDS_H */
