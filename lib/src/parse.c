/*
 * parse.c - what texts are made of: words, numbers, blanks
 */
#define _GNU_SOURCE /* newlocale */
#include "parse.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

static inline bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

void
ribbon_parse_trim(const char **text, size_t *size)
{
	while (*size > 0 && is_blank(**text))
	{
		(*text)++;
		(*size)--;
	}
	while (*size > 0 && is_blank((*text)[*size - 1]))
		(*size)--;
}

const char *
ribbon_parse_show(const char *text, size_t size, char *shown)
{
	size_t n = size < RIBBON_SHOWN ? size : RIBBON_SHOWN - 3;

	for (size_t i = 0; i < n; i++)
	{
		unsigned char c = (unsigned char) text[i];

		shown[i] = c < ' ' || c == 0x7F ? '?' : text[i];
		/* in UTF-8, U+0080 to U+009F, too */
		if (i > 0 && shown[i - 1] == '\xC2' && c >= 0x80 && c < 0xA0)
			shown[i - 1] = shown[i] = '?';
	}
	while (n > 0 && n < size && ((unsigned char) text[n] & 0xC0) == 0x80)
		n--;
	memcpy(shown + n, n < size ? "..." : "", n < size ? 4 : 1);
	return shown;
}

bool
ribbon_parse_is_word(const char *text, size_t size, const char *word)
{
	if (size != strlen(word))
		return false;
	for (size_t i = 0; i < size; i++)
		if (ribbon_parse_lower(text[i]) != word[i])
			return false;
	return true;
}

bool
ribbon_parse_unsigned(const char *text, size_t size, uint64_t most,
					  uint64_t *number)
{
	uint64_t sum = 0;

	if (size == 0)
		return false;
	for (size_t i = 0; i < size; i++)
	{
		unsigned digit = (unsigned char) text[i] - (unsigned) '0';

		if (digit > 9 || sum > (most - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*number = sum;
	return true;
}

bool
ribbon_parse_integer(const char *text, size_t size, int64_t *number)
{
	bool is_signed = size > 0 && (text[0] == '-' || text[0] == '+');
	bool is_negative = is_signed && text[0] == '-';
	uint64_t magnitude;

	if (!ribbon_parse_unsigned(text + is_signed, size - is_signed,
							   (uint64_t) INT64_MAX + is_negative, &magnitude))
		return false;
	*number = (int64_t) (is_negative ? 0 - magnitude : magnitude);
	return true;
}

/* Numbers are read alike whatever the locale of the program is. */
static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void
make_c_locale(void)
{
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
}

bool
ribbon_parse_float(const char *text, size_t size, double *number)
{
	char copy[512];
	char *end;
	locale_t old;

	if (size == 0 || size >= sizeof(copy) || is_blank(text[0]) ||
		memchr(text, '(', size) != NULL)
		return false;
	memcpy(copy, text, size);
	copy[size] = '\0';
	(void) pthread_once(&c_locale_once, make_c_locale);
	if (c_locale == (locale_t) 0)
		return false;
	old = uselocale(c_locale);
	errno = 0;
	*number = strtod(copy, &end);
	(void) uselocale(old);
	return end == copy + size &&
		(errno != ERANGE || (*number != 0 && !isinf(*number)));
}
