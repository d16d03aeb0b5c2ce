/*
 * keyread.c - keys from texts, as PostgreSQL writes and reads them
 */
#include "keys.h"
#include "parse.h"

#include "keys/canonical.h"
#include "keys/classes.h"
#include "values/utf8.h"

#include <stdlib.h>

static bool
parse_lsn(const char *text, size_t size, uint64_t *lsn)
{
	uint64_t halves[2] = {0, 0};
	size_t digits[2] = {0, 0};
	int half = 0;

	for (size_t i = 0; i < size; i++)
	{
		if (text[i] == '/' && half == 0)
			half = 1;
		else if (ribbon_hex_digit(text[i]) < 0)
			return false;
		else
		{
			halves[half] = halves[half] << 4 |
				(uint64_t) ribbon_hex_digit(text[i]);
			if (++digits[half] > 8)
				return false;
		}
	}
	*lsn = halves[0] << 32 | halves[1];
	return digits[0] > 0 && digits[1] > 0;
}

/*
 * Exactly so many bytes in hexadecimal.  One of the characters between, always
 * the same, may be in front of any byte but the first: *places gets a bit for
 * each byte with one, *separator the character, or 0.
 */
static bool
parse_hex(const char *text, size_t size, const char *between, uint8_t *bytes,
		  size_t nbytes, unsigned *places, char *separator)
{
	size_t at = 0;

	*places = 0;
	*separator = '\0';
	for (size_t i = 0; i < nbytes; i++)
	{
		if (i > 0 && at < size && text[at] != '\0' &&
			strchr(between, text[at]) != NULL)
		{
			if (*separator != '\0' && text[at] != *separator)
				return false;
			*separator = text[at++];
			*places |= 1U << i;
		}
		if (size - at < 2 || ribbon_hex_digit(text[at]) < 0 ||
			ribbon_hex_digit(text[at + 1]) < 0)
			return false;
		bytes[i] = (uint8_t) (ribbon_hex_digit(text[at]) << 4 |
							  ribbon_hex_digit(text[at + 1]));
		at += 2;
	}
	return at == size;
}

/*
 * Does the server take separators there?  In a uuid behind any four digits; in
 * a macaddr behind each two, each four or the first six; in a macaddr8 anywhere
 * between bytes.
 */
static bool
is_separated(int key_type, unsigned places, char separator)
{
	switch (key_type)
	{
		case RIBBON_KEY_UUID:
			return (places & ~0x5554U) == 0;
		case RIBBON_KEY_MACADDR:
			return places == 0 || (places == 0x14 && separator != ':') ||
				((places == 0x3E || places == 0x08) && separator != '.');
		default:
			return true;
	}
}

/* Octal digits of a byte behind a backslash. */
static bool
is_octal_byte(const char *text, size_t size)
{
	return size >= 3 && text[0] >= '0' && text[0] <= '3' && text[1] >= '0' &&
		text[1] <= '7' && text[2] >= '0' && text[2] <= '7';
}

/* \x0aff; or the bytes as they are, with \\ and \ooo for some of them. */
static ribbon_status
parse_bytes(ribbon_key *key, const char *text, size_t size, bool *valid)
{
	bool is_hex = size >= 2 && text[0] == '\\' && text[1] == 'x';
	uint8_t *bytes = calloc(size > 0 ? size : 1, 1);
	size_t n = 0;

	*valid = true;
	if (bytes == NULL)
		return ribbon_error_memory();
	for (size_t i = is_hex ? 2 : 0; i < size && *valid;)
	{
		if (is_hex)
		{
			*valid = size - i >= 2 && ribbon_hex_digit(text[i]) >= 0 &&
				ribbon_hex_digit(text[i + 1]) >= 0;
			if (*valid)
				bytes[n++] = (uint8_t) (ribbon_hex_digit(text[i]) << 4 |
										ribbon_hex_digit(text[i + 1]));
			i += 2;
		}
		else if (text[i] != '\\')
			bytes[n++] = (uint8_t) text[i++];
		else if (size - i >= 2 && text[i + 1] == '\\')
		{
			bytes[n++] = '\\';
			i += 2;
		}
		else
		{
			*valid = is_octal_byte(text + i + 1, size - i - 1);
			if (*valid)
				bytes[n++] = (uint8_t) ((text[i + 1] - '0') << 6 |
										(text[i + 2] - '0') << 3 |
										(text[i + 3] - '0'));
			i += 4;
		}
	}
	if (*valid)
		*key = ribbon_key_bytes(bytes, n);
	free(bytes);
	return RIBBON_SUCCESS;
}

