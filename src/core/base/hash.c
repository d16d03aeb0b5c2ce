/*
 * hash.c - the hashes of a key, and its shard
 */
#include "base/hash.h"

#include "base/ribbon_xxhash.h"
#include "ribbon.h"

uint64_t
ribbon_hash_bytes(const void *key, size_t len)
{
	return XXH3_64bits(key, len);
}

uint64_t
ribbon_hash_word(uint64_t word)
{
	return XXH3_64bits(&word, sizeof(word));
}

uint64_t
ribbon_hash_second_bytes(const void *key, size_t len)
{
	return XXH64(key, len, 0);
}

uint64_t
ribbon_hash_bytes_seeded(const void *key, size_t len, uint32_t seed)
{
	if (seed == 0)
		return ribbon_hash_bytes(key, len);
	return ribbon_hash_with_seed(ribbon_hash_bytes(key, len),
								 ribbon_hash_second_bytes(key, len), seed);
}

uint32_t
ribbon_hash_to_shard(uint64_t hash, uint32_t nshards)
{
	uint64_t mixed = ribbon_mix(hash + RIBBON_SHARD_STEP);

	return (uint32_t) ((mixed >> 32) * nshards >> 32);
}
