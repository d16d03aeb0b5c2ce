/*
 * power.h - powers of two and their logarithms, the same on every machine
 *
 * The exp2 and log2 of different C libraries differ in the last bit.  If a
 * number of result bits were rounded up on one machine and down on another, the
 * same set would give two filters.  The functions here are a fixed sequence of
 * additions, multiplications and divisions of doubles, which IEEE 754 defines
 * to the last bit.  So the core calls no function of <math.h>;
 * test/unit/libm.sh checks that.
 *
 * A result's error is given as a bound on its distance from the exact value, in
 * units of its last bit (ulp).
 */
#ifndef RIBBON_POWER_H
#define RIBBON_POWER_H

#include <stdint.h>
#include <string.h>

/* 2^exponent, exactly, for -1022 <= exponent <= 1023. */
static inline double
ribbon_power_of_two(int exponent)
{
	uint64_t bits = (uint64_t) (exponent + 1023) << 52;
	double power;

	memcpy(&power, &bits, sizeof(power));
	return power;
}

/*
 * Split a positive, normal x = m 2^e with 0.5 <= m < 1: returns m and sets
 * *exponent to e, both exact.
 */
extern double ribbon_split_power(double x, int *exponent);

/* 2^x for x <= 1023, error 2 ulp; 0 if the result is below 2^-1022. */
extern double ribbon_exp2(double x);

/* The logarithm to base 2 of a positive, normal x, error 3 ulp. */
extern double ribbon_log2(double x);

#endif /* RIBBON_POWER_H */