/* Bits as 0 and 1, perhaps with b before them, or as hexadecimal behind x. */
static ribbon_status
parse_bits(ribbon_key *key, const char *text, size_t size, bool *valid)
{
	bool is_hex = size > 0 && (*text | 0x20) == 'x';
	size_t skipped = size > 0 && (is_hex || (*text | 0x20) == 'b') ? 1 : 0;
	size_t ndigits = size - skipped;
	size_t nbits = is_hex ? 4 * ndigits : ndigits;
	size_t nbytes = 4 + (nbits + 7) / 8;
	uint8_t *bytes = calloc(nbytes, 1);

	if (bytes == NULL)
		return ribbon_error_memory();
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t) (nbits >> 8 * i);
	*valid = nbits <= INT32_MAX;
	for (size_t i = 0; i < ndigits && *valid; i++)
	{
		int digit = ribbon_hex_digit(text[skipped + i]);

		*valid = digit >= 0 && (is_hex || digit < 2);
		if (*valid && is_hex)
			bytes[4 + i / 2] |= (uint8_t) (digit << (i % 2 == 0 ? 4 : 0));
		else if (*valid)
			bytes[4 + i / 8] |= (uint8_t) (digit << (7 - i % 8));
	}
	if (*valid)
		*key = ribbon_key_canonical(RIBBON_KEY_BIT, bytes, nbytes);
	free(bytes);
	return RIBBON_SUCCESS;
}

static bool
parse_timetz(ribbon_key *key, const char *text, size_t size)
{
	uint64_t form[2];
	int64_t time;
	int32_t zone;

	if (!ribbon_civil_timetz(text, size, &time, &zone))
		return false;
	form[0] = ribbon_little64((uint64_t) time);
	form[1] = ribbon_little64((uint32_t) zone);
	*key = ribbon_key_canonical(RIBBON_KEY_TIMETZ, form, sizeof(form[0]) + 4);
	return true;
}

/* Of one of the types whose canonical bytes are a number, little-endian. */
static bool
parse_number(ribbon_key *key, int key_type, const char *text, size_t size)
{
	int64_t number = 0;
	uint64_t word = 0;
	double real = 0;
	bool valid;

	switch (key_type)
	{
		case RIBBON_KEY_OID:
			valid = ribbon_parse_unsigned(text, size, UINT32_MAX, &word);
			break;
		case RIBBON_KEY_XID8:
			/* with zeros in front the server takes it for octal */
			valid = (size < 2 || text[0] != '0') &&
				ribbon_parse_unsigned(text, size, UINT64_MAX, &word);
			break;
		case RIBBON_KEY_LSN:
			valid = parse_lsn(text, size, &word);
			break;
		case RIBBON_KEY_FLOAT:
			valid = ribbon_parse_float(text, size, &real);
			word = ribbon_canonical_float(real);
			break;
		default:
			valid = ribbon_parse_number(key_type, text, size, &number);
			word = (uint64_t) number;
	}
	word = ribbon_little64(word);
	if (valid)
		*key = ribbon_key_canonical(key_type, &word,
									ribbon_key_class_size(key_type));
	return valid;
}

