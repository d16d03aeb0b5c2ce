/*
 * text.c - texts: words in whichever case, and what messages show of a text
 */
#include "text.h"

#include <string.h>

bool
ribbon_text_is_word(const char *text, size_t size, const char *word)
{
	if (size != strlen(word))
		return false;
	for (size_t i = 0; i < size; i++)
		if (ribbon_text_lower(text[i]) != word[i])
			return false;
	return true;
}

const char *
ribbon_text_show(const char *text, size_t size, char *shown)
{
	size_t n = size <= RIBBON_SHOWN ? size : RIBBON_SHOWN - 3;

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
