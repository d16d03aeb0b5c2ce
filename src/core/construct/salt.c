/*
 * salt.c - remix the hashes of a set with a salt, against chosen keys
 */
#include "construct/salt.h"

#include "base/hash.h"
#include "construct/digest.h"

static RibbonStatus
digest_part(void *arg, const uint64_t *hashes, size_t n)
{
	ribbon_digest_add((RibbonDigest *) arg, hashes, n);
	return RIBBON_OK;
}

/* Of records only the hashes: no value makes keys cluster. */
static RibbonStatus
digest_records(void *arg, const uint64_t *records, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ribbon_digest_add((RibbonDigest *) arg,
						  records + i * RIBBON_RECORD_WORDS, 1);
	return RIBBON_OK;
}

/* From the hashes under one salt, or none, to those under another. */
typedef struct Salting
{
	bool again;		   /* is there an old salt? */
	uint64_t old_salt; /* if again */
	uint64_t salt;
	/* the hashes of a store: */
	RibbonHashes *salted; /* gets the salted hashes */
	uint64_t *part;		  /* room for RIBBON_PART_HASHES of them */
} Salting;

static inline uint64_t
salt_hash(const Salting *salting, uint64_t hash)
{
	uint64_t unsalted = salting->again ?
		ribbon_unmix(hash) ^ salting->old_salt :
		hash;

	return ribbon_mix(unsalted ^ salting->salt);
}

/* Set salted to n hashes, or records, under the new salt. */
static void
salt_hashes(const Salting *salting, const uint64_t *hashes, size_t n,
			size_t stride, uint64_t *salted)
{
	for (size_t i = 0; i < n * stride; i += stride)
	{
		salted[i] = salt_hash(salting, hashes[i]);
		if (stride > 1)
			salted[i + 1] = hashes[i + 1];
	}
}

static RibbonStatus
salt_part(void *arg, const uint64_t *hashes, size_t n)
{
	Salting *salting = (Salting *) arg;

	salt_hashes(salting, hashes, n, ribbon_hashes_stride(salting->salted),
				salting->part);
	return ribbon_hashes_add(salting->salted, salting->part, n);
}

static RibbonStatus
salt_stored(const RibbonEnv *env, const Salting *plan, RibbonHashes *hashes)
{
	Salting salting = *plan;
	RibbonHashes salted;
	RibbonStatus status = ribbon_hashes_create(env, &salted, hashes->n,
											   hashes->supply);

	salting.salted = &salted;
	salting.part = ribbon_alloc_array(env, RIBBON_PART_HASHES,
									  ribbon_hashes_stride(hashes) *
										  sizeof(uint64_t));
	if (status == RIBBON_OK && salting.part == NULL)
		status = RIBBON_OUT_OF_MEMORY;
	if (status == RIBBON_OK)
		status = ribbon_hashes_each(env, hashes, salt_part, &salting);
	ribbon_free(env, salting.part);
	if (status == RIBBON_OK)
		status = ribbon_hashes_seal(env, &salted);
	ribbon_hashes_free(env, hashes);
	*hashes = salted;
	return status;
}

/* Salt an array: in place if hashes owns it, else into an array of its own. */
static RibbonStatus
salt_array(const RibbonEnv *env, const Salting *salting, RibbonHashes *hashes)
{
	const uint64_t *from = hashes->array;
	size_t n = (size_t) hashes->n;
	size_t stride = ribbon_hashes_stride(hashes);

	if (!hashes->owned)
	{
		hashes->array = ribbon_alloc_array(env, n, stride * sizeof(uint64_t));
		hashes->owned = true;
		if (hashes->array == NULL)
			return RIBBON_OUT_OF_MEMORY;
	}
	for (size_t i = 0; i < n; i += RIBBON_PART_HASHES)
	{
		salt_hashes(salting, from + i * stride,
					(size_t) ribbon_min64(n - i, RIBBON_PART_HASHES), stride,
					hashes->array + i * stride);
		if (ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_hashes_sort(env, hashes);
}

/* Set *salt to the digest of the set, or, if it is salted, of the old salt. */
static RibbonStatus
choose_salt(const RibbonEnv *env, const RibbonPlane *plane,
			const RibbonHashes *hashes, uint64_t *salt)
{
	RibbonStatus status = RIBBON_OK;
	RibbonDigest digest;

	ribbon_digest_init(&digest);
	if (plane->salted)
		ribbon_digest_add(&digest, &plane->salt, 1);
	else
		status = ribbon_hashes_each(env, hashes,
									hashes->supply == NULL ? digest_part :
															 digest_records,
									&digest);
	*salt = ribbon_digest_end(&digest);
	return status;
}

RibbonStatus
ribbon_salt_hashes(const RibbonEnv *env, RibbonPlane *plane,
				   RibbonHashes *hashes)
{
	Salting salting = {.again = plane->salted, .old_salt = plane->salt};
	RibbonStatus status = choose_salt(env, plane, hashes, &salting.salt);

	if (status != RIBBON_OK)
		return status;
	plane->salted = true;
	plane->salt = salting.salt;
	if (hashes->store != NULL)
		return salt_stored(env, &salting, hashes);
	return salt_array(env, &salting, hashes);
}
