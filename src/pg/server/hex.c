/*
 * hex.c - from hexadecimal digits to bytes
 *
 * The server's own decoder throws, skips blanks, and does not look for
 * interrupts.
 */
#include "server/server.h"

#include "base/bits.h"
#include "miscadmin.h"

bool
ribbon_hex_decode(const char *digits, size_t ndigits, uint8_t *bytes)
{
	for (size_t i = 0; i < ndigits; i += 2)
	{
		int high = ribbon_hex_digit(digits[i]);
		int low = ribbon_hex_digit(digits[i + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[i / 2] = (uint8_t) (high << 4 | low);
		if (i % RIBBON_PIECE_BYTES == 0)
			CHECK_FOR_INTERRUPTS();
	}
	return true;
}
