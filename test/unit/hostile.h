/*
 * hostile.h - from where a key is to go, back to a hash that goes there
 *
 * The hash functions are public and every step from a key's hash to its place
 * is a bijection, so whoever chooses hashes can choose places.  These are the
 * steps of hash.h, undone.
 */
#ifndef RIBBON_HOSTILE_H
#define RIBBON_HOSTILE_H

#include "base/hash.h"
#include "format/system.h"

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

#endif /* RIBBON_HOSTILE_H */
