/*
 * cursor.c - numbers and blanks, which several forms of texts have
 */
#include "cursor.h"

bool
ribbon_cursor_natural(RibbonCursor *text, uint64_t most, uint64_t *number)
{
	const char *first = text->at;
	const char *at = first;
	uint64_t sum = 0;

	for (; at < text->end; at++)
	{
		unsigned digit = (unsigned char) *at - (unsigned) '0';

		if (digit > 9)
			break;
		if (sum > most / 10 || digit > most - sum * 10)
			return false;
		sum = sum * 10 + digit;
	}
	text->at = at;
	*number = sum;
	return at > first;
}

bool
ribbon_cursor_integer(RibbonCursor *text, int64_t *number)
{
	bool is_negative = ribbon_cursor_skip_sign(text);
	uint64_t magnitude;

	if (!ribbon_cursor_natural(text, (uint64_t) INT64_MAX + is_negative,
							   &magnitude))
		return false;
	*number = (int64_t) (is_negative ? 0 - magnitude : magnitude);
	return true;
}

bool
ribbon_cursor_millionths(RibbonCursor *text, int64_t *millionths)
{
	uint64_t number;
	size_t n = ribbon_cursor_digits(text, 10, 6, &number);

	if (n == 0 || ribbon_cursor_at_digit(text))
		return false;
	for (; n < 6; n++)
		number *= 10;
	*millionths = (int64_t) number;
	return true;
}

int
ribbon_cursor_infinity(const RibbonCursor *text)
{
	if (ribbon_cursor_is_word(text, "infinity"))
		return 1;
	return ribbon_cursor_is_word(text, "-infinity") ? -1 : 0;
}

static inline bool
is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

RibbonCursor
ribbon_cursor_trimmed(const char *text, size_t size)
{
	RibbonCursor trimmed = {text, text + size};

	while (trimmed.at < trimmed.end && is_blank(*trimmed.at))
		trimmed.at++;
	while (trimmed.at < trimmed.end && is_blank(trimmed.end[-1]))
		trimmed.end--;
	return trimmed;
}
