/*
 * test_hash.c - hashes.c: the two hashes of a key, and the one that a map with
 * a seed has
 */
#include "keys/hashes.h"

#include "testing.h"

static void
test_vectors(void)
{
	const struct
	{
		const char *key;
		size_t len;
		uint64_t first;
		uint64_t second;
	} vectors[] = {
		{"", 0, UINT64_C(0x2D06800538D394C2), UINT64_C(0xEF46DB3751D8E999)},
		{"a", 1, UINT64_C(0xE6C632B61E964E1F), UINT64_C(0xD24EC4F1A98C6E5B)},
		{"ribbon", 6, UINT64_C(0x3FCEC67272D5D54C),
		 UINT64_C(0xB80BEDC844B8A5FD)},
		{"012345678901234567890123456789012345678901234567890123456789", 60,
		 UINT64_C(0x0A835F42D18C66E9), UINT64_C(0x66EA70F4211F2A4F)},
	};

	test("XXH3-64 and XXH64, as others compute them");
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++)
	{
		CHECK(ribbon_hash_bytes(vectors[i].key, vectors[i].len) ==
				  vectors[i].first,
			  "first of vector %zu", i);
		CHECK(ribbon_hash_second_bytes(vectors[i].key, vectors[i].len) ==
				  vectors[i].second,
			  "second of vector %zu", i);
	}
}

/* The hash of a number, as the key of an integer has it. */
static uint64_t
hash_of_number(uint64_t number)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t) (number >> 8 * i);
	return ribbon_hash_bytes(bytes, 8);
}

static void
test_number(void)
{
	static const uint64_t some[] = {0, 1, 42, UINT64_MAX, UINT64_C(1) << 63};
	uint64_t number = 1;

	test("the number that has a hash is found");
	for (size_t i = 0; i < sizeof(some) / sizeof(some[0]); i++)
		CHECK(ribbon_hash_to_number(hash_of_number(some[i])) == some[i],
			  "number %zu", i);
	for (unsigned i = 0; i < 10000; i++)
	{
		uint64_t word;

		number = ribbon_mix(number + i);
		memcpy(&word, &number, sizeof(word));
		CHECK(ribbon_hash_word(number) ==
				  ribbon_hash_bytes(&word, sizeof(word)),
			  "the word of number %llu", (unsigned long long) number);
		CHECK(ribbon_hash_to_number(hash_of_number(number)) == number,
			  "number %llu", (unsigned long long) number);
	}
}

/* The shards are part of the format: partitions are made by them. */
static void
test_shards(void)
{
	static const uint32_t counts[] = {1, 2, 7, 16, 1000, 1u << 31, UINT32_MAX};
	static const uint32_t first[] = {0, 1, 4, 9, 578, 1241345388, 2482690776u};
	uint64_t hash = ribbon_hash_bytes("ribbon", 6);
	unsigned nkeys[7] = {0};

	test("a hash has the same shard for ever; shards are about equal");
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		CHECK(ribbon_hash_to_shard(hash, counts[i]) == first[i],
			  "%" PRIu32 " of %" PRIu32, ribbon_hash_to_shard(hash, counts[i]),
			  counts[i]);
	for (unsigned i = 0; i < 7000; i++)
	{
		uint32_t shard = ribbon_hash_to_shard(ribbon_mix(i), 7);

		CHECK(shard < 7, "%" PRIu32, shard);
		nkeys[shard < 7 ? shard : 0]++;
	}
	for (unsigned i = 0; i < 7; i++)
		CHECK(nkeys[i] > 850 && nkeys[i] < 1150, "%u keys", nkeys[i]);
}

static void
test_seeds(void)
{
	const char *key = "ribbon";
	uint64_t first = ribbon_hash_bytes(key, 6);
	uint64_t second = ribbon_hash_second_bytes(key, 6);

	test("a seed's hash is made of both; without a seed it is the first");
	CHECK(ribbon_hash_bytes_seeded(key, 6, 0) == first, "seed 0");
	CHECK(ribbon_hash_bytes_seeded(key, 6, 1) == UINT64_C(0x72913C8E3CA423BC),
		  "seed 1");
	CHECK(ribbon_hash_bytes_seeded(key, 6, UINT32_MAX) ==
			  UINT64_C(0x11DFA4C012D1F3DB),
		  "the greatest seed");
	for (uint32_t seed = 0; seed < 100; seed++)
		CHECK(ribbon_hash_with_seed(first, second, seed) ==
				  ribbon_hash_bytes_seeded(key, 6, seed),
			  "seed %u", (unsigned) seed);
	CHECK(ribbon_hash_with_seed(first, second, 1) !=
			  ribbon_hash_with_seed(first, second ^ 2, 1),
		  "keys of one hash differ by the second");
	CHECK(ribbon_hash_with_seed(first, second, 1) ==
			  ribbon_hash_with_seed(first, second ^ 1, 1),
		  "the lowest bit of the second does not count");
}

int
main(void)
{
	test_vectors();
	test_number();
	test_shards();
	test_seeds();
	return test_done();
}
