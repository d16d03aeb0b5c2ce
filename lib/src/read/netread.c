/*
 * netread.c - keys of type inet: addresses and networks from texts
 *
 * What the server reads as an inet, or else as a cidr, to the letter: so an
 * address of version 4 may be a number of octets, or of hexadecimal digits, and
 * there are texts that hardly anyone means.
 */
#include "keyread.h"

/* The canonical form: 4 or 6, the length of the mask, the address. */
#define HEAD 2

/* A decimal number up to most; of version 6 it has no zeros in front. */
static bool
read_number(RibbonCursor *text, bool is_v6, uint64_t most, uint64_t *number)
{
	const char *first = text->at;

	return ribbon_cursor_natural(text, most, number) &&
		!(is_v6 && *first == '0' && text->at - first > 1);
}

/*
 * What is left, the length of the mask behind a slash; -1: there is none.  In
 * version 4 the server counts in 32 bits: 4294967304 is 8 to it, and 4294967295
 * none.
 */
static bool
read_mask(RibbonCursor *text, bool is_v6, int *mask)
{
	uint64_t bits = 0;
	bool valid = true;

	*mask = -1;
	if (ribbon_cursor_at_end(text))
		return true;
	if (!ribbon_cursor_skip(text, '/') || ribbon_cursor_at_end(text))
		return false;
	if (is_v6)
		valid = read_number(text, true, 128, &bits);
	else
		for (; ribbon_cursor_at_digit(text); text->at++)
			bits = (uint32_t) (bits * 10 + (uint64_t) (*text->at - '0'));
	if (bits != UINT32_MAX)
		*mask = (int) bits;
	return valid && ribbon_cursor_at_end(text) &&
		(bits == UINT32_MAX || bits <= (is_v6 ? 128 : 32));
}

/* How many octets there are, and whether there is a dot behind them all. */
static int
read_octets(RibbonCursor *text, uint8_t octets[4], bool *has_dot)
{
	int n = 0;

	*has_dot = true;
	while (n < 4 && *has_dot && ribbon_cursor_at_digit(text))
	{
		uint64_t octet;

		if (!read_number(text, false, 255, &octet))
			return 0;
		octets[n++] = (uint8_t) octet;
		*has_dot = ribbon_cursor_skip(text, '.');
	}
	return n;
}

/* How many octets are in hexadecimal digits, up to eight of them. */
static int
read_hex(RibbonCursor *text, uint8_t octets[4])
{
	uint64_t number;
	int n = (int) ribbon_cursor_digits(text, 16, 8, &number);

	number <<= 4 * (8 - n);
	for (int i = 0; i < 4; i++)
		octets[i] = (uint8_t) (number >> (24 - 8 * i));
	return (n + 1) / 2;
}

/* The length of the mask of n octets, where it is not said: by their class. */
static int
natural_mask(const uint8_t octets[4], int n)
{
	int bits = octets[0] < 128 ? 8 :
		octets[0] < 192		   ? 16 :
		octets[0] < 224		   ? 24 :
		octets[0] < 240		   ? 8 :
								 32;

	if (n == 1 && octets[0] == 224)
		return 4;
	return bits > 8 * n ? bits : 8 * n;
}

/* Are all bits behind the mask 0? */
static bool
is_network(const uint8_t octets[4], uint8_t mask)
{
	uint32_t address = (uint32_t) octets[0] << 24 | (uint32_t) octets[1] << 16 |
		(uint32_t) octets[2] << 8 | octets[3];

	return (uint32_t) ((uint64_t) address << mask) == 0;
}

static bool
read_v4(RibbonCursor *text, uint8_t *form)
{
	uint8_t *octets = form + HEAD;
	bool is_hex = ribbon_cursor_skip_word(text, "0x") ||
		ribbon_cursor_skip_word(text, "0X");
	bool has_dot = false;
	int mask;
	int n;

	form[0] = 4;
	n = is_hex ? read_hex(text, octets) : read_octets(text, octets, &has_dot);
	if (n == 0 || !read_mask(text, false, &mask))
		return false;
	form[1] = (uint8_t) (mask < 0 ? natural_mask(octets, n) : mask);
	if (is_hex) /* a cidr alone */
		return is_network(octets, form[1]);
	/* an inet alone, whose mask is within its octets */
	return !has_dot || (mask < 0 ? n == 4 : mask / 8 <= n);
}

/*
 * An address of version 4 at the end of one of version 6: up to four octets,
 * each of which may be left out in front of a dot or a slash, and is 0.
 */
static bool
read_embedded(RibbonCursor *text, uint8_t octets[4])
{
	for (int n = 0; n < 4; n++)
	{
		bool has_digits = ribbon_cursor_at_digit(text);
		uint64_t octet = 0;

		if (has_digits && !read_number(text, true, 255, &octet))
			return false;
		octets[n] = (uint8_t) octet;
		if (ribbon_cursor_at_end(text) || *text->at == '/')
			return has_digits || !ribbon_cursor_at_end(text);
		if (!ribbon_cursor_skip(text, '.'))
			return false;
	}
	return false;
}

/* Groups, each with a colon behind it but the last one, which may have none. */
static bool
read_v6(RibbonCursor *text, uint8_t *form)
{
	uint8_t bytes[16] = {0};
	int n = 0;
	int gap = -1; /* bytes in front of :: */
	int mask;

	if (ribbon_cursor_skip(text, ':') && ribbon_cursor_next(text) != ':')
		return false;
	while (!ribbon_cursor_at_end(text) && *text->at != '/')
	{
		const char *first = text->at;
		uint64_t group;
		size_t ndigits = ribbon_cursor_digits(text, 16, 4, &group);

		if (ribbon_cursor_next(text) == '.')
		{
			text->at = first;
			if (n > 12 || !read_embedded(text, bytes + n))
				return false;
			n += 4;
			break;
		}
		if (ndigits == 0 ? gap >= 0 : n == 16)
			return false;
		if (ndigits == 0)
			gap = n;
		else
		{
			bytes[n++] = (uint8_t) (group >> 8);
			bytes[n++] = (uint8_t) group;
			if (ribbon_cursor_at_end(text) || *text->at == '/')
				break;
		}
		if (!ribbon_cursor_skip(text, ':') ||
			(ribbon_cursor_at_end(text) && ndigits > 0))
			return false;
	}
	if (gap < 0 ? n != 16 : n == 16)
		return false;
	if (!read_mask(text, true, &mask))
		return false;
	form[0] = 6;
	form[1] = (uint8_t) (mask < 0 ? 128 : mask);
	if (gap < 0)
		gap = n;
	memset(form + HEAD, 0, 16);
	memcpy(form + HEAD, bytes, (size_t) gap);
	memcpy(form + HEAD + 16 - (n - gap), bytes + gap, (size_t) (n - gap));
	return true;
}

ribbon_status
ribbon_netread_key(ribbon_key *key, RibbonCursor text)
{
	uint8_t form[HEAD + 16] = {0};
	size_t size = ribbon_cursor_size(&text);
	bool is_v6 = size > 0 && memchr(text.at, ':', size) != NULL;

	if (!(is_v6 ? read_v6 : read_v4)(&text, form))
		return RIBBON_ERROR_KEY;
	*key = ribbon_key_canonical(RIBBON_KEY_INET, form, HEAD + (is_v6 ? 16 : 4));
	return RIBBON_SUCCESS;
}
