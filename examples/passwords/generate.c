/*
 * generate.c - a made-up list of leaked passwords, in the lists' format
 *
 * usage: generate NUMBER [FIRST [LAST]]
 *
 * Of a list of so many lines it prints lines FIRST .. LAST - 1 (all of them):
 * 40 hexadecimal digits in order, a colon, a count, CR LF, as the lists of
 * haveibeenpwned.com are.  Counts are as uneven as there: half are 1, a tenth
 * is 10 or more.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* SplitMix64's mixer. */
static uint64_t
mix(uint64_t z)
{
	z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
	return z ^ z >> 31;
}

static char *
put_hex(char *to, uint64_t number, int digits)
{
	for (int i = digits - 1; i >= 0; i--)
		*to++ = "0123456789ABCDEF"[number >> 4 * i & 15];
	return to;
}

int
main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? (uint64_t) atof(argv[1]) : 1000000;
	uint64_t first = argc > 2 ? (uint64_t) atof(argv[2]) : 0;
	uint64_t last = argc > 3 ? (uint64_t) atof(argv[3]) : n;
	uint64_t step = n > 0 ? UINT64_MAX / n : 0;
	char line[80];

	for (uint64_t i = first; i < last; i++)
	{
		uint64_t random = mix(i + 1);
		uint64_t count = UINT64_MAX / (mix(random) | 1);
		char *end = put_hex(line, i * step + random % step, 16);

		end = put_hex(end, mix(~random), 16);
		end = put_hex(end, random, 8);
		end += sprintf(end, ":%llu\r\n",
					   (unsigned long long) (count < 50000000 ? count :
																50000000));
		if (fwrite(line, 1, (size_t) (end - line), stdout) !=
			(size_t) (end - line))
			return 1;
	}
	return fflush(stdout) != 0;
}
