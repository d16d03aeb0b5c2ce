/*
 * netread.c - keys of type inet: addresses and networks from texts
 *
 * What the server reads as an inet, or else as a cidr, to the letter: so an
 * address of version 4 may be a number of octets, or of hexadecimal digits, and
 * there are texts that hardly anyone means.
 */
#include "keyread.h"
#include "parse.h"

#include "keys/canonical.h"

/* The canonical form: 4 or 6, the length of the mask, the address. */
#define HEAD 2

/* A decimal number up to most; of version 6 it has no zeros in front. */
static bool
read_number(const char **at, const char *end, bool is_v6, int most, int *number)
{
	const char *first = *at;

	*number = 0;
	for (; *at < end && ribbon_parse_is_digit(**at) && *number <= most; (*at)++)
		*number = *number * 10 + (**at - '0');
	return *at > first && *number <= most &&
		!(is_v6 && *first == '0' && *at - first > 1);
}

/*
 * Behind a slash, the length of the mask; -1: there is none.  In version 4 the
 * server counts in 32 bits: 4294967304 is 8 to it, and 4294967295 none.
 */
static bool
read_mask(const char *at, const char *end, bool is_v6, int *mask)
{
	uint32_t bits = 0;

	*mask = -1;
	if (at == end)
		return true;
	if (*at++ != '/' || at == end)
		return false;
	if (is_v6)
		return read_number(&at, end, true, 128, mask) && at == end;
	for (; at < end && ribbon_parse_is_digit(*at); at++)
		bits = bits * 10 + (uint32_t) (*at - '0');
	*mask = bits <= 32 ? (int) bits : -1;
	return at == end && (bits <= 32 || bits == UINT32_MAX);
}

/* How many octets there are, and whether there is a dot behind them all. */
static int
read_octets(const char **at, const char *end, uint8_t octets[4], bool *has_dot)
{
	int n = 0;

	*has_dot = false;
	while (n < 4 && *at < end && ribbon_parse_is_digit(**at))
	{
		int octet;

		if (!read_number(at, end, false, 255, &octet))
			return 0;
		octets[n++] = (uint8_t) octet;
		*has_dot = *at < end && **at == '.';
		if (!*has_dot)
			break;
		(*at)++;
	}
	return n;
}

/* How many octets are in hexadecimal digits, up to eight of them. */
static int
read_hex(const char **at, const char *end, uint8_t octets[4])
{
	int n = 0;

	for (; n < 8 && *at < end && ribbon_hex_digit(**at) >= 0; n++)
		octets[n / 2] |= (uint8_t) (ribbon_hex_digit(*(*at)++)
									<< (n % 2 == 0 ? 4 : 0));
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
read_v4(const char *at, const char *end, uint8_t *form)
{
	uint8_t *octets = form + HEAD;
	bool is_hex = end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x';
	bool has_dot = false;
	int mask;
	int n;

	form[0] = 4;
	if (is_hex)
		at += 2;
	n = is_hex ? read_hex(&at, end, octets) :
				 read_octets(&at, end, octets, &has_dot);
	if (n == 0 || !read_mask(at, end, false, &mask))
		return false;
	form[1] = (uint8_t) (mask < 0 ? natural_mask(octets, n) : mask);
	if (is_hex) /* a cidr alone */
		return is_network(octets, form[1]);
	/* an inet alone, whose mask is within its octets */
	return !has_dot || (mask < 0 ? n == 4 : mask / 8 <= n);
}

/* The digits of a group; so many there are, up to five. */
static int
read_group(const char **at, const char *end, int *group)
{
	int n = 0;

	*group = 0;
	for (; *at < end && ribbon_hex_digit(**at) >= 0 && n < 5; (*at)++, n++)
		*group = *group << 4 | ribbon_hex_digit(**at);
	return n;
}

/*
 * An address of version 4 at the end of one of version 6: up to four octets,
 * each of which may be left out in front of a dot or a slash, and is 0.
 */
static bool
read_embedded(const char **at, const char *end, uint8_t octets[4])
{
	for (int n = 0; n < 4; n++)
	{
		bool has_digits = *at < end && ribbon_parse_is_digit(**at);
		int octet = 0;

		if (has_digits && !read_number(at, end, true, 255, &octet))
			return false;
		octets[n] = (uint8_t) octet;
		if (*at == end || **at == '/')
			return has_digits || *at < end;
		if (*(*at)++ != '.')
			return false;
	}
	return false;
}

/* Groups, each with a colon behind it but the last one, which may have none. */
static bool
read_v6(const char *at, const char *end, uint8_t *form)
{
	uint8_t bytes[16] = {0};
	int n = 0;
	int gap = -1; /* bytes in front of :: */
	int mask;

	if (*at == ':' && (++at == end || *at != ':'))
		return false;
	while (at < end && *at != '/')
	{
		const char *first = at;
		int group;
		int ndigits = read_group(&at, end, &group);

		if (at < end && *at == '.')
		{
			at = first;
			if (n > 12 || !read_embedded(&at, end, bytes + n))
				return false;
			n += 4;
			break;
		}
		if (ndigits == 0 ? gap >= 0 : ndigits > 4 || n == 16)
			return false;
		if (ndigits == 0)
			gap = n;
		else
		{
			bytes[n++] = (uint8_t) (group >> 8);
			bytes[n++] = (uint8_t) group;
			if (at == end || *at == '/')
				break;
		}
		if (*at++ != ':' || (at == end && ndigits > 0))
			return false;
	}
	if (gap < 0 ? n != 16 : n == 16)
		return false;
	if (!read_mask(at, end, true, &mask))
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
ribbon_inet_key(ribbon_key *key, const char *text, size_t size)
{
	uint8_t form[HEAD + 16] = {0};
	bool is_v6 = size > 0 && memchr(text, ':', size) != NULL;

	if (!(is_v6 ? read_v6 : read_v4)(text, text + size, form))
		return RIBBON_ERROR_KEY;
	*key = ribbon_key_canonical(RIBBON_KEY_INET, form, HEAD + (is_v6 ? 16 : 4));
	return RIBBON_SUCCESS;
}
