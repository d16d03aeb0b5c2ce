/*
 * hash.h - everything a filter needs to know of a key, from its 64-bit hash
 *
 * The hash is expanded [RF 5.3], never recomputed from the key.  Each ribbon
 * system of a filter sees a hash of its own: the first layer the key's hash, so
 * that sorting the hashes sorts the starting positions, and each later layer a
 * bijective remix of the hash of the layer before it.  From a system's hash come
 *
 *	 starting position	 its high bits, by fast range
 *	 coefficient row	 two multiplications, bit 0 forced to 1
 *	 fingerprint		 another multiplication, other constants
 *
 * The three must be independent in effect.  If the fingerprint came out of
 * the coefficient row's own product, a system with one starting position would
 * be solved by "return these coefficient bits" and answer yes to every key:
 * test_fpr.c measures small filters because that is where it would show.
 */
#ifndef RIBBON_HASH_H
#define RIBBON_HASH_H

#include "base/bits.h"

#define RIBBON_LAYER_STEP UINT64_C(0x9E3779B97F4A7C15) /* 2^64 / phi */
#define RIBBON_SEED_STEP  UINT64_C(0xC2B2AE3D27D4EB4F) /* XXH prime 2 */
#define RIBBON_SHARD_STEP UINT64_C(0x27D4EB2F165667C5) /* XXH prime 5 */
#define RIBBON_COEFF_MUL0 UINT64_C(0x9E3779B97F4A7C15)
#define RIBBON_COEFF_MUL1 UINT64_C(0xC2B2AE3D27D4EB4F)
#define RIBBON_COEFF_MUL2 UINT64_C(0xD6E8FEB86659FD93)
#define RIBBON_PRINT_MUL  UINT64_C(0x165667B19E3779F9) /* XXH prime 3 */

/* A bijection whose every output bit depends on every input bit (MurmurHash3). */
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

/* What has been mixed. */
static inline uint64_t
ribbon_unmix(uint64_t z)
{
	z ^= z >> 33;
	z *= UINT64_C(0x9CB4B2F8129337DB); /* times the factor above: 1 */
	z ^= z >> 33;
	z *= UINT64_C(0x4F74430C22A54005);
	z ^= z >> 33;
	return z;
}

/* The hash of the next layer. */
static inline uint64_t
ribbon_hash_next_layer(uint64_t hash)
{
	return ribbon_mix(hash + RIBBON_LAYER_STEP);
}

#define RIBBON_ROTATIONS 16

/* The last layer's hash, rotated in one of 16 ways: zone.h. */
static inline uint64_t
ribbon_hash_rotated(uint64_t hash, unsigned rotation)
{
	unsigned bits = rotation * (64 / RIBBON_ROTATIONS);

	return hash << bits | hash >> (-bits & 63);
}

/* The hash of a last-layer zone, from the last layer's rotated hash. */
static inline uint64_t
ribbon_hash_seeded(uint64_t hash, unsigned seed)
{
	return ribbon_mix(hash + (seed + 1) * RIBBON_SEED_STEP);
}

/* 64 bits of the coefficient row; multiplier RIBBON_COEFF_MUL0, then _MUL1. */
static inline uint64_t
ribbon_hash_coeff(uint64_t hash, uint64_t multiplier)
{
	uint64_t c = hash * multiplier;

	c ^= c >> 32;
	c *= RIBBON_COEFF_MUL2;
	return c ^ c >> 32;
}

/* 32 result bits; a filter of r columns compares the low r of them. */
static inline uint32_t
ribbon_hash_fingerprint(uint64_t hash)
{
	return (uint32_t) (((hash ^ hash >> 32) * RIBBON_PRINT_MUL) >> 32);
}

/* Of 2048 hashes, which one is this?  Splits keys into fractions. */
static inline unsigned
ribbon_hash_share(uint64_t hash)
{
	return (unsigned) (hash >> 53);
}

#define RIBBON_SHARES 2048u

/* The least of the hashes that are among the highest share 2048ths; share > 0. */
static inline uint64_t
ribbon_hash_highest(unsigned share)
{
	return (uint64_t) (RIBBON_SHARES - share) << 53;
}

#endif /* RIBBON_HASH_H */
