/*
 * hashes.h - from the canonical bytes of a key to its hashes
 *
 * A key has two: XXH3-64, and XXH64, which tells apart keys that have the same
 * first one by chance.  A filter sees the first.  A map or exact set may have a
 * seed, and sees one that is made of both.
 */
#ifndef RIBBON_HASHES_H
#define RIBBON_HASHES_H

#include <stddef.h>

#include "base/hash.h"

/* The hash of a key: XXH3-64, seed 0, of its len bytes. */
extern uint64_t ribbon_hash_bytes(const void *key, size_t len);

/* The same for the eight bytes of word in memory, in the machine's order. */
extern uint64_t ribbon_hash_word(uint64_t word);

/* The second hash: XXH64, seed 0, of the same bytes. */
extern uint64_t ribbon_hash_second_bytes(const void *key, size_t len);

/*
 * The hash of a key in a map or exact set that has this seed, from the key's
 * two hashes.  With seed 0 it is the first one.  With another seed, two keys
 * that differ in either hash get the same hash with probability 2^-64.  The
 * lowest bit of the second hash does not count: records of exact sets have
 * another bit there.
 */
static inline uint64_t
ribbon_hash_with_seed(uint64_t hash, uint64_t second, uint32_t seed)
{
	if (seed == 0)
		return hash;
	return ribbon_mix(hash ^ ribbon_mix((second >> 1) + seed * RIBBON_GOLDEN));
}

/* The same of a key's bytes. */
extern uint64_t ribbon_hash_bytes_seeded(const void *key, size_t len,
										 uint32_t seed);

/*
 * The number whose 8 bytes, the lowest first, have this hash; there is one for
 * each.
 */
extern uint64_t ribbon_hash_to_number(uint64_t hash);

/*
 * The shard of a hash, 0 .. nshards - 1, to divide a set among nshards > 0
 * filters.  It is independent of the place of a key in a filter.  Its values
 * will never change.
 */
extern uint32_t ribbon_hash_to_shard(uint64_t hash, uint32_t nshards);

#endif /* RIBBON_HASHES_H */
