/*
 * reseed.c - other hashes for keys of which some collide
 */
#include "construct/exact.h"

#include "base/hash.h"
#include "construct/digest.h"

#define BUFFER_RECORDS 1024

/* From the records under seed 0 to those under another. */
typedef struct Reseeding
{
	uint32_t seed;
	RibbonHashes *seeded;
	uint64_t last; /* hash that was digested, */
	bool any;	   /* if there is one */
	RibbonDigest digest;
} Reseeding;

/* Digest each hash once, however many keys have it. */
static RibbonStatus
digest_part(void *arg, const uint64_t *records, size_t n)
{
	Reseeding *reseeding = (Reseeding *) arg;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t hash = records[i * RIBBON_RECORD_WORDS];

		if (reseeding->any && hash == reseeding->last)
			continue;
		ribbon_digest_add(&reseeding->digest, &hash, 1);
		reseeding->last = hash;
		reseeding->any = true;
	}
	return RIBBON_OK;
}

static RibbonStatus
seed_part(void *arg, const uint64_t *records, size_t n)
{
	Reseeding *reseeding = (Reseeding *) arg;
	uint64_t buffer[BUFFER_RECORDS * RIBBON_RECORD_WORDS];
	RibbonStatus status = RIBBON_OK;

	for (size_t i = 0; i < n && status == RIBBON_OK; i += BUFFER_RECORDS)
	{
		size_t now = (size_t) ribbon_min64(n - i, BUFFER_RECORDS);
		const uint64_t *from = records + i * RIBBON_RECORD_WORDS;

		for (size_t k = 0; k < now * RIBBON_RECORD_WORDS;
			 k += RIBBON_RECORD_WORDS)
		{
			buffer[k] = ribbon_hash_with_seed(from[k], from[k + 1],
											  reseeding->seed);
			buffer[k + 1] = from[k + 1];
		}
		status = ribbon_hashes_add(reseeding->seeded, buffer, now);
	}
	return status;
}

/* The first seed is a digest of all hashes, each later one of that before. */
static RibbonStatus
choose_seed(const RibbonEnv *env, const RibbonHashes *unseeded,
			Reseeding *reseeding)
{
	uint64_t old = reseeding->seed;
	RibbonStatus status = RIBBON_OK;

	ribbon_digest_init(&reseeding->digest);
	if (old != 0)
		ribbon_digest_add(&reseeding->digest, &old, 1);
	else
		status = ribbon_hashes_each(env, unseeded, digest_part, reseeding);
	reseeding->seed = (uint32_t) ribbon_digest_end(&reseeding->digest);
	if (reseeding->seed == 0)
		reseeding->seed = 1;
	return status;
}

RibbonStatus
ribbon_reseed_records(const RibbonEnv *env, const RibbonHashes *unseeded,
					  RibbonHashes *records, uint32_t *seed)
{
	RibbonHashes seeded;
	Reseeding reseeding = {.seed = *seed, .seeded = &seeded};
	RibbonStatus status = choose_seed(env, unseeded, &reseeding);

	if (status != RIBBON_OK)
		return status;
	status = ribbon_hashes_create(env, &seeded, unseeded->n, unseeded->supply);
	if (status == RIBBON_OK)
		status = ribbon_hashes_each(env, unseeded, seed_part, &reseeding);
	if (status == RIBBON_OK)
		status = ribbon_hashes_seal(env, &seeded);
	ribbon_hashes_free(env, records);
	*records = seeded;
	*seed = reseeding.seed;
	return status;
}
