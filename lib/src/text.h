/*
 * text.h - words in whichever case
 */
#ifndef RIBBON_LIB_TEXT_H
#define RIBBON_LIB_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A small letter for a large one; other characters stay. */
static inline char
ribbon_text_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
}

/* Is it this word, which is in lower case, in whichever case? */
static inline bool
ribbon_text_is_word(const char *text, size_t size, const char *word)
{
	if (size != strlen(word))
		return false;
	for (size_t i = 0; i < size; i++)
		if (ribbon_text_lower(text[i]) != word[i])
			return false;
	return true;
}

#endif /* RIBBON_LIB_TEXT_H */
