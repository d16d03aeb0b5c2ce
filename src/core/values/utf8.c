/*
 * utf8.c - is it text in UTF-8?
 */
#include "values/utf8.h"

#include "base/bits.h"

#define EIGHT_ONES	UINT64_C(0x0101010101010101)
#define EIGHT_HIGHS UINT64_C(0x8080808080808080)

/* Are these eight characters of ASCII, none of which is 0? */
static inline bool
is_plain(const uint8_t *at)
{
	uint64_t eight = ribbon_load64(at);

	/* a byte of 1 .. 127 borrows nothing, and has its highest bit clear */
	return ((eight | (eight - EIGHT_ONES)) & EIGHT_HIGHS) == 0;
}

/* The bytes of the character that begins here, in front of end; or 0. */
static size_t
character_size(const uint8_t *at, const uint8_t *end)
{
	static const uint32_t least[] = {0, 1, 0x80, 0x800, 0x10000};
	uint32_t c = *at;
	size_t size = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;

	if ((c >= 0x80 && c < 0xC2) || c > 0xF4 || (size_t) (end - at) < size)
		return 0;
	if (size > 1)
		c &= 0x7F >> size;
	for (size_t i = 1; i < size; i++)
	{
		if ((at[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (at[i] & 0x3F);
	}
	if (c < least[size] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
		return 0;
	return size;
}

bool
ribbon_is_utf8(const char *text, size_t size)
{
	const uint8_t *at = (const uint8_t *) text;
	const uint8_t *end = at + size;

	while (at < end)
	{
		size_t step = end - at >= 8 && is_plain(at) ? 8 :
													  character_size(at, end);

		if (step == 0)
			return false;
		at += step;
	}
	return true;
}
