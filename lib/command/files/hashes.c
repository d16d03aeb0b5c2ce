/*
 * hashes.c - keys that are hashes, in hexadecimal digits: --format sha1
 */
#include "hashes.h"

#include "command/base/numbers.h"

#include <string.h>

/* Digits of hashes; MD5 has as many as NTLM. */
enum
{
	NTLM = 32,
	SHA1 = 40,
	SHA224 = 56,
	SHA256 = 64,
	SHA384 = 96,
	SHA512 = 128
};

static bool
is_hash_size(size_t ndigits)
{
	return ndigits == NTLM || ndigits == SHA1 || ndigits == SHA224 ||
		ndigits == SHA256 || ndigits == SHA384 || ndigits == SHA512;
}

/* Are so many digits the end of a hash in a range?  Ranges are of these two. */
static bool
is_end_size(size_t ndigits)
{
	return ndigits == NTLM - PREFIX_DIGITS || ndigits == SHA1 - PREFIX_DIGITS;
}

static size_t
count_digits(const char *text, size_t size)
{
	size_t n = 0;

	while (n < size && hex_digit(text[n]) >= 0)
		n++;
	return n;
}

ribbon_key
hash_key(const Reader *reader, const Record *record, const Field *field,
		 size_t *ndigits)
{
	char digits[SHA512];
	uint8_t bytes[SHA512 / 2];
	size_t n = field->size;
	size_t nprefix = 0;

	if (count_digits(field->text, n) < n)
		die_at(reader, record, "not a hexadecimal digit in the hash");
	if (is_end_size(n))
	{
		nprefix = strlen(reader->prefix);
		if (nprefix == 0)
			die_at(reader, record,
				   "%zu digits are the end of a hash in a range: name the file for its first %d, as in 21BD1.txt, or use --prefix",
				   n, PREFIX_DIGITS);
	}
	else if (reader->options->prefix != NULL)
		die_at(reader, record,
			   "%zu digits, where --prefix says that the first %d are missing",
			   n, PREFIX_DIGITS);
	if (!is_hash_size(nprefix + n))
		die_at(reader, record,
			   "%zu hexadecimal digits are no hash: SHA-1 has 40, NTLM and MD5 32, SHA-256 64, SHA-512 128",
			   n);
	memcpy(digits, reader->prefix, nprefix);
	memcpy(digits + nprefix, field->text, n);
	n += nprefix;
	if (*ndigits != 0 && n != *ndigits)
		die_at(reader, record,
			   "a hash of %zu hexadecimal digits, where those before have %zu",
			   n, *ndigits);
	*ndigits = n;
	for (size_t i = 0; i < n / 2; i++)
		bytes[i] = (uint8_t) (hex_digit(digits[2 * i]) << 4 |
							  hex_digit(digits[2 * i + 1]));
	return ribbon_key_bytes(bytes, n / 2);
}

void
hash_check_count(Reader *reader, const Record *record)
{
	Field field;
	int64_t number;

	if (column_field(reader, record, 2, 1, &field) &&
		ribbon_value_parse(&number, RIBBON_VALUE_INT64, field.text,
						   field.size) != RIBBON_SUCCESS &&
		ribbon_value_parse(&number, RIBBON_VALUE_BOOL, field.text,
						   field.size) != RIBBON_SUCCESS)
		die_at(reader, record, "what follows the hash is no count");
}

bool
hash_warn(const Reader *reader, const Record *record, int key_type,
		  const Field *field)
{
	size_t n = count_digits(field->text, field->size);
	bool is_bare = n == field->size && is_hash_size(n) &&
		key_type == RIBBON_KEY_BYTES;
	int64_t count;
	bool has_count = (is_hash_size(n) || is_end_size(n)) && n < field->size &&
		field->text[n] == ':' &&
		ribbon_value_parse(&count, RIBBON_VALUE_INT64, field->text + n + 1,
						   field->size - n - 1) == RIBBON_SUCCESS;

	if (is_bare || has_count)
		warn("%s:%llu: this looks like a hash in hexadecimal digits%s, but is taken as it is written: use --format sha1%s (--quiet says nothing of it)",
			 reader->name, (unsigned long long) record->line,
			 has_count ? " and a count" : "",
			 is_bare ? ", or write \\x before the digits" : "");
	return is_bare || has_count;
}
