/*
 * numbers.c - digits, and counts, sizes and rates as options have them
 */
#include "numbers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool
parse_count(const char *text, uint64_t most, uint64_t *number)
{
	uint64_t sum = 0;

	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++)
	{
		unsigned digit = (unsigned char) *text - (unsigned) '0';

		if (digit > 9 || sum > (most - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*number = sum;
	return true;
}

bool
parse_size(const char *text, uint64_t *size)
{
	static const struct
	{
		const char *name;
		unsigned shift;
	} units[] = {{"B", 0},	{"K", 10},	{"kB", 10}, {"M", 20}, {"MB", 20},
				 {"G", 30}, {"GB", 30}, {"T", 40},	{"TB", 40}};
	char digits[24];
	size_t n = strspn(text, "0123456789");
	const char *unit = text + n + strspn(text + n, " ");

	if (n == 0 || n >= sizeof(digits))
		return false;
	memcpy(digits, text, n);
	digits[n] = '\0';
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcasecmp(unit, units[i].name) == 0)
		{
			if (!parse_count(digits, UINT64_MAX >> units[i].shift, size))
				return false;
			*size <<= units[i].shift;
			return true;
		}
	return false;
}

bool
parse_rate(const char *text, double *rate)
{
	char *end;
	double number = strtod(text, &end);

	if (end != text && *end == '/')
	{
		const char *below = end + 1;

		number /= strtod(below, &end);
		if (end == below)
			return false;
	}
	else if (end != text && strcmp(end, "%") == 0)
	{
		number /= 100;
		end++;
	}
	*rate = number;
	return end != text && *end == '\0';
}
