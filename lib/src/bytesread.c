/*
 * bytesread.c - keys of bytes and bits: bytea, bit, uuid, macaddr, macaddr8
 */
#include "keyread.h"

#include "keys/canonical.h"
#include "keys/classes.h"

#include <stdlib.h>

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
ribbon_status
ribbon_bytes_key(ribbon_key *key, const char *text, size_t size)
{
	bool is_hex = size >= 2 && text[0] == '\\' && text[1] == 'x';
	uint8_t *bytes = calloc(size > 0 ? size : 1, 1);
	size_t n = 0;
	bool valid = true;

	if (bytes == NULL)
		return ribbon_error_memory();
	for (size_t i = is_hex ? 2 : 0; i < size && valid;)
	{
		if (is_hex)
		{
			valid = size - i >= 2 && ribbon_hex_digit(text[i]) >= 0 &&
				ribbon_hex_digit(text[i + 1]) >= 0;
			if (valid)
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
			valid = is_octal_byte(text + i + 1, size - i - 1);
			if (valid)
				bytes[n++] = (uint8_t) ((text[i + 1] - '0') << 6 |
										(text[i + 2] - '0') << 3 |
										(text[i + 3] - '0'));
			i += 4;
		}
	}
	if (valid)
		*key = ribbon_key_bytes(bytes, n);
	free(bytes);
	return valid ? RIBBON_SUCCESS : RIBBON_ERROR_KEY;
}

/* Bits as 0 and 1, perhaps with b before them, or as hexadecimal behind x. */
ribbon_status
ribbon_bits_key(ribbon_key *key, const char *text, size_t size)
{
	bool is_hex = size > 0 && (*text | 0x20) == 'x';
	size_t skipped = size > 0 && (is_hex || (*text | 0x20) == 'b') ? 1 : 0;
	size_t ndigits = size - skipped;
	size_t digit_bits = is_hex ? 4 : 1;
	size_t nbits;
	size_t nbytes;
	uint8_t *bytes;
	bool valid = true;

	if (ndigits > INT32_MAX / digit_bits)
		return RIBBON_ERROR_KEY;
	nbits = digit_bits * ndigits;
	nbytes = 4 + (nbits + 7) / 8;
	bytes = calloc(nbytes, 1);
	if (bytes == NULL)
		return ribbon_error_memory();
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t) (nbits >> 8 * i);
	for (size_t i = 0; i < ndigits && valid; i++)
	{
		int digit = ribbon_hex_digit(text[skipped + i]);

		valid = digit >= 0 && (is_hex || digit < 2);
		if (valid && is_hex)
			bytes[4 + i / 2] |= (uint8_t) (digit << (i % 2 == 0 ? 4 : 0));
		else if (valid)
			bytes[4 + i / 8] |= (uint8_t) (digit << (7 - i % 8));
	}
	if (valid)
		*key = ribbon_key_canonical(RIBBON_KEY_BIT, bytes, nbytes);
	free(bytes);
	return valid ? RIBBON_SUCCESS : RIBBON_ERROR_KEY;
}

ribbon_status
ribbon_few_bytes_key(ribbon_key *key, int key_type, const char *text,
					 size_t size)
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
		return RIBBON_ERROR_KEY;
	*key = ribbon_key_canonical(key_type, bytes, nbytes);
	return RIBBON_SUCCESS;
}
