/*
 * hashes.c - the hashes of a key, and its shard
 */
#include "keys/hashes.h"

#include "keys/ribbon_xxhash.h"

#define SHARD_STEP UINT64_C(0x27D4EB2F165667C5) /* XXH prime 5 */

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

/* XXH3 of 8 bytes, step by step backwards (xxhash.h, XXH3_len_4to8_64b). */
uint64_t
ribbon_hash_to_number(uint64_t hash)
{
	const uint64_t inverse = UINT64_C(0x02AB9C720D1024AD);

	hash ^= hash >> 28;
	hash = (hash ^ hash >> 56) * inverse;
	hash = (hash ^ ((hash >> 35) + 8)) * inverse;
	/* f = 1 + x^49 + x^24, and f^64 = 1: so 1 / f = f f^2 f^4 ... f^32 */
	for (unsigned power = 0; power < 6; power++)
		hash ^= ribbon_rotate_left(hash, 49u << power) ^
			ribbon_rotate_left(hash, 24u << power);
	hash ^= UINT64_C(0xC73AB174C5ECD5A2); /* of XXH3's secret */
	return ribbon_rotate_left(hash, 32);
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
	uint64_t mixed = ribbon_mix(hash + SHARD_STEP);

	return (uint32_t) ((mixed >> 32) * nshards >> 32);
}
