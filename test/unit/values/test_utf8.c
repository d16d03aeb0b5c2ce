/*
 * test_utf8.c - what is text in UTF-8, and what is not
 */
#include "testing.h"
#include "values/utf8.h"

#include <string.h>

/* Put a number into UTF-8's form for n bytes, whether or not it may have it. */
static void
put(uint32_t c, int n, char *out)
{
	static const uint8_t first[] = {0, 0, 0xC0, 0xE0, 0xF0};

	if (n == 1)
	{
		out[0] = (char) c;
		return;
	}
	for (int i = n - 1; i > 0; i--, c >>= 6)
		out[i] = (char) (0x80 | (c & 0x3F));
	out[0] = (char) (first[n] | c);
}

static bool
is_character(uint32_t c, int n)
{
	static const uint32_t least[] = {0, 1, 0x80, 0x800, 0x10000, 0x110000};

	return c >= least[n] && c < least[n + 1] && !(c >= 0xD800 && c < 0xE000);
}

static void
test_characters(void)
{
	static const uint32_t ends[] = {0, 0x80, 0x800, 0x10000, 0x200000};

	test("each character in one form, and no other number, in any place");
	for (int n = 1; n <= 4; n++)
		for (uint32_t c = 0; c < ends[n]; c += 1 + (c >= 0x12000 ? 61 : 0))
			for (size_t at = 0; at <= 9; at += 9)
			{
				char text[32];

				memset(text, 'a', sizeof(text));
				put(c, n, text + at);
				CHECK(ribbon_is_utf8(text, sizeof(text)) == is_character(c, n),
					  "U+%" PRIX32 " in %d bytes", c, n);
			}
}

static void
test_pieces(void)
{
	static const char text[] = "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80z";
	static const uint8_t wrong[] = {0x00, 0x80, 0xBF, 0xC0, 0xC1,
									0xF5, 0xF8, 0xFE, 0xFF};
	static const bool whole[] = {true,	false, true,  false, false, true,
								 false, false, false, true,	 true};

	test("a text ends with a character");
	for (size_t size = 0; size <= 10; size++)
	{
		char *copy = malloc(size > 0 ? size : 1); /* nothing behind is read */

		memcpy(copy, text, size);
		CHECK(ribbon_is_utf8(copy, size) == whole[size], "%zu bytes", size);
		free(copy);
	}

	test("bytes that begin no character are seen in any place");
	for (size_t i = 0; i < sizeof(wrong); i++)
		for (size_t at = 0; at < 24; at++)
		{
			char bytes[24];

			memset(bytes, 'x', sizeof(bytes));
			bytes[at] = (char) wrong[i];
			CHECK(!ribbon_is_utf8(bytes, sizeof(bytes)), "%x at %zu", wrong[i],
				  at);
		}
}

int
main(void)
{
	test_characters();
	test_pieces();
	return test_done();
}
