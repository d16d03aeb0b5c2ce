/*
 * power.h - powers of two and their logarithms, the same on every machine
 *
 * A C library's exp2 and log2 may be wrong in the last bit, each in its own
 * way, and a number of columns that was rounded up here and down there is
 * another filter of the same set.  These are a fixed sequence of additions,
 * multiplications and divisions of doubles, which IEEE 754 defines to the last
 * bit.  So the core calls no function of <math.h>, and test_power.c sees to it.
 *
 * Errors are bounds on the distance from the exact value, in units of the
 * result's last bit.
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

/* x = m 2^*exponent, 0.5 <= m < 1; returns m, exactly.  x is positive, normal. */
extern double ribbon_split_power(double x, int *exponent);

/* 2^x for x <= 1023, to 2 units; 0 if that is below 2^-1022. */
extern double ribbon_exp2(double x);

/* The logarithm to base 2 of a positive, normal x, to 3 units. */
extern double ribbon_log2(double x);

#endif /* RIBBON_POWER_H */
