/*
 * hex.c - from hexadecimal digits to bytes
 *
 * The server's own decoder throws, skips blanks, and does not look for
 * interrupts.
 */
#include "server/server.h"

#include "miscadmin.h"

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

bool
ribbon_hex_decode(const char *digits, size_t ndigits, uint8_t *bytes)
{
	for (size_t i = 0; i < ndigits; i += 2)
	{
		int high = hex_digit(digits[i]);
		int low = hex_digit(digits[i + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[i / 2] = (uint8_t) (high << 4 | low);
		if (i % RIBBON_PIECE_BYTES == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return true;
}
