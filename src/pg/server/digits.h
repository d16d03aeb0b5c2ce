/*
 * digits.h - hexadecimal and base64 digits: faster than the server's functions,
 * and in pieces, so that a query can be cancelled between them
 */
#ifndef RIBBON_DIGITS_H
#define RIBBON_DIGITS_H

#include "ribbon_pg.h"

/*
 * Bytes that are gone through between two checks for interrupts, where that
 * takes long; even.
 */
#define RIBBON_PIECE_BYTES (8 * 1024 * 1024)

/* ndigits is even.  False if there is anything but hexadecimal digits. */
extern bool ribbon_hex_decode(const char *digits, size_t ndigits,
							  uint8_t *bytes);

/* The digits of so many bytes. */
#define RIBBON_BASE64_DIGITS(nbytes) (((nbytes) + 2) / 3 * 4)

/* Returns the end of the digits, which are not terminated. */
extern char *ribbon_base64_encode(const uint8_t *bytes, size_t nbytes,
								  char *digits);

/*
 * There must be room for 3 bytes for each 4 digits.  Returns the end of the
 * bytes; NULL if there is anything but the digits that are written for them.
 */
extern uint8_t *ribbon_base64_decode(const char *digits, size_t ndigits,
									 uint8_t *bytes);

#endif /* RIBBON_DIGITS_H */
