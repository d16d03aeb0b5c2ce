/*
 * salt.c - other hashes for the keys of a set, against chosen keys
 */
#include "construct/salt.h"

#include "construct/digest.h"
#include "keys/hashes.h"
#include "set/derive.h"

/* From the elements of a set to the same with other hashes. */
typedef struct Remixing
{
	size_t stride; /* words of an element */
	uint64_t salt;
	uint32_t seed; /* of records of an exact set; 0: by the salt */
} Remixing;

/* A RibbonDerive. */
static size_t
remix_elements(void *arg, const uint64_t *elements, size_t n, uint64_t *out)
{
	const Remixing *remixing = (const Remixing *) arg;
	size_t stride = remixing->stride;

	memcpy(out, elements, n * stride * sizeof(uint64_t));
	for (size_t k = 0; k < n * stride; k += stride)
		out[k] = remixing->seed > 0 ?
			ribbon_hash_with_seed(elements[k], elements[k + 1],
								  remixing->seed) :
			ribbon_hash_salted(elements[k], remixing->salt);
	return n;
}

/* A digest of hashes, each once, however many keys have it. */
typedef struct SetDigest
{
	RibbonDigest digest;
	size_t stride; /* of records only the hashes: no value makes keys cluster */
	RibbonLastHash last;
} SetDigest;

/* A RibbonTakeElements. */
static RibbonStatus
digest_elements(void *arg, const uint64_t *elements, size_t n)
{
	SetDigest *set = (SetDigest *) arg;

	for (size_t i = 0; i < n * set->stride; i += set->stride)
		if (!ribbon_hash_repeats(&set->last, elements[i]))
			ribbon_digest_add(&set->digest, elements[i]);
	return RIBBON_OK;
}

/* Set *next to the digest of the set, or if old is not NULL to that of *old. */
static RibbonStatus
choose_salt(const RibbonEnv *env, const RibbonSet *hashes, const uint64_t *old,
			uint64_t *next)
{
	SetDigest set = {.stride = ribbon_set_stride(hashes)};
	RibbonStatus status = RIBBON_OK;

	ribbon_digest_init(&set.digest);
	if (old != NULL)
		ribbon_digest_add(&set.digest, *old);
	else
		status = ribbon_set_each(env, hashes, digest_elements, &set);
	*next = ribbon_digest_end(&set.digest);
	return status;
}

RibbonStatus
ribbon_salt_build(const RibbonEnv *env, RibbonPlane *plane,
				  const RibbonSet *hashes, RibbonSaltAttempt attempt, void *arg)
{
	RibbonSet salted = {.n = 0};
	RibbonStatus status = attempt(arg, hashes);

	while (status == RIBBON_SUSPICIOUS)
	{
		Remixing remixing = {.stride = ribbon_set_stride(hashes)};

		status = choose_salt(env, hashes, plane->salted ? &plane->salt : NULL,
							 &remixing.salt);
		plane->salted = true;
		plane->salt = remixing.salt;
		if (status == RIBBON_OK)
			status = ribbon_set_derive(env, hashes, remix_elements, &remixing,
									   hashes->kind, hashes->n, &salted);
		if (status == RIBBON_OK)
			status = attempt(arg, &salted);
	}
	ribbon_set_close(&salted);
	return status;
}

RibbonStatus
ribbon_salt_reseed(const RibbonEnv *env, const RibbonSet *unseeded,
				   RibbonSet *records, uint32_t *seed)
{
	Remixing remixing = {.stride = ribbon_set_stride(unseeded)};
	uint64_t old = *seed;
	uint64_t next;
	RibbonStatus status = choose_salt(env, unseeded, old == 0 ? NULL : &old,
									  &next);

	*seed = remixing.seed = (uint32_t) next == 0 ? 1 : (uint32_t) next;
	return status == RIBBON_OK ?
		ribbon_set_derive(env, unseeded, remix_elements, &remixing,
						  unseeded->kind, unseeded->n, records) :
		status;
}
