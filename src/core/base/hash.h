/*
 * hash.h - what a filter needs of a key, all made from its 64-bit hash
 *
 * A key is hashed once (keys/hashes.h); all else is expanded from that hash [RF
 * 5.3; BuRR 7.3, note 16].  Each ribbon system of a filter sees a hash of its
 * own.  That of the first layer is the key's hash, or of a salted plane that
 * with its salt: it is what sets are sorted by, which sorts the starting
 * positions.  That of each later layer is a bijective remix of the hash that
 * the previous layer saw.  From a system's hash x come
 *
 *	 starting position s(x)	 its high bits, by fast range (format/system.h)
 *	 coefficient row c(x)	 two multiplications per 64 bits; bit 0 is set to 1
 *	 fingerprint f(x)		 the upper half of the first one's product
 *
 * The three must behave as if they were independent.  If fingerprint bits were
 * bits of the coefficient row, or sums of them, then in a system with one
 * starting position "return these coefficient bits" would be a solution, which
 * says yes to every key.  So the second multiplication lies between the two: no
 * sum of its product's bits tells anything of the upper half of what was
 * multiplied.  test_fpr.c measures small filters because the fault would show
 * there.
 */
#ifndef RIBBON_HASH_H
#define RIBBON_HASH_H

#include "base/bits.h"

#define RIBBON_GOLDEN	  UINT64_C(0x9E3779B97F4A7C15) /* 2^64 / phi */
#define RIBBON_PRIME	  UINT64_C(0xC2B2AE3D27D4EB4F) /* XXH prime 2 */
#define RIBBON_LAYER_STEP RIBBON_GOLDEN
#define RIBBON_COEFF_MUL0 RIBBON_GOLDEN
#define RIBBON_COEFF_MUL1 RIBBON_PRIME
#define RIBBON_COEFF_MUL2 UINT64_C(0xD6E8FEB86659FD93) /* degski's mixer */

/*
 * A bijection; each output bit depends on all input bits (MurmurHash3 fmix64).
 */
static inline uint64_t
ribbon_mix(uint64_t z)
{
	z ^= z >> 33;
	z *= UINT64_C(0xFF51AFD7ED558CCD);
	z ^= z >> 33;
	z *= UINT64_C(0xC4CEB9FE1A85EC53);
	z ^= z >> 33;
	return z;
}

/* The hash in the first layer of the key with this hash, by a plane's salt. */
static inline uint64_t
ribbon_hash_salted(uint64_t hash, uint64_t salt)
{
	return ribbon_mix(hash ^ salt);
}

/* From the hash that a layer sees to that which the next layer sees. */
static inline uint64_t
ribbon_hash_next_layer(uint64_t hash)
{
	return ribbon_mix(hash + RIBBON_LAYER_STEP);
}

/*
 * 64 bits of the coefficient row, made of c, the product of a hash and a
 * multiplier: of bits 0 .. 63 RIBBON_COEFF_MUL0, of bits 64 .. 127 (w = 128
 * only) RIBBON_COEFF_MUL1.  c, a word or a vector of words, is changed.
 */
#define RIBBON_COEFF_OF_PRODUCT(c) \
	((c) ^= (c) >> 32, (c) *= RIBBON_COEFF_MUL2, (c) ^ (c) >> 32)

static inline uint64_t
ribbon_hash_coeff(uint64_t hash, uint64_t multiplier)
{
	uint64_t c = hash * multiplier;

	return RIBBON_COEFF_OF_PRODUCT(c);
}

/* The fingerprint: 32 bits, of which r result bits are the low r. */
static inline uint32_t
ribbon_hash_fingerprint(uint64_t hash)
{
	return (uint32_t) (hash * RIBBON_COEFF_MUL0 >> 32);
}

#endif /* RIBBON_HASH_H */
