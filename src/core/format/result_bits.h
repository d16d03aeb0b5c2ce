/*
 * result_bits.h - from a false-positive rate to result bits, and back
 *
 * r result bits give a false-positive rate of 2^-r.  For a rate between 2^-r
 * and 2^-(r+1), a share of the keys, in 2048ths, checks r + 1 bits [RF 5.1].
 * These keys, and the blocks and zones that store their bits, are called wide,
 * the others narrow.
 */
#ifndef RIBBON_RESULT_BITS_H
#define RIBBON_RESULT_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define RIBBON_MAX_RESULT_BITS 32

/*
 * The share that a hash is in, 0 .. 2047: its 11 high bits.  Fractions of the
 * keys are counted in these shares, 2048ths of all hashes.
 */
#define RIBBON_SHARE_BITS  11
#define RIBBON_SHARES	   (1u << RIBBON_SHARE_BITS)
#define RIBBON_SHARE_SHIFT (64 - RIBBON_SHARE_BITS)

static inline unsigned
ribbon_hash_share(uint64_t hash)
{
	return (unsigned) (hash >> RIBBON_SHARE_SHIFT);
}

/* The least hash of the nshares (1 .. 2048) highest shares. */
static inline uint64_t
ribbon_hash_highest(unsigned nshares)
{
	return (uint64_t) (RIBBON_SHARES - nshares) << RIBBON_SHARE_SHIFT;
}

/* {0, 0} of what has no check bits, {0, wide} where only wide keys have one. */
typedef struct RibbonResultBits
{
	unsigned bits; /* r, 0 .. RIBBON_MAX_RESULT_BITS */
	unsigned wide; /* of 2048 keys, how many check r + 1 bits: 0 .. 2047;
					* 2048 only in a zone of wide keys (place.c) */
} RibbonResultBits;

/* Of a plane without check bits. */
static const RibbonResultBits ribbon_no_check = {0, 0};

static inline bool
ribbon_has_check(RibbonResultBits check)
{
	return check.bits + check.wide > 0;
}

/*
 * The result bits whose rate is nearest to fpr, RIBBON_MIN_FPR .. 1, within
 * 0.025 % of it.  Above 0.5 only wide keys have one; at 1 there are none.
 */
extern RibbonResultBits ribbon_result_bits_for(double fpr);

/* The mean number of result bits per key: r + wide / 2048. */
extern double ribbon_result_bits_mean(RibbonResultBits result_bits);

/* The expected share of random hashes whose result bits all match by chance. */
extern double ribbon_result_bits_fpr(RibbonResultBits result_bits);

/*
 * In a homogeneous filter a non-member is positive with probability P
 * (dependence) whatever r is, and else by the chance c of its result bits.
 * These give the c for which P + (1 - P) c = fpr, but RIBBON_MIN_FPR at least,
 * and the result bits for that c.
 */
extern double ribbon_result_bits_chance_beside(double fpr, double dependence);
extern RibbonResultBits ribbon_result_bits_beside(double fpr,
												  double dependence);

/*
 * The rate of a filter that says yes with probability P whatever r is, and else
 * by the chance of the result bits.
 */
static inline double
ribbon_dependence_rate(double probability, double chance)
{
	return probability + (1 - probability) * chance;
}

/*
 * P in the header's two bytes (plane->dependence), round(-1024 log2 P), which
 * keeps it to 0.034 %; and P from them.
 */
#define RIBBON_NOT_DEPENDENT 65535 /* stands for P = 0 */

extern unsigned ribbon_dependence_encode(double probability);
extern double ribbon_dependence_decode(unsigned dependence);

#endif /* RIBBON_RESULT_BITS_H */
