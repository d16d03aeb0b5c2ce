/*
 * test_power.c - power.c: close to the exact values, and the same bits
 * everywhere
 */
#include "base/power.h"

#include "format/result_bits.h"
#include "testing.h"

#include <float.h>
#include <string.h>

/* How far a value is from the exact one, in units of its own last bit. */
static double
units_off(double value, long double exact)
{
	double next = nextafter(fabs(value), HUGE_VAL);

	return (double) (fabsl((long double) value - exact) /
					 ((long double) next - fabs(value)));
}

static uint64_t
bits_of_double(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

/* A number between low and high, all places alike. */
static double
random_between(Random *random, double low, double high)
{
	return low +
		(high - low) * ((double) (random_next(random) >> 11) * 0x1p-53);
}

static void
test_bounds(void)
{
	/* where long doubles are doubles, libm's own error comes on top */
	double unsure = LDBL_MANT_DIG > DBL_MANT_DIG ? 0 : 1;
	Random random = {1};
	double worst = 0;

	test("2^x is right to two units");
	for (int i = 0; i < 1000000; i++)
	{
		double x = i % 2 == 0 ? random_between(&random, -1022, 1023) :
								random_between(&random, -40, 1);

		worst = fmax(worst, units_off(ribbon_exp2(x), exp2l(x)));
	}
	CHECK(worst <= 2 + unsure, "%g units off", worst);

	test("log2(x) is right to three units");
	worst = 0;
	for (int i = 0; i < 1000000; i++)
	{
		double x = i % 3 == 0 ? random_between(&random, 0.5, 2) :
			i % 3 == 1		  ? random_between(&random, 0x1p-32, 1) :
								exp2(random_between(&random, -1022, 1023));

		worst = fmax(worst, units_off(ribbon_log2(x), log2l(x)));
	}
	CHECK(worst <= 3 + unsure, "%g units off", worst);
}

static void
test_exact(void)
{
	Random random = {2};

	test("whole powers of two are exact");
	for (int e = -1022; e <= 1023; e++)
	{
		double power = ldexp(1, e);
		int exponent;

		CHECK(ribbon_power_of_two(e) == power, "2^%d", e);
		CHECK(ribbon_exp2(e) == power, "2^%d", e);
		CHECK(ribbon_log2(power) == e, "2^%d", e);
		CHECK(ribbon_split_power(power, &exponent) == 0.5 && exponent == e + 1,
			  "2^%d", e);
	}
	CHECK(ribbon_exp2(-1022.5) == 0 && ribbon_exp2(-1e18) == 0, "underflow");

	test("numbers come apart into mantissa and exponent");
	for (int i = 0; i < 100000; i++)
	{
		double x = exp2(random_between(&random, -1022, 1023));
		int exponent, expected;

		CHECK(ribbon_split_power(x, &exponent) == frexp(x, &expected) &&
				  exponent == expected,
			  "%a", x);
	}
}

/* These come from one machine, and all must agree. */
static void
test_golden(void)
{
	static const struct
	{
		double x;
		uint64_t exp2;
		uint64_t log2;
	} values[] = {
		{0x1p-32, UINT64_C(0x3FEFFFFFFFE9D1BD), UINT64_C(0xC040000000000000)},
		{0x1p-10, UINT64_C(0x3FEFFA74EA381EFC), UINT64_C(0xC024000000000000)},
		{0x1.47ae147ae147bp-7, UINT64_C(0x3FEFC769E9B9C35E),
		 UINT64_C(0xC01A934F0979A371)},
		{0x1.999999999999ap-4, UINT64_C(0x3FEDDB680117AB12),
		 UINT64_C(0xC00A934F0979A371)},
		{0x1.6a09e667f3bccp-1, UINT64_C(0x3FE399FCD9D73038),
		 UINT64_C(0xBFE0000000000002)},
		{0x1.6a09e667f3bcdp-1, UINT64_C(0x3FE399FCD9D73038),
		 UINT64_C(0xBFDFFFFFFFFFFFFE)},
		{0x1.fffffffffffffp-1, UINT64_C(0x3FE0000000000000),
		 UINT64_C(0xBCA71547652B82FE)},
		{0x1.0000000000001p+0, UINT64_C(0x3FDFFFFFFFFFFFFF),
		 UINT64_C(0x3CB71547652B82FE)},
		{0x1.6a09e667f3bcdp+0, UINT64_C(0x3FD8038288C11F8F),
		 UINT64_C(0x3FE0000000000001)},
		{0x1.a934f0979a371p+2, UINT64_C(0x3F847AE147AE147C),
		 UINT64_C(0x4005DB2DBEC0456F)},
		{0x1.fffcp+4, UINT64_C(0x3DF002C605E2E8CF),
		 UINT64_C(0x4013FFF47550C2B7)},
		{0x1.5e0cccccccccdp+9, UINT64_C(0x142DDB680117AA8E),
		 UINT64_C(0x4022E720279ED047)},
	};
	Random random = {3};
	uint64_t sum = 0;

	test("the same bits on every machine");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
	{
		uint64_t power = bits_of_double(ribbon_exp2(-values[i].x));
		uint64_t logarithm = bits_of_double(ribbon_log2(values[i].x));

		CHECK(power == values[i].exp2, "%a: 0x%016" PRIX64, values[i].x, power);
		CHECK(logarithm == values[i].log2, "%a: 0x%016" PRIX64, values[i].x,
			  logarithm);
	}
	for (int i = 0; i < 1000000; i++)
	{
		double x = random_between(&random, -64, 64);

		sum = ribbon_mix(sum ^ bits_of_double(ribbon_exp2(x)));
		sum = ribbon_mix(sum ^ bits_of_double(ribbon_log2(x * x + 0x1p-60)));
	}
	CHECK(sum == UINT64_C(0x17BC6E169C48864E), "0x%016" PRIX64, sum);
}

static void
test_stated(void)
{
	test("a stated P is read as it was written, and they are in order");
	for (unsigned q = 0; q < RIBBON_NOT_DEPENDENT; q++)
	{
		double p = ribbon_dependence_decode(q);

		CHECK(ribbon_dependence_encode(p) == q, "%u", q);
		CHECK(p > ribbon_dependence_decode(q + 1), "%u", q);
	}
}

int
main(void)
{
	test_bounds();
	test_exact();
	test_golden();
	test_stated();
	return test_done();
}
