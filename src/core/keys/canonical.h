/*
 * canonical.h - what the server and libribbon both need to make canonical bytes
 *
 * Each makes them from what it has.  docs/canonical.md has the bytes that come
 * out, class by class.
 */
#ifndef RIBBON_CANONICAL_H
#define RIBBON_CANONICAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a value of jsonb is: the first byte of its form. */
enum
{
	RIBBON_JSON_NULL,
	RIBBON_JSON_FALSE,
	RIBBON_JSON_TRUE,
	RIBBON_JSON_NUMBER,
	RIBBON_JSON_STRING,
	RIBBON_JSON_ARRAY,
	RIBBON_JSON_OBJECT
};

/* The number that is the form of a float: there is one zero, and one NaN. */
static inline uint64_t
ribbon_canonical_float(double number)
{
	uint64_t bits;

	if (number == 0)
		return 0;
	memcpy(&bits, &number, sizeof(bits));
	return number == number ? bits : UINT64_C(0x7FF8000000000000);
}

/* The size of a char(n) without trailing blanks, which do not count. */
static inline size_t
ribbon_canonical_trim(const char *text, size_t size)
{
	while (size > 0 && text[size - 1] == ' ')
		size--;
	return size;
}

/* What a hexadecimal digit is worth, or -1. */
static inline int
ribbon_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif /* RIBBON_CANONICAL_H */
