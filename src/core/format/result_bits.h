/*
 * result_bits.h - from a false-positive rate to result bits, and back
 *
 * r result bits give a rate of 2^-r.  Rates in between are had by letting a
 * share of the keys, in 2048ths, check r + 1 bits [RF 5.1]: these keys, and the
 * blocks and zones that store their bits, are called wide, the others narrow.
 */
#ifndef RIBBON_RESULT_BITS_H
#define RIBBON_RESULT_BITS_H

typedef struct RibbonResultBits
{
	unsigned bits; /* r, 1 .. 32 */
	unsigned wide; /* of RIBBON_SHARES keys, how many check r + 1 */
} RibbonResultBits;

/* The result bits whose rate is nearest to this one (within 0.025 %). */
extern RibbonResultBits ribbon_result_bits_for(double fpr);

/* Per slot, on average. */
extern double ribbon_result_bits_mean(RibbonResultBits result_bits);

/* Expected share of random hashes whose result bits all match by chance. */
extern double ribbon_result_bits_fpr(RibbonResultBits result_bits);

/*
 * In a homogeneous filter non-members are positive with probability P
 * (dependence) whatever their result bits are.  The 2^-r that together with P
 * makes up this rate, and the result bits for it.
 */
extern double ribbon_result_bits_chance_beside(double fpr, double dependence);
extern RibbonResultBits ribbon_result_bits_beside(double fpr,
												  double dependence);

#endif /* RIBBON_RESULT_BITS_H */
