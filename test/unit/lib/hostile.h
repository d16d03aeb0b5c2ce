/*
 * hostile.h - from where a key is to go, back to a hash that goes there; and
 * families of hashes that make a build hard
 *
 * The hash functions are public and every step from a key's hash to its place
 * is a bijection, so whoever chooses hashes can choose places.  These are the
 * steps of hash.h, undone.
 */
#ifndef RIBBON_TEST_HOSTILE_H
#define RIBBON_TEST_HOSTILE_H

#include "base/hash.h"
#include "format/system.h"
#include "format/zones.h"

/* The inverse of ribbon_mix. */
static inline uint64_t
unmix(uint64_t z)
{
	z ^= z >> 33;
	z *= UINT64_C(0x9CB4B2F8129337DB); /* 1 / second factor, modulo 2^64 */
	z ^= z >> 33;
	z *= UINT64_C(0x4F74430C22A54005); /* 1 / first factor */
	z ^= z >> 33;
	return z;
}

/*
 * The inverse of an odd number modulo 2^64 (Newton; 5 steps give 2^5 * 3 bits)
 */
static inline uint64_t
hostile_inverse(uint64_t odd)
{
	uint64_t inverse = odd * 3 ^ 2;

	for (int i = 0; i < 5; i++)
		inverse *= 2 - odd * inverse;
	return inverse;
}

/* The hash whose hash in this layer is that. */
static inline uint64_t
hostile_at_layer(uint64_t hash, unsigned layer)
{
	for (; layer > 0; layer--)
		hash = unmix(hash) - RIBBON_LAYER_STEP;
	return hash;
}

/* The last layer's (rotated) hash whose hash under this seed is that. */
static inline uint64_t
hostile_at_seed(uint64_t hash, unsigned seed)
{
	return hash * hostile_inverse(ribbon_hash_zone_factor(seed));
}

/* The hash with these 64 bits of coefficients (but for bit 0, always set). */
static inline uint64_t
hostile_with_coeff(uint64_t coeff, uint64_t multiplier)
{
	coeff ^= coeff >> 32;
	coeff *= hostile_inverse(RIBBON_COEFF_MUL2);
	coeff ^= coeff >> 32;
	return coeff * hostile_inverse(multiplier);
}

/*
 * The 8 bytes, little-endian, whose XXH3-64 with seed 0 this is.  For 8 bytes
 * XXH3 is a bijection, too, so any set of hashes is the set of some int8 keys.
 * (x ^ rotl(x, 49) ^ rotl(x, 24), 64 times over, is x: hence the 63.)
 */
static inline uint64_t
hostile_int8(uint64_t hash)
{
	uint64_t inverse = hostile_inverse(UINT64_C(0x9FB21C651E98DF25));
	uint64_t h = hash ^ hash >> 28;

	h = (h ^ h >> 56) * inverse;
	h = (h ^ ((h >> 35) + 8)) * inverse;
	for (int i = 0; i < 63; i++)
		h = h ^ (h << 49 | h >> 15) ^ (h << 24 | h >> 40);
	h ^= UINT64_C(0xC73AB174C5ECD5A2); /* of XXH3's secret */
	return h << 32 | h >> 32;
}

/* What a family is aimed at. */
typedef enum Aim
{
	AIM_ONE_START,	  /* one starting position of the first layer */
	AIM_TENTH,		  /* a tenth of its starting positions */
	AIM_LOW_HALVES,	  /* equal low halves */
	AIM_HIGH_HALVES,  /* equal high halves */
	AIM_PARTITION_8,  /* equal top 8 bits: one partition of a sort */
	AIM_PARTITION_16, /* equal top 16 bits */
	AIM_ARITHMETIC,	  /* arithmetic sequence from 0 */
	AIM_STEPS,		  /* arithmetic sequence of wide steps */
	AIM_LAYER_2,	  /* one place in the second layer */
	AIM_BUCKETS,	  /* every other bucket twice as full */
	AIM_ZONE,		  /* one zone of the last layer, if it is that */
	AIM_SEEDS,		  /* seventy at one start of the last layer, each seed */
	AIM_FEW_SEEDS,	  /* 25 of them, each seed */
	AIM_PAIRS,		  /* a contradiction at one start, each seed */
	AIM_PLACES,		  /* a hundred places */
	AIM_PEELED,		  /* groups that a sort takes apart key by key */
	AIM_COEFFICIENTS, /* rows that agree in all but a few bits */
	AIM_COUNT
} Aim;

