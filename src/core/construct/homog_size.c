/*
 * homog_size.c - the ribbon width of a homogeneous filter, and its slots
 */
#include "construct/shape.h"

#include "base/power.h"

#include <float.h>

/*
 * The default is w = 64, but 128 where slots have fewer result bits on average
 * than this, as in BuRR planes (FEW_BITS_FILTER, shape.c).  What the width
 * saves is thresholds there, and spare slots here.
 */
#define HOMOG_FEW_BITS 2.5

/*
 * A row of 32 bits has bit 0 set, so one in 2^31 non-members that start where a
 * key does has the key's row, and is a false positive.  Below this rate, the
 * slots that would make up for that take more bytes than rows of 64 bits cost.
 */
#define HOMOG_LEAST_FPR_32 (1.0 / (1 << 20))

unsigned
ribbon_homog_width(int asked, double fpr)
{
	double mean = ribbon_result_bits_mean(ribbon_result_bits_for(fpr));

	if (asked == RIBBON_DEFAULT_WIDTH)
		return mean < HOMOG_FEW_BITS ? 128 : 64;
	return asked == 32 && fpr < HOMOG_LEAST_FPR_32 ? 64 : (unsigned) asked;
}

#define LOG2_E 0x1.71547652b82fep+0

/*
 * For large n, P is about exp(c0 - c1 epsilon w), with c0 and c1 by width, from
 * n = 10^7 and epsilon w from 4.5 to 8 [tune].  The ends of the band add about
 * 2^-spare, where spare = m - n.
 */
double
ribbon_homog_dependence(unsigned width, uint64_t nkeys, uint64_t nslots)
{
	static const double c[3][2] = {{-0.5, 1.08}, {1.1, 1.6}, {1.4, 1.7}};
	const double *k = c[ribbon_width_index(width)];
	uint64_t spare = nslots - nkeys;
	double inside = k[0] - k[1] * width * (double) spare / (double) nkeys;
	double ends = spare < 1000 ? 3 * ribbon_power_of_two(-(int) spare) : 0;
	double p = ends + ribbon_exp2(inside * LOG2_E);

	if (nslots <= width)
		return 0; /* there are at least as many spare slots as result bits */
	return p < 1 ? p : 1;
}

static double
mean_bits_for(double fpr, double dependence)
{
	return ribbon_result_bits_mean(ribbon_result_bits_beside(fpr, dependence));
}

/* The share of P in the least FPR: more than 32 result bits there are not. */
#define LEAST_FPR_SHARE 0.003

/*
 * With few spare slots P is large, and more result bits must make up for it.
 * Try more spare slots step by step, until the slots would take more bits than
 * the best size so far even if P were 0.
 */
uint64_t
ribbon_homog_slots(unsigned width, double fpr, uint64_t nkeys)
{
	uint64_t step = nkeys / 512 + 1;
	uint64_t best = 0;
	double best_bits = DBL_MAX;
	double limit = fpr < 2 * RIBBON_MIN_FPR ? LEAST_FPR_SHARE * fpr : fpr / 2;
	double least_bits = mean_bits_for(fpr, 0);
	int exponent;

	/* from log2(1/fpr) on, rounded up */
	(void) ribbon_split_power(fpr, &exponent);
	for (uint64_t spare = (uint64_t) (1 - exponent); spare < nkeys + 128;
		 spare += step)
	{
		uint64_t nslots = nkeys + spare;
		double p = ribbon_homog_dependence(width, nkeys, nslots);
		double bits;

		if ((double) nslots * least_bits >= best_bits)
			break;
		if (p > limit)
			continue;
		bits = (double) nslots * mean_bits_for(fpr, p);
		if (bits < best_bits)
		{
			best = nslots;
			best_bits = bits;
		}
	}
	return best;
}
