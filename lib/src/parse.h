/*
 * parse.h - what texts of keys and values are made of: words, numbers, blanks
 */
#ifndef RIBBON_LIB_PARSE_H
#define RIBBON_LIB_PARSE_H

#include "internal.h"

/* A decimal number, with or without sign, and nothing else. */
extern bool ribbon_parse_integer(const char *text, size_t size,
								 int64_t *number);

/*
 * The same of a natural number up to most; and a number as strtod reads it, but
 * nan(...), of which the server takes some.
 */
extern bool ribbon_parse_unsigned(const char *text, size_t size, uint64_t most,
								  uint64_t *number);
extern bool ribbon_parse_float(const char *text, size_t size, double *number);

/* Blanks around a text do not count. */
extern void ribbon_parse_trim(const char **text, size_t *size);

/*
 * A text as a message shows it, in shown[0..RIBBON_SHOWN]: not too long, and
 * nothing that a terminal would obey.
 */
#define RIBBON_SHOWN 60
extern const char *ribbon_parse_show(const char *text, size_t size,
									 char *shown);

static inline bool
ribbon_parse_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A small letter for a large one; other characters stay. */
static inline char
ribbon_parse_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
}

/* Is it this word, which is in lower case, in whichever case? */
extern bool ribbon_parse_is_word(const char *text, size_t size,
								 const char *word);

#endif /* RIBBON_LIB_PARSE_H */