static const char *const aims[] = {
	"one start",
	"a tenth of the starts",
	"equal low halves",
	"equal high halves",
	"equal top 8 bits",
	"equal top 16 bits",
	"0, 1, 2, ...",
	"an arithmetic sequence",
	"one place in layer 1",
	"uneven buckets",
	"one zone",
	"one start, every seed",
	"few at one start, every seed",
	"pairs with one row, every seed",
	"a hundred places",
	"groups that lose a key per pass",
	"equal coefficient rows",
};

/*
 * Of 24 hashes with the same high bits, 16 agree in the next ones, too, and
 * each of the others is alone from six bits further down on.
 */
static inline uint64_t
hostile_peeled(uint64_t group, unsigned i)
{
	uint64_t hash = group * (UINT64_MAX / 2500) >> 47 << 47;
	unsigned top = i < 16 ? 0 : 46 - 6 * (i - 16);

	return i < 16 ? hash + 3 * i + 1 : hash + (UINT64_C(1) << top) + i;
}

/* The i-th hash of a set of this family. */
static inline uint64_t
hostile(Aim aim, uint64_t i, uint64_t set)
{
	uint64_t any = ribbon_mix((set << 32) + i + 1);

	switch (aim)
	{
		case AIM_ONE_START:
			return UINT64_C(0x123456) << 40 | (any >> 24);
		case AIM_TENTH:
			return any / 10;
		case AIM_LOW_HALVES:
			return any << 32 | 0xDEADBEEF;
		case AIM_HIGH_HALVES:
			return UINT64_C(0xDEADBEEF) << 32 | any >> 32;
		case AIM_PARTITION_8:
			return UINT64_C(0xA5) << 56 | any >> 8;
		case AIM_PARTITION_16:
			return UINT64_C(0xA5A5) << 48 | any >> 16;
		case AIM_ARITHMETIC:
			return (set << 32) + i;
		case AIM_STEPS:
			return i * (UINT64_MAX / 60000) + set;
		case AIM_LAYER_2:
			return hostile_at_layer(any / 50, 1);
		case AIM_BUCKETS:
			return any & ~(UINT64_C(1) << 55);
		case AIM_ZONE:
			return hostile_at_layer(any >> 20, 2);
		case AIM_SEEDS:
			return hostile_at_seed(set * 70 + i / 16 % 70 + 1, i % 16) +
				(i < 1120 ? 0 : any);
		case AIM_FEW_SEEDS:
			return i < 400 ? hostile_at_seed(set * 25 + i / 16 + 1, i % 16) :
							 any;
		case AIM_PAIRS: /* their rows differ in bit 0, which is always set */
			any = ribbon_mix((set << 32) + i / 32 + 1) ^ i % 2;
			return hostile_at_seed(hostile_with_coeff(any, RIBBON_COEFF_MUL0),
								   i / 2 % RIBBON_ZONE_SEEDS);
		case AIM_PLACES:
			return (any % 100) * (UINT64_MAX / 100) + (any >> 32) % 5000;
		case AIM_PEELED:
			return hostile_peeled(i / 24 + set, i % 24);
		default:
			return hostile_with_coeff((i + (set << 16)) << 40 | 0x2BADBADBAD,
									  RIBBON_COEFF_MUL0);
	}
}

#endif /* RIBBON_TEST_HOSTILE_H */
