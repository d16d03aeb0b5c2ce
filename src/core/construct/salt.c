/*
 * salt.c - other hashes for the keys of a set, against chosen keys
 */
#include "construct/salt.h"

#include "base/hash.h"
#include "construct/digest.h"

#define REMIXED_AT_ONCE 1024 /* elements per call of ribbon_hashes_add */

/* From the elements of a set to the same with other hashes. */
typedef struct Remixing
{
	RibbonHashes *to;
	uint64_t (*remix)(const struct Remixing *remixing, const uint64_t *element);
	bool again;		   /* is there an old salt? */
	uint64_t old_salt; /* if again */
	uint64_t salt;
	uint32_t seed; /* of records of an exact set */
} Remixing;

static uint64_t
salted(const Remixing *remixing, const uint64_t *element)
{
	uint64_t unsalted = remixing->again ?
		ribbon_unmix(*element) ^ remixing->old_salt :
		*element;

	return ribbon_mix(unsalted ^ remixing->salt);
}

static uint64_t
seeded(const Remixing *remixing, const uint64_t *element)
{
	return ribbon_hash_with_seed(element[0], element[1], remixing->seed);
}

/* A RibbonTakePart. */
static RibbonStatus
remix_part(void *arg, const uint64_t *elements, size_t n)
{
	const Remixing *remixing = (const Remixing *) arg;
	size_t stride = ribbon_hashes_stride(remixing->to);
	uint64_t buffer[REMIXED_AT_ONCE * RIBBON_RECORD_WORDS];
	RibbonStatus status = RIBBON_OK;

	for (size_t i = 0; i < n && status == RIBBON_OK; i += REMIXED_AT_ONCE)
	{
		size_t few = (size_t) ribbon_min64(n - i, REMIXED_AT_ONCE);

		memcpy(buffer, elements + i * stride, few * stride * sizeof(uint64_t));
		for (size_t k = 0; k < few * stride; k += stride)
			buffer[k] = remixing->remix(remixing, buffer + k);
		status = ribbon_hashes_add(remixing->to, buffer, few);
	}
	return status;
}

/* Replace hashes by what is made of them, sorted. */
static RibbonStatus
replace_hashes(const RibbonEnv *env, Remixing *remixing, RibbonHashes *hashes)
{
	RibbonHashes old = *hashes;
	RibbonStatus status = ribbon_hashes_create(env, hashes, old.n, old.supply);

	remixing->to = hashes;
	if (status == RIBBON_OK)
		status = ribbon_hashes_each(env, &old, remix_part, remixing);
	ribbon_hashes_free(env, &old);
	if (status == RIBBON_OK)
		status = ribbon_hashes_seal(env, hashes);
	return status;
}

/* A digest of hashes, each once, however many keys have it. */
typedef struct SetDigest
{
	RibbonDigest digest;
	size_t stride; /* of records only the hashes: no value makes keys cluster */
	uint64_t last; /* hash that was added, */
	bool any;	   /* if there is one */
} SetDigest;

/* A RibbonTakePart. */
static RibbonStatus
digest_part(void *arg, const uint64_t *elements, size_t n)
{
	SetDigest *set = (SetDigest *) arg;

	for (size_t i = 0; i < n * set->stride; i += set->stride)
	{
		if (set->any && elements[i] == set->last)
			continue;
		ribbon_digest_add(&set->digest, elements + i, 1);
		set->last = elements[i];
		set->any = true;
	}
	return RIBBON_OK;
}

/* Set *next to the digest of the set, or if old is not NULL to that of *old. */
static RibbonStatus
choose_salt(const RibbonEnv *env, const RibbonHashes *hashes,
			const uint64_t *old, uint64_t *next)
{
	SetDigest set = {.stride = ribbon_hashes_stride(hashes)};
	RibbonStatus status = RIBBON_OK;

	ribbon_digest_init(&set.digest);
	if (old != NULL)
		ribbon_digest_add(&set.digest, old, 1);
	else
		status = ribbon_hashes_each(env, hashes, digest_part, &set);
	*next = ribbon_digest_end(&set.digest);
	return status;
}

RibbonStatus
ribbon_salt_hashes(const RibbonEnv *env, RibbonPlane *plane,
				   RibbonHashes *hashes)
{
	Remixing remixing = {.remix = salted,
						 .again = plane->salted,
						 .old_salt = plane->salt};
	RibbonStatus status = choose_salt(env, hashes,
									  plane->salted ? &plane->salt : NULL,
									  &remixing.salt);

	plane->salted = true;
	plane->salt = remixing.salt;
	return status == RIBBON_OK ? replace_hashes(env, &remixing, hashes) :
								 status;
}

RibbonStatus
ribbon_reseed_records(const RibbonEnv *env, const RibbonHashes *unseeded,
					  RibbonHashes *records, uint32_t *seed)
{
	Remixing remixing = {.remix = seeded};
	uint64_t old = *seed;
	uint64_t next;
	RibbonStatus status = choose_salt(env, unseeded, old == 0 ? NULL : &old,
									  &next);

	*seed = remixing.seed = (uint32_t) next == 0 ? 1 : (uint32_t) next;
	ribbon_hashes_free(env, records);
	*records = *unseeded;
	records->owned = false;
	return status == RIBBON_OK ? replace_hashes(env, &remixing, records) :
								 status;
}
