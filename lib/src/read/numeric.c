/*
 * numeric.c - keys of type numeric: the shortest text of a number's value
 */
#include "keyread.h"

#include <stdlib.h>

/* PostgreSQL's limits: digits before and behind the point, and an exponent. */
#define MAX_WHOLE	 131072
#define MAX_FRACTION 16383
#define MAX_EXPONENT (INT32_MAX / 2)

/* The digits of a numeric, where they stand, and where its point is. */
typedef struct Digits
{
	const char *first; /* that is no zero; a point may be among them */
	size_t n;		   /* up to the last that is no zero */
	int64_t point;	   /* the point is behind so many of them */
	bool is_negative;
} Digits;

/* Read sign, digits, point and exponent; false if it is none. */
static bool
read_digits(RibbonCursor *text, Digits *number)
{
	bool any = false;
	bool behind = false;
	int64_t n = 0;	   /* digits from the first on */
	int64_t scale = 0; /* digits behind the point, zeros at the end too */
	int64_t exponent = 0;

	*number = (Digits){.is_negative = ribbon_cursor_skip_sign(text)};
	for (;; text->at++)
	{
		if (ribbon_cursor_next(text) == '.' && !behind)
			behind = true;
		else if (ribbon_cursor_at_digit(text))
		{
			any = true;
			scale += behind;
			if (number->first == NULL && *text->at != '0')
				number->first = text->at;
			n += number->first != NULL;
			if (*text->at != '0')
				number->n = (size_t) n;
		}
		else
			break;
	}
	if (ribbon_cursor_skip_any(text, "eE") &&
		(!ribbon_cursor_integer(text, &exponent) || exponent <= -MAX_EXPONENT ||
		 exponent >= MAX_EXPONENT))
		return false;
	scale -= exponent;
	number->point = n > 0 ? n - scale : 0;
	return any && ribbon_cursor_at_end(text) && number->point <= MAX_WHOLE &&
		scale <= MAX_FRACTION;
}

static char
take_digit(const char **digit)
{
	*digit += **digit == '.';
	return *(*digit)++;
}

/* The canonical text of a number: no exponent, no zero that may be left out. */
static size_t
write_digits(const Digits *number, char *out)
{
	const char *digit = number->first;
	char *at = out;
	int64_t n = (int64_t) number->n;

	if (n == 0)
	{
		*out = '0';
		return 1;
	}
	if (number->is_negative)
		*at++ = '-';
	if (number->point <= 0)
		*at++ = '0';
	for (int64_t i = 0; i < number->point; i++)
		*at++ = i < n ? take_digit(&digit) : '0';
	if (n > number->point)
		*at++ = '.';
	for (int64_t i = number->point; i < n; i++)
		*at++ = i < 0 ? '0' : take_digit(&digit);
	return (size_t) (at - out);
}

ribbon_status
ribbon_numeric_shortest(RibbonCursor text, char **shortest, size_t *length)
{
	Digits number;

	*shortest = NULL;
	if (!read_digits(&text, &number))
		return RIBBON_ERROR_KEY;
	*shortest = malloc(number.n + (size_t) llabs(number.point) + 4);
	if (*shortest == NULL)
		return ribbon_error_memory();
	*length = write_digits(&number, *shortest);
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_numeric_key(ribbon_key *key, RibbonCursor text)
{
	RibbonCursor word = text;
	bool is_negative = ribbon_cursor_skip_sign(&word);
	ribbon_status status = RIBBON_SUCCESS;
	char *shortest;
	size_t length;

	if (ribbon_cursor_is_word(&text, "nan"))
		*key = ribbon_key_canonical(RIBBON_KEY_NUMERIC, "NaN", 3);
	else if (ribbon_cursor_is_word(&word, "infinity") ||
			 ribbon_cursor_is_word(&word, "inf"))
		*key = is_negative ?
			ribbon_key_canonical(RIBBON_KEY_NUMERIC, "-Infinity", 9) :
			ribbon_key_canonical(RIBBON_KEY_NUMERIC, "Infinity", 8);
	else
	{
		status = ribbon_numeric_shortest(text, &shortest, &length);
		if (status == RIBBON_SUCCESS)
			*key = ribbon_key_canonical(RIBBON_KEY_NUMERIC, shortest, length);
		free(shortest);
	}
	return status;
}
