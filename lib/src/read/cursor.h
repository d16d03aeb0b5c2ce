/*
 * cursor.h - what is still to be read of a text, and how readers go on in it
 *
 * A reader of a whole text has a cursor of its own, by value; verbs within the
 * text take its address.
 *
 * A verb that finds what it looks for goes on behind it.  One that skips stays
 * where it is otherwise; one that reads a number may have passed some digits
 * then: the text is none.
 */
#ifndef RIBBON_LIB_CURSOR_H
#define RIBBON_LIB_CURSOR_H

#include "src/text.h"

#include "keys/canonical.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct RibbonCursor
{
	const char *at;
	const char *end;
} RibbonCursor;

static inline size_t
ribbon_cursor_size(const RibbonCursor *text)
{
	return (size_t) (text->end - text->at);
}

static inline bool
ribbon_cursor_at_end(const RibbonCursor *text)
{
	return text->at == text->end;
}

/* The next character; at the end 0, which no form has. */
static inline char
ribbon_cursor_next(const RibbonCursor *text)
{
	return text->at < text->end ? *text->at : '\0';
}

/* The same, and go on behind it. */
static inline char
ribbon_cursor_take(RibbonCursor *text)
{
	return text->at < text->end ? *text->at++ : '\0';
}

/* Is the next character a decimal digit? */
static inline bool
ribbon_cursor_at_digit(const RibbonCursor *text)
{
	char c = ribbon_cursor_next(text);

	return c >= '0' && c <= '9';
}

/* Is all that is left this word, which is in lower case, in whichever case? */
static inline bool
ribbon_cursor_is_word(const RibbonCursor *text, const char *word)
{
	return ribbon_text_is_word(text->at, ribbon_cursor_size(text), word);
}

/* Skip the next character, if it is this one. */
static inline bool
ribbon_cursor_skip(RibbonCursor *text, char c)
{
	if (text->at == text->end || *text->at != c)
		return false;
	text->at++;
	return true;
}

/* Skip a sign, if there is one: is it a minus? */
static inline bool
ribbon_cursor_skip_sign(RibbonCursor *text)
{
	bool is_negative = ribbon_cursor_skip(text, '-');

	if (!is_negative)
		(void) ribbon_cursor_skip(text, '+');
	return is_negative;
}

/* Skip these letters, if they are next, as they are. */
static inline bool
ribbon_cursor_skip_word(RibbonCursor *text, const char *word)
{
	size_t size = strlen(word);

	if (ribbon_cursor_size(text) < size || memcmp(text->at, word, size) != 0)
		return false;
	text->at += size;
	return true;
}

/* Skip the next character, if it is one of these. */
static inline bool
ribbon_cursor_skip_any(RibbonCursor *text, const char *characters)
{
	for (; *characters != '\0'; characters++)
		if (ribbon_cursor_skip(text, *characters))
			return true;
	return false;
}

/*
 * The digits of a number in base 8, 10 or 16, up to most of them, at most 16:
 * how many there are.
 */
static inline size_t
ribbon_cursor_digits(RibbonCursor *text, int base, size_t most,
					 uint64_t *number)
{
	const char *at = text->at;
	uint64_t sum = 0;
	size_t n = 0;

	for (; n < most && at < text->end; n++, at++)
	{
		int digit = base > 10 ? ribbon_hex_digit(*at) : *at - '0';

		if (digit < 0 || digit >= base)
			break;
		sum = sum * (unsigned) base + (unsigned) digit;
	}
	text->at = at;
	*number = sum;
	return n;
}

/* A decimal number up to most, with any number of digits. */
extern bool ribbon_cursor_natural(RibbonCursor *text, uint64_t most,
								  uint64_t *number);

/* The same with a sign, or none. */
extern bool ribbon_cursor_integer(RibbonCursor *text, int64_t *number);

/* What is behind a point: one to six digits, as millionths. */
extern bool ribbon_cursor_millionths(RibbonCursor *text, int64_t *millionths);

/* 1 if all that is left is "infinity", -1 if it is "-infinity"; else 0. */
extern int ribbon_cursor_infinity(const RibbonCursor *text);

/* A text without the blanks at both ends, which do not count. */
extern RibbonCursor ribbon_cursor_trimmed(const char *text, size_t size);

#endif /* RIBBON_LIB_CURSOR_H */
