/*
 * keys.c - keys and values from the fields of records
 */
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGEST 64 /* bytes: SHA-512 */

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

/* A column by its number, or by its name in the header. */
static unsigned
find_column(Reader *reader, const Record *header, const char *name)
{
	uint64_t number;
	Field field;

	if (parse_count(name, 1000000, &number))
	{
		if (number == 0)
			die("columns are counted from 1 on");
		return (unsigned) number;
	}
	if (header == NULL)
		die("column \"%s\" has a name, which takes --header", name);
	for (unsigned column = 1; reader_field(reader, header, column, 0, &field);
		 column++)
		if (field.size == strlen(name) &&
			memcmp(field.text, name, field.size) == 0)
			return column;
	die_at(reader, header, "there is no column \"%s\"", name);
}

Columns
columns_of(Reader *reader)
{
	const Options *options = reader->options;
	bool has_columns = options->is_map || options->is_exact ||
		options->format != FORMAT_LINES;
	Columns columns = {.key = has_columns ? 1 : 0, .value = 2};
	Record record;
	Record *header = NULL;

	if (options->has_header && reader_next(reader, &record))
		header = &record;
	if (options->has_header && header == NULL)
		return columns;
	if (options->key_column != NULL)
		columns.key = find_column(reader, header, options->key_column);
	if (options->value_column != NULL)
		columns.value = find_column(reader, header, options->value_column);
	return columns;
}

/* The bytes that hexadecimal digits are. */
static ribbon_key
hex_key(const Reader *reader, const Record *record, const Field *field)
{
	uint8_t bytes[MAX_DIGEST];
	size_t n = field->size / 2;

	if (field->size == 0 || field->size % 2 != 0 || n > MAX_DIGEST)
		die_at(reader, record,
			   "not a hash of 1 to %d bytes in hexadecimal digits", MAX_DIGEST);
	for (size_t i = 0; i < n; i++)
	{
		int high = hex_digit(field->text[2 * i]);
		int low = hex_digit(field->text[2 * i + 1]);

		if (high < 0 || low < 0)
			die_at(reader, record, "not a hexadecimal digit in the hash");
		bytes[i] = (uint8_t) (high << 4 | low);
	}
	return ribbon_key_bytes(bytes, n);
}

/* A field that is there, or the end. */
static void
need_field(Reader *reader, const Record *record, unsigned column, int i,
		   Field *field)
{
	if (!reader_field(reader, record, column, i, field))
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

bool
key_of(Reader *reader, const Record *record, const Columns *columns,
	   int key_type, ribbon_key *key)
{
	const Options *options = reader->options;
	Field field;
	bool is_text;

	need_field(reader, record, columns->key, 0, &field);
	if (field.is_null)
		return false;
	if (options->format == FORMAT_SHA1)
	{
		*key = hex_key(reader, record, &field);
		return true;
	}
	is_text = key_type == RIBBON_KEY_TEXT || key_type == RIBBON_KEY_CHAR ||
		key_type == RIBBON_KEY_ENUM;
	if (is_text && options->sql_ascii)
		*key = key_of_bytes(reader, record, key_type, &field);
	else if (ribbon_key_parse(key, key_type, field.text, field.size) !=
			 RIBBON_SUCCESS)
		die_at(reader, record, "%s%s", ribbon_error_text(),
			   is_text ? " (--sql-ascii takes bytes as they are)" : "");
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
value_of(Reader *reader, const Record *record, const Columns *columns)
{
	const Options *options = reader->options;
	Value value = {0};
	Field field;

	need_field(reader, record, columns->value, 1, &field);
	value.is_null = field.is_null;
	if (value.is_null)
		return value;
	if (options->value_type == RIBBON_VALUE_TEXT)
	{
		value.text = field;
		return value;
	}
	if (ribbon_value_parse(&value.number,
						   options->value_form == VALUE_DECADE ?
							   RIBBON_VALUE_INT64 :
							   options->value_type,
						   field.text, field.size) != RIBBON_SUCCESS)
		die_at(reader, record, "%s", ribbon_error_text());
	if (options->value_form == VALUE_DECADE)
		value.number = decade_of(reader, record, value.number);
	return value;
}
