/*
 * fields.c - keys and values from the fields of records
 */
#include "fields.h"

#include "hashes.h"
#include "command/base/numbers.h"

#include <string.h>

#define LAST_COLUMN 1000000

/* A column by its number, or by its name in the header. */
static unsigned
find_column(Reader *reader, const Record *header, const char *name)
{
	uint64_t number;
	unsigned column;

	if (parse_count(name, LAST_COLUMN, &number))
	{
		if (number == 0)
			die("columns are counted from 1 on");
		return (unsigned) number;
	}
	if (header == NULL && name[0] != '\0' &&
		name[strspn(name, "0123456789")] == '\0')
		die("the number of a column is at most %d, not %s", LAST_COLUMN, name);
	if (header == NULL)
		die("column \"%s\" has a name, which takes --header", name);
	column = column_named(reader, header, name);
	if (column == 0)
		die_at(reader, header, "there is no column \"%s\"", name);
	return column;
}

void
fields_begin(Fields *fields, Reader *reader)
{
	const InputOptions *options = reader->options;
	bool has_columns = options->has_values || options->format->has_columns;
	Record record = {0};
	const Record *header = options->has_header ? &record : NULL;

	fields->key_column = has_columns ? 1 : 0;
	fields->value_column = 2;
	fields->warned = fields->quiet;
	if (header != NULL && !reader_next(reader, &record))
		return;
	if (options->key_column != NULL)
		fields->key_column = find_column(reader, header, options->key_column);
	if (options->value_column != NULL)
		fields->value_column = find_column(reader, header,
										   options->value_column);
}

/* A field that is there, or the end. */
static void
need_field(Reader *reader, const Record *record, unsigned column, int i,
		   Field *field)
{
	if (!column_field(reader, record, column, i, field))
		die_at(reader, record, "there is no column %u", column);
}

/*
 * A text, char(n) or enum of a database with encoding SQL_ASCII: its bytes,
 * none of which is zero.
 */
static ribbon_key
key_of_bytes(const Reader *reader, const Record *record, int key_type,
			 const Field *field)
{
	if (field->size > 0 && memchr(field->text, '\0', field->size) != NULL)
		die_at(reader, record, "a text has a zero byte");
	return key_type == RIBBON_KEY_CHAR ?
		ribbon_key_char(field->text, field->size) :
		ribbon_key_canonical(key_type, field->text, field->size);
}

/*
 * Lists of addresses have comments behind # or ;, which no address has, and
 * lines without one.  False if this is such a line.
 */
static bool
cut_comment(Field *field)
{
	size_t n = 0;

	while (n < field->size && field->text[n] != '#' && field->text[n] != ';')
		n++;
	while (n > 0 && memchr(" \t\r", field->text[n - 1], 3) != NULL)
		n--;
	field->size = n;
	return n > 0;
}

bool
fields_key(Fields *fields, Reader *reader, const Record *record,
		   ribbon_key *key)
{
	const InputOptions *options = reader->options;
	int key_type = fields->key_type;
	Field field;
	bool is_text;

	need_field(reader, record, fields->key_column, 0, &field);
	if (field.is_null)
		return false;
	if (options->format->has_hashes)
	{
		*key = hash_key(reader, record, &field, &fields->hash_digits);
		if (!options->has_values && options->key_column == NULL)
			hash_check_count(reader, record);
		return true;
	}
	if (key_type == RIBBON_KEY_INET && fields->key_column == 0 &&
		!cut_comment(&field))
		return false;
	if ((key_type == RIBBON_KEY_BYTES || key_type == RIBBON_KEY_TEXT) &&
		field.size >= LEAST_HASH && !fields->warned)
		fields->warned = hash_warn(reader, record, key_type, &field);
	is_text = key_type == RIBBON_KEY_TEXT || key_type == RIBBON_KEY_CHAR ||
		key_type == RIBBON_KEY_ENUM;
	if (is_text && options->sql_ascii)
		*key = key_of_bytes(reader, record, key_type, &field);
	else if (ribbon_key_parse(key, key_type, field.text, field.size) !=
			 RIBBON_SUCCESS)
		die_at(reader, record, "%s%s", ribbon_error_text(),
			   is_text && memchr(field.text, '\0', field.size) == NULL ?
				   " (--sql-ascii takes bytes as they are)" :
				   "");
	return true;
}

/* 0 for 1 .. 9, 1 for 10 .. 99, and so on. */
static int64_t
decade_of(const Reader *reader, const Record *record, int64_t count)
{
	int64_t decade = 0;

	if (count < 1)
		die_at(reader, record, "a count is not positive");
	for (; count >= 10; count /= 10)
		decade++;
	return decade;
}

Value
fields_value(const Fields *fields, Reader *reader, const Record *record)
{
	const InputOptions *options = reader->options;
	Value value = {0};
	Field field;

	need_field(reader, record, fields->value_column, 1, &field);
	value.is_null = field.is_null;
	if (value.is_null)
		return value;
	if (options->value_type == RIBBON_VALUE_TEXT)
	{
		value.text = field;
		return value;
	}
	if (ribbon_value_parse(&value.number,
						   options->is_decade ? RIBBON_VALUE_INT64 :
												options->value_type,
						   field.text, field.size) != RIBBON_SUCCESS)
		die_at(reader, record, "%s", ribbon_error_text());
	if (options->is_decade)
		value.number = decade_of(reader, record, value.number);
	return value;
}
