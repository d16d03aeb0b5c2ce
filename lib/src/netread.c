/*
 * netread.c - keys of type inet: addresses and networks from texts
 *
 * What the server reads as an inet, or else as a cidr, but for hexadecimal
 * digits of the latter.
 */
#include "parse.h"

#include "keys/canonical.h"

/* 4 or 6, mask length, the address */
#define HEAD 2

/* A decimal number up to most, of whatever length. */
static bool
read_number(const char **at, const char *end, int most, int *number)
{
	const char *first = *at;

	*number = 0;
	for (; *at < end && ribbon_parse_is_digit(**at) && *number <= most; (*at)++)
		*number = *number * 10 + (**at - '0');
	return *at > first && *number <= most;
}

/*
 * One to four octets; so many are read, and the others are 0.  In an address of
 * version 6 they have no zeros in front.
 */
static bool
read_octets(const char **at, const char *end, bool is_v6, uint8_t octets[4],
			int *n)
{
	for (*n = 0; *n < 4; (*n)++)
	{
		const char *first;
		int octet;

		if (*n > 0 && (*at == end || **at == '/'))
			return true;
		if (*n > 0 && *(*at)++ != '.')
			return false;
		first = *at;
		if (!read_number(at, end, 255, &octet) ||
			(is_v6 && *first == '0' && *at - first > 1))
			return false;
		octets[*n] = (uint8_t) octet;
	}
	return true;
}

/*
 * Behind a slash, the length of the mask; without it, what *mask has.  Of
 * version 6 it has no zeros in front.
 */
static bool
read_mask(const char *at, const char *end, int most, uint8_t *mask)
{
	int number = *mask;

	if (end - at > 2 && at[1] == '0' && most == 128)
		return false;
	if (at < end &&
		(*at++ != '/' || !read_number(&at, end, most, &number) || at != end))
		return false;
	*mask = (uint8_t) number;
	return true;
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

static bool
read_v4(const char *at, const char *end, uint8_t *form)
{
	int n;

	form[0] = 4;
	if (!read_octets(&at, end, false, form + HEAD, &n))
		return false;
	form[1] = (uint8_t) natural_mask(form + HEAD, n);
	return read_mask(at, end, 32, &form[1]);
}

/* Four hexadecimal digits at most. */
static bool
read_group(const char **at, const char *end, int *group)
{
	const char *first = *at;

	*group = 0;
	for (; *at < end && ribbon_hex_digit(**at) >= 0 && *at - first < 4; (*at)++)
		*group = *group << 4 | ribbon_hex_digit(**at);
	return *at > first && (*at == end || ribbon_hex_digit(**at) < 0);
}

/* The eight groups; the last two may be written as an address of version 4. */
static bool
read_v6(const char *at, const char *end, uint8_t *form)
{
	uint8_t bytes[16];
	int n = 0;
	int gap = -1; /* bytes in front of :: */

	while (at < end && *at != '/')
	{
		const char *first = at;
		int group;
		int noctets;

		if (end - at >= 2 && at[0] == ':' && at[1] == ':')
		{
			if (gap >= 0)
				return false;
			gap = n;
			at += 2;
			continue;
		}
		if (n > 0 && n != gap && *at++ != ':')
			return false;
		first = at;
		if (n > 14 || !read_group(&at, end, &group))
			return false;
		if (at < end && *at == '.')
		{
			at = first;
			if (n > 12 || !read_octets(&at, end, true, bytes + n, &noctets) ||
				noctets < 4 || (at < end && *at != '/'))
				return false;
			n += 4;
			break;
		}
		bytes[n++] = (uint8_t) (group >> 8);
		bytes[n++] = (uint8_t) group;
	}
	if (gap < 0 ? n != 16 : n == 16)
		return false;
	form[0] = 6;
	form[1] = 128;
	if (gap < 0)
		gap = n;
	memset(form + HEAD, 0, 16);
	memcpy(form + HEAD, bytes, (size_t) gap);
	memcpy(form + HEAD + 16 - (n - gap), bytes + gap, (size_t) (n - gap));
	return read_mask(at, end, 128, &form[1]);
}

bool
ribbon_inet_key(ribbon_key *key, const char *text, size_t size)
{
	uint8_t form[HEAD + 16] = {0};
	bool is_v6 = size > 0 && memchr(text, ':', size) != NULL;

	if (!(is_v6 ? read_v6 : read_v4)(text, text + size, form))
		return false;
	*key = ribbon_key_canonical(RIBBON_KEY_INET, form, HEAD + (is_v6 ? 16 : 4));
	return true;
}
