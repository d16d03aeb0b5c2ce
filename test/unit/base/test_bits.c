/*
 * test_bits.c - bits.h and row.h: the machine-level operations, against slow
 * ones
 */
#include "base/row.h"
#include "testing.h"

#include <string.h>

static void
test_mulhi(void)
{
	Random random = {1};

	test("mulhi is the upper half of the product");
	CHECK(ribbon_mulhi(UINT64_MAX, UINT64_MAX) == UINT64_MAX - 1, "max");
	CHECK(ribbon_mulhi(UINT64_C(1) << 63, 2) == 1, "2^63 * 2");
	for (int i = 0; i < 1000; i++)
	{
		uint64_t a = random_next(&random);
		unsigned shift = (unsigned) random_below(&random, 64);

		CHECK(ribbon_mulhi(a, UINT64_C(1) << shift) ==
				  (shift ? a >> (64 - shift) : 0),
			  "shift %u", shift);
	}
}

static void
test_bit_strings(void)
{
	Random random = {2};

	test("bit strings: what is stored is loaded, and nothing beside it");
	for (int i = 0; i < 20000; i++)
	{
		unsigned n = (unsigned) random_below(&random, 65);
		uint64_t at = random_below(&random, 130);
		uint64_t value = random_next(&random) & ribbon_low_mask(n);
		size_t size = (size_t) ((at + n + 7) / 8);
		uint8_t *bytes = calloc(1, size + (size == 0));
		uint64_t ones = 0;

		CHECK(ribbon_bit_length(ribbon_low_mask(n)) == n, "bit length");
		/* the block ends with the string: the sanitizer sees any over-read */
		ribbon_or_bits(bytes, at, n, value);
		CHECK(ribbon_load_bits(bytes, at, n) == value, "at %" PRIu64 " n %u",
			  at, n);
		for (size_t b = 0; b < size; b++)
			ones += (uint64_t) __builtin_popcount(bytes[b]);
		CHECK(ones == (uint64_t) __builtin_popcountll(value), "stray bits");
		free(bytes);
	}
}

/* Bit i of a row. */
static unsigned
bit128(RibbonRow128 a, unsigned i)
{
	return (unsigned) ((i < 64 ? a.lo >> i : a.hi >> (i - 64)) & 1);
}

static void
test_row128(void)
{
	Random random = {3};

	test("128-bit rows, bit by bit");
	for (int i = 0; i < 5000; i++)
	{
		RibbonRow128 a = {random_next(&random), random_next(&random)};
		RibbonRow128 b = {random_next(&random), random_next(&random)};
		unsigned n = (unsigned) random_below(&random, 128);
		RibbonRow128 pushed = ribbon_row128_set_front(ribbon_row128_push(a), 1);
		uint32_t dot = 0;

		for (unsigned k = 0; k < 128; k++)
		{
			CHECK(bit128(pushed, k) == (k ? bit128(a, k - 1) : 1), "push");
			dot ^= bit128(a, k) & bit128(b, k);
		}
		CHECK(ribbon_row128_dot(a, b) == dot, "dot");
		if (n > 0)
		{
			RibbonRow128 low = {a.lo & ribbon_low_mask(n),
								n > 64 ? a.hi & ribbon_low_mask(n - 64) : 0};
			RibbonRow128 both = ribbon_row128_append(low, n, b);

			for (unsigned k = 0; k < 128; k++)
				CHECK(bit128(both, k) ==
						  (k < n ? bit128(a, k) : bit128(b, k - n)),
					  "append");
		}
	}
}

static void
test_coefficients(void)
{
	Random random = {4};

	test("coefficient rows have bit 0 set and no bit beyond their length");
	for (int i = 0; i < 2000; i++)
	{
		uint64_t word = random_next(&random);
		unsigned n = 1 + (unsigned) random_below(&random, 64);
		RibbonRow128 wide = ribbon_row128_coeff(word, 64 + n);

		CHECK(ribbon_row64_coeff(word, n) & 1, "bit 0");
		CHECK((ribbon_row64_coeff(word, n) & ~ribbon_low_mask(n)) == 0,
			  "length");
		CHECK(wide.lo == ribbon_row64_coeff(word, 64), "low word");
		CHECK((wide.hi & ~ribbon_low_mask(n)) == 0, "length beyond 64");
		CHECK(ribbon_row128_high(wide) == wide.hi &&
				  ribbon_row64_high(wide.lo) == 0,
			  "high word");
		CHECK(ribbon_row32_coeff(word, 32) ==
				  (uint32_t) ribbon_row64_coeff(word, 64),
			  "32 bits");
	}
}
int
main(void)
{
	test_mulhi();
	test_bit_strings();
	test_row128();
	test_coefficients();
	return test_done();
}