/* Of one of the types that are a few bytes in hexadecimal. */
static bool
parse_few_bytes(ribbon_key *key, int key_type, const char *text, size_t size)
{
	uint8_t bytes[16];
	size_t nbytes = ribbon_key_class_size(key_type);
	unsigned places;
	char separator;
	bool valid;

	if (key_type == RIBBON_KEY_UUID && size > 2 && text[0] == '{' &&
		text[size - 1] == '}')
	{
		text++;
		size -= 2;
	}
	valid = parse_hex(text, size, key_type == RIBBON_KEY_UUID ? "-" : ":-.",
					  bytes, nbytes, &places, &separator);
	/* the server widens one of 6 bytes */
	if (!valid && key_type == RIBBON_KEY_MACADDR8)
	{
		valid = parse_hex(text, size, ":-.", bytes, 6, &places, &separator);
		memmove(bytes + 5, bytes + 3, 3);
		bytes[3] = 0xFF;
		bytes[4] = 0xFE;
	}
	if (!valid || !is_separated(key_type, places, separator))
		return false;
	*key = ribbon_key_canonical(key_type, bytes, nbytes);
	return true;
}

static ribbon_status
refuse_key(int key_type, const char *text, size_t size)
{
	char shown[RIBBON_SHOWN + 1];

	return ribbon_error_set(RIBBON_ERROR_KEY, "no key of type %s: \"%s\"",
							ribbon_key_type_name(key_type),
							ribbon_parse_show(text, size, shown));
}

static ribbon_status
refuse_type(int key_type)
{
	const char *name = ribbon_key_type_name(key_type);

	return ribbon_error_set(RIBBON_ERROR_KEY_TYPE,
							"keys of type %s cannot be read from text",
							name != NULL ? name : "unknown");
}

ribbon_status
ribbon_key_parse(ribbon_key *key, int key_type, const char *text, size_t size)
{
	const char *whole = text;
	size_t whole_size = size;
	ribbon_status status = RIBBON_SUCCESS;
	bool valid;

	switch (key_type)
	{
		case RIBBON_KEY_TEXT:
		case RIBBON_KEY_CHAR:
		case RIBBON_KEY_ENUM:
			if (!ribbon_is_utf8(text, size))
				return ribbon_error_set(RIBBON_ERROR_KEY,
										"a key is not text in UTF-8 without "
										"zero bytes");
			*key = key_type == RIBBON_KEY_CHAR ?
				ribbon_key_char(text, size) :
				ribbon_key_canonical(key_type, text, size);
			return RIBBON_SUCCESS;
		case RIBBON_KEY_BYTES:
			status = parse_bytes(key, text, size, &valid);
			return valid || status != RIBBON_SUCCESS ?
				status :
				refuse_key(key_type, text, size);
	}

	ribbon_parse_trim(&text, &size);
	switch (key_type)
	{
		case RIBBON_KEY_INTEGER:
		case RIBBON_KEY_BOOL:
		case RIBBON_KEY_DATE:
		case RIBBON_KEY_TIME:
		case RIBBON_KEY_TIMESTAMP:
		case RIBBON_KEY_TIMESTAMPTZ:
		case RIBBON_KEY_OID:
		case RIBBON_KEY_XID8:
		case RIBBON_KEY_LSN:
		case RIBBON_KEY_FLOAT:
			valid = parse_number(key, key_type, text, size);
			break;
		case RIBBON_KEY_UUID:
		case RIBBON_KEY_MACADDR:
		case RIBBON_KEY_MACADDR8:
			valid = parse_few_bytes(key, key_type, text, size);
			break;
		case RIBBON_KEY_NUMERIC:
			status = ribbon_numeric_key(key, text, size, &valid);
			break;
		case RIBBON_KEY_INTERVAL:
			valid = ribbon_interval_key(key, text, size);
			break;
		case RIBBON_KEY_INET:
			valid = ribbon_inet_key(key, text, size);
			break;
		case RIBBON_KEY_TIMETZ:
			valid = parse_timetz(key, text, size);
			break;
		case RIBBON_KEY_BIT:
			status = parse_bits(key, text, size, &valid);
			break;
		case RIBBON_KEY_JSONB:
			status = ribbon_json_key(key, text, size, &valid);
			break;
		default:
			return refuse_type(key_type);
	}
	return status != RIBBON_SUCCESS || valid ?
		status :
		refuse_key(key_type, whole, whole_size);
}
