/*
 * test_canonical.c - canonical.h: what several kinds of keys are made of
 */
#include "keys/canonical.h"

#include "testing.h"

#include <limits.h>

static void
test_digits(void)
{
	static const char digits[] = "0123456789abcdef";

	test("hexadecimal digits, of either case, and what is none");
	for (int c = CHAR_MIN; c <= CHAR_MAX; c++)
	{
		const char *digit = c == 0 ? NULL : strchr(digits, c);
		const char *upper = c >= 'A' && c <= 'Z' ? strchr(digits, c + 32) :
												   NULL;
		int expected = digit != NULL ? (int) (digit - digits) :
			upper != NULL			 ? (int) (upper - digits) :
									   -1;

		CHECK(ribbon_hex_digit((char) c) == expected, "%d", c);
	}
}

static void
test_floats(void)
{
	static const double numbers[] = {0.1, -1, INFINITY, -INFINITY, 5e-324};
	uint64_t nan = UINT64_C(0x7FF8000000000000);
	uint64_t odd_bits = UINT64_C(0xFFF8000000000123);
	double odd_nan;

	test("floats: one zero, one NaN, and all others as they are");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
	{
		uint64_t bits;

		memcpy(&bits, &numbers[i], sizeof(bits));
		CHECK(ribbon_canonical_float(numbers[i]) == bits, "number %zu", i);
	}
	memcpy(&odd_nan, &odd_bits, sizeof(odd_nan));
	CHECK(ribbon_canonical_float(0.0) == 0 && ribbon_canonical_float(-0.0) == 0,
		  "zero");
	CHECK(ribbon_canonical_float(NAN) == nan &&
			  ribbon_canonical_float(odd_nan) == nan,
		  "NaN");
}

static void
test_trim(void)
{
	static const struct
	{
		const char *text;
		size_t size;
	} cases[] = {{"", 0}, {"  ", 0}, {"a ", 1}, {" a b  ", 4}, {"a\t", 2}};

	test("trailing blanks of a char(n)");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK(ribbon_canonical_trim(cases[i].text, strlen(cases[i].text)) ==
				  cases[i].size,
			  "case %zu", i);
	CHECK(ribbon_canonical_trim(NULL, 0) == 0, "nothing");
}

int
main(void)
{
	test_digits();
	test_floats();
	test_trim();
	return test_done();
}
