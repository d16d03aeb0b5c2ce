/*
 * power.c - powers of two and their logarithms, the same on every machine
 *
 * Both split off a power of two, and compute the rest, a small number, by a
 * series.  The flag -ffp-contract=off (core.mk) makes the compiler round each
 * product before something is added to it.
 */
#include "base/power.h"

#include <float.h>

/* Arithmetic in wider registers gives other results, and so other filters. */
#if FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD < 0
#error "double arithmetic must be that of doubles: -msse2 -mfpmath=sse"
#endif

#define LN_2		 0x1.62e42fefa39efp-1 /* the natural logarithm of 2 */
#define TWO_PER_LN_2 0x1.71547652b82fep+1
#define SQRT_HALF	 0x1.6a09e667f3bcdp-1

double
ribbon_split_power(double x, int *exponent)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	*exponent = (int) (bits >> 52 & 2047) - 1022;
	bits = (bits & ~(UINT64_C(2047) << 52)) | UINT64_C(1022) << 52;
	memcpy(&x, &bits, sizeof(x));
	return x;
}

/*
 * x = k + f with an integer k and |f| <= 1/2.  Then 2^f = e^t with t = f ln 2:
 *
 *	e^t = 1 + t + t^2/2! + ... + t^13/13! + a remainder below 2^-57
 */
double
ribbon_exp2(double x)
{
	static const double reciprocals[] = {1.0 / 6227020800, 1.0 / 479001600,
										 1.0 / 39916800,   1.0 / 3628800,
										 1.0 / 362880,	   1.0 / 40320,
										 1.0 / 5040,	   1.0 / 720,
										 1.0 / 120,		   1.0 / 24,
										 1.0 / 6,		   1.0 / 2};
	double sum = 0;
	double t;
	int k;

	if (x < -1022)
		return 0;
	k = (int) (x < 0 ? x - 0.5 : x + 0.5);
	t = (x - k) * LN_2;
	for (unsigned i = 0; i < sizeof(reciprocals) / sizeof(double); i++)
		sum = (sum + reciprocals[i]) * t;
	return (1 + (t + sum * t)) * ribbon_power_of_two(k);
}

/*
 * x = m 2^e with sqrt(1/2) <= m < sqrt(2).  With s = (m - 1) / (m + 1), which
 * is below 0.172 in absolute value,
 *
 *	ln m = 2 (s + s^3/3 + s^5/5 + ... + s^21/21)
 *
 * with a relative error below 2^-60.
 */
double
ribbon_log2(double x)
{
	double series = 0;
	int exponent;
	double m = ribbon_split_power(x, &exponent);
	double s, square;

	if (m < SQRT_HALF)
	{
		m *= 2;
		exponent--;
	}
	s = (m - 1) / (m + 1);
	square = s * s;
	for (int i = 21; i > 1; i -= 2)
		series = (series + 1.0 / i) * square;
	return exponent + (s + s * series) * TWO_PER_LN_2;
}
