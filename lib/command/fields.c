/*
 * fields.c - keys and values from the fields of records
 */
#include "fields.h"

#include "numbers.h"

#include <string.h>

#define MAX_DIGEST 64 /* bytes: SHA-512 */

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
	bool has_columns = options_has_values(options) ||
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

/* Digits of hashes: MD5 and NTLM, SHA-1, SHA-224, -256, -384, -512. */
static bool
is_hash_size(size_t ndigits)
{
	return ndigits == 32 || ndigits == 40 || ndigits == 56 || ndigits == 64 ||
		ndigits == 96 || ndigits == 128;
}

static size_t
count_digits(const char *text, size_t size)
{
	size_t n = 0;

	while (n < size && hex_digit(text[n]) >= 0)
		n++;
	return n;
}

/* The number of digits of all hashes, once there has been one. */
static size_t ndigits_of_all;

/* The bytes that hexadecimal digits are, with the range's in front. */
static ribbon_key
hex_key(const Reader *reader, const Record *record, const Field *field)
{
	char digits[2 * MAX_DIGEST];
	uint8_t bytes[MAX_DIGEST];
	size_t n = field->size;
	size_t nprefix = 0;

	if (count_digits(field->text, n) < n)
		die_at(reader, record, "not a hexadecimal digit in the hash");
	if (n == 27 || n == 35)
	{
		nprefix = strlen(reader->prefix);
		if (nprefix == 0)
			die_at(reader, record,
				   "%zu digits are the end of a hash in a range: name the file for its first 5, as in 21BD1.txt, or use --prefix",
				   n);
	}
	if (!is_hash_size(nprefix + n))
		die_at(reader, record,
			   "%zu hexadecimal digits are no hash: SHA-1 has 40, NTLM and MD5 32, SHA-256 64, SHA-512 128",
			   n);
	memcpy(digits, reader->prefix, nprefix);
	memcpy(digits + nprefix, field->text, n);
	n += nprefix;
	if (ndigits_of_all != 0 && n != ndigits_of_all)
		die_at(reader, record,
			   "a hash of %zu hexadecimal digits, where those before have %zu",
			   n, ndigits_of_all);
	ndigits_of_all = n;
	for (size_t i = 0; i < n / 2; i++)
		bytes[i] = (uint8_t) (hex_digit(digits[2 * i]) << 4 |
							  hex_digit(digits[2 * i + 1]));
	return ribbon_key_bytes(bytes, n / 2);
}

/* What follows a hash, where nobody else looks at it: a count, or a boolean. */
static void
check_count(Reader *reader, const Record *record)
{
	Field field;
	int64_t number;

	if (reader_field(reader, record, 2, 1, &field) &&
		ribbon_value_parse(&number, RIBBON_VALUE_INT64, field.text,
						   field.size) != RIBBON_SUCCESS &&
		ribbon_value_parse(&number, RIBBON_VALUE_BOOL, field.text,
						   field.size) != RIBBON_SUCCESS)
		die_at(reader, record, "what follows the hash is no count");
}

/*
 * A line of nothing but the digits of a hash is hardly a bytea, whose digits
 * have \x in front; and with a count behind them it is hardly a text either.
 */
static void
warn_of_hash(Reader *reader, const Record *record, int key_type,
			 const Field *field)
{
	size_t n = count_digits(field->text, field->size);
	bool is_whole = n == field->size;
	bool has_count = n < field->size && field->text[n] == ':' &&
		n + 1 < field->size;

	if ((!is_hash_size(n) && n != 27 && n != 35) || (n < 32 && !has_count) ||
		(n == 35 && !has_count) || (is_whole && key_type != RIBBON_KEY_BYTES))
		return;
	for (size_t i = n + 1; has_count && i < field->size; i++)
		has_count = field->text[i] >= '0' && field->text[i] <= '9';
	if (!is_whole && !has_count)
		return;
	reader->warned = true;
	warn("%s:%llu: this looks like a hash in hexadecimal digits%s, but is taken as it is written: use --format sha1%s (--quiet says nothing of it)",
		 reader->name, (unsigned long long) record->line,
		 is_whole ? "" : " and a count",
		 is_whole ? ", or write \\x before the digits" : "");
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
		if (!options_has_values(options) && options->key_column == NULL)
			check_count(reader, record);
		return true;
	}
	if (key_type == RIBBON_KEY_INET && columns->key == 0 &&
		!cut_comment(&field))
		return false;
	if ((key_type == RIBBON_KEY_BYTES || key_type == RIBBON_KEY_TEXT) &&
		field.size >= 27 && !reader->warned && !options->quiet)
		warn_of_hash(reader, record, key_type, &field);
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
						   options->is_decade ? RIBBON_VALUE_INT64 :
												options->value_type,
						   field.text, field.size) != RIBBON_SUCCESS)
		die_at(reader, record, "%s", ribbon_error_text());
	if (options->is_decade)
		value.number = decade_of(reader, record, value.number);
	return value;
}
