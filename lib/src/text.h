/*
 * text.h - texts: words in whichever case, and what messages show of a text
 */
#ifndef RIBBON_LIB_TEXT_H
#define RIBBON_LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A small letter for a large one; other characters stay. */
static inline char
ribbon_text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
}

/* Is it this word, which is in lower case, in whichever case? */
extern bool ribbon_text_is_word(const char *text, size_t size,
								const char *word);

/*
 * A text as a message shows it, in shown[0..RIBBON_SHOWN]: not too long, and
 * nothing that a terminal would obey.
 */
#define RIBBON_SHOWN 60
extern const char *ribbon_text_show(const char *text, size_t size, char *shown);

#endif /* RIBBON_LIB_TEXT_H */
