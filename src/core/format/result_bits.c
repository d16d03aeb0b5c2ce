/*
 * result_bits.c - from a false-positive rate to result bits, and back
 */
#include "format/result_bits.h"

#include "base/power.h"
#include "ribbon_core.h"

/*
 * With fpr = m 2^e and 0.5 <= m < 1, r = -e result bits give the rate 2^e.  One
 * bit more halves it, so a share 2 - 2m of the keys must check one bit more.
 */
RibbonResultBits
ribbon_result_bits_for(double fpr)
{
	RibbonResultBits result_bits;
	int exponent;
	double mantissa = ribbon_split_power(fpr, &exponent);

	result_bits.bits = (unsigned) -exponent;
	result_bits.wide = (unsigned) ((2 - 2 * mantissa) * RIBBON_SHARES + 0.5);
	if (result_bits.wide == RIBBON_SHARES)
	{
		result_bits.bits++;
		result_bits.wide = 0;
	}
	return result_bits;
}

double
ribbon_result_bits_mean(RibbonResultBits result_bits)
{
	return result_bits.bits + (double) result_bits.wide / RIBBON_SHARES;
}

double
ribbon_result_bits_chance_beside(double fpr, double dependence)
{
	double chance = (fpr - dependence) / (1 - dependence);

	/* r is 32 at most; if dependence is 1, chance is not finite */
	return chance > RIBBON_MIN_FPR ? chance : RIBBON_MIN_FPR;
}

RibbonResultBits
ribbon_result_bits_beside(double fpr, double dependence)
{
	return ribbon_result_bits_for(ribbon_result_bits_chance_beside(fpr,
																   dependence));
}

double
ribbon_result_bits_fpr(RibbonResultBits result_bits)
{
	double wide = (double) result_bits.wide / RIBBON_SHARES;

	return (1.0 - wide / 2) * ribbon_power_of_two(-(int) result_bits.bits);
}

unsigned
ribbon_dependence_encode(double probability)
{
	double q = probability > 0 ? -1024 * ribbon_log2(probability) + 0.5 : 65535;

	return q >= 65535 ? RIBBON_NOT_DEPENDENT : (unsigned) q;
}

double
ribbon_dependence_decode(unsigned dependence)
{
	return dependence == RIBBON_NOT_DEPENDENT ?
		0 :
		ribbon_exp2(-(double) dependence / 1024);
}
