/*
 * bytesread.c - keys of bytes and bits: bytea, bit, uuid, macaddr, macaddr8
 */
#include "keyread.h"

#include "keys/classes.h"

#include <stdlib.h>

/* A byte of two hexadecimal digits. */
static bool
read_byte(RibbonCursor *text, uint8_t *byte)
{
	int high = ribbon_hex_digit(ribbon_cursor_take(text));
	int low = ribbon_hex_digit(ribbon_cursor_take(text));

	*byte = (uint8_t) (high * 16 + low);
	return high >= 0 && low >= 0;
}

/*
 * Exactly so many bytes in hexadecimal.  One of the characters between, always
 * the same, may be in front of any byte but the first: *places gets a bit for
 * each byte with one, *separator the character, or 0.
 */
static bool
read_bytes(RibbonCursor *text, const char *between, uint8_t *bytes,
		   size_t nbytes, unsigned *places, char *separator)
{
	*places = 0;
	*separator = '\0';
	for (size_t i = 0; i < nbytes; i++)
	{
		char c = ribbon_cursor_next(text);

		if (i > 0 && ribbon_cursor_skip_any(text, between))
		{
			if (*separator != '\0' && c != *separator)
				return false;
			*separator = c;
			*places |= 1U << i;
		}
		if (!read_byte(text, &bytes[i]))
			return false;
	}
	return ribbon_cursor_at_end(text);
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

/* What follows a backslash: another one, or a byte of three octal digits. */
static bool
read_escaped(RibbonCursor *text, uint8_t *byte)
{
	uint64_t number = '\\';
	bool valid = ribbon_cursor_skip(text, '\\') ||
		ribbon_cursor_digits(text, 8, 3, &number) == 3;

	*byte = (uint8_t) number;
	return valid && number <= UINT8_MAX;
}

/* \x0aff; or the bytes as they are, with \\ and \ooo for some of them. */
ribbon_status
ribbon_bytesread_bytea(ribbon_key *key, RibbonCursor text)
{
	bool is_hex = ribbon_cursor_skip_word(&text, "\\x");
	uint8_t *bytes = malloc(ribbon_cursor_size(&text) + 1);
	size_t n = 0;
	bool valid = true;

	if (bytes == NULL)
		return ribbon_error_memory();
	for (; valid && !ribbon_cursor_at_end(&text); n++)
	{
		if (is_hex)
			valid = read_byte(&text, &bytes[n]);
		else if (ribbon_cursor_skip(&text, '\\'))
			valid = read_escaped(&text, &bytes[n]);
		else
			bytes[n] = (uint8_t) ribbon_cursor_take(&text);
	}
	if (valid)
		*key = ribbon_key_bytes(bytes, n);
	free(bytes);
	return valid ? RIBBON_SUCCESS : RIBBON_ERROR_KEY;
}

/* Bits as 0 and 1, perhaps with b before them, or as hexadecimal behind x. */
ribbon_status
ribbon_bytesread_bits(ribbon_key *key, RibbonCursor text)
{
	unsigned digit_bits = ribbon_cursor_skip_any(&text, "xX") ? 4 : 1;
	size_t nbits;
	size_t nbytes;
	uint8_t *bytes;
	bool valid = true;

	if (digit_bits == 1)
		(void) ribbon_cursor_skip_any(&text, "bB");
	if (ribbon_cursor_size(&text) > INT32_MAX / digit_bits)
		return RIBBON_ERROR_KEY;
	nbits = digit_bits * ribbon_cursor_size(&text);
	nbytes = 4 + (nbits + 7) / 8;
	bytes = calloc(nbytes, 1);
	if (bytes == NULL)
		return ribbon_error_memory();
	for (int i = 0; i < 4; i++)
		bytes[i] = (uint8_t) (nbits >> 8 * i);
	for (size_t bit = 0; bit < nbits && valid; bit += digit_bits)
	{
		int digit = ribbon_hex_digit(ribbon_cursor_take(&text));

		valid = digit >= 0 && digit >> digit_bits == 0;
		if (valid)
			bytes[4 + bit / 8] |= (uint8_t) (digit
											 << (8 - digit_bits - bit % 8));
	}
	if (valid)
		*key = ribbon_key_canonical(RIBBON_KEY_BIT, bytes, nbytes);
	free(bytes);
	return valid ? RIBBON_SUCCESS : RIBBON_ERROR_KEY;
}

ribbon_status
ribbon_bytesread_fixed(ribbon_key *key, int key_type, RibbonCursor text)
{
	const char *between = key_type == RIBBON_KEY_UUID ? "-" : ":-.";
	const char *first = text.at;
	uint8_t bytes[16];
	size_t nbytes = ribbon_key_class_size(key_type);
	unsigned places;
	char separator;
	bool valid;

	if (key_type == RIBBON_KEY_UUID && ribbon_cursor_size(&text) > 2 &&
		*text.at == '{' && text.end[-1] == '}')
	{
		text.at++;
		text.end--;
	}
	valid = read_bytes(&text, between, bytes, nbytes, &places, &separator);
	/* the server widens one of 6 bytes */
	if (!valid && key_type == RIBBON_KEY_MACADDR8)
	{
		text.at = first;
		valid = read_bytes(&text, between, bytes, 6, &places, &separator);
		memmove(bytes + 5, bytes + 3, 3);
		bytes[3] = 0xFF;
		bytes[4] = 0xFE;
	}
	if (!valid || !is_separated(key_type, places, separator))
		return RIBBON_ERROR_KEY;
	*key = ribbon_key_canonical(key_type, bytes, nbytes);
	return RIBBON_SUCCESS;
}
