/*
 * salt.c - start again from hashes that nobody could aim at anything
 */
#include "build/salt.h"

#include "build/digest.h"
#include "base/hash.h"
#include "base/sort.h"

#define PART_WORDS 65536 /* read at once from a store */

/* What becomes of every part of the hashes; in order. */
typedef RibbonStatus (*TakePart)(void *arg, const uint64_t *hashes, size_t n);

static RibbonStatus
digest_part(void *arg, const uint64_t *hashes, size_t n)
{
	ribbon_digest_add((RibbonDigest *) arg, hashes, n);
	return RIBBON_OK;
}

/* From the words under one salt, or none, to those under another. */
typedef struct Salting
{
	bool again;
	uint64_t old_salt;
	uint64_t salt;
	RibbonWords *salted; /* of a store: to be filled, from these */
	uint64_t *part;
} Salting;

static inline uint64_t
salt_word(const Salting *salting, uint64_t word)
{
	uint64_t hash = salting->again ? ribbon_unmix(word) ^ salting->old_salt :
									 word;

	return ribbon_mix(hash ^ salting->salt);
}

static RibbonStatus
salt_part(void *arg, const uint64_t *words, size_t n)
{
	Salting *salting = (Salting *) arg;

	for (size_t i = 0; i < n; i++)
		salting->part[i] = salt_word(salting, words[i]);
	return ribbon_words_add(salting->salted, salting->part, n);
}

/*
 * Read hashes range by range.  A range that has too many, which is likely since
 * they were aimed at something, is halved.
 */
static RibbonStatus
read_parts(const RibbonEnv *env, const RibbonWords *hashes, TakePart take,
		   void *arg)
{
	uint64_t *room = NULL; /* an array's are read where they are */
	uint64_t first = 0;
	uint64_t span = UINT64_MAX; /* the range is first .. first + span */
	RibbonStatus status = RIBBON_OK;

	if (hashes->store != NULL)
	{
		room = ribbon_alloc(env, PART_WORDS * sizeof(uint64_t));
		if (room == NULL)
			return RIBBON_OUT_OF_MEMORY;
	}
	while (status == RIBBON_OK)
	{
		const uint64_t *part;
		size_t n;

		status = ribbon_words_read(hashes, first, first + span, room,
								   PART_WORDS, &part, &n);
		if (status == RIBBON_OK && n > PART_WORDS)
			span /= 2;
		else if (status == RIBBON_OK)
		{
			status = take(arg, part, n);
			if (status == RIBBON_OK && ribbon_interrupted(env))
				status = RIBBON_INTERRUPTED;
			if (first + span == UINT64_MAX)
				break;
			first += span + 1;
			if (n < PART_WORDS / 4)
				span = 2 * span + 1;
			span = ribbon_min64(span, UINT64_MAX - first);
		}
	}
	ribbon_free(env, room);
	return status;
}

static RibbonStatus
salt_stored(const RibbonEnv *env, const Salting *plan, RibbonWords *words)
{
	Salting salting = *plan;
	RibbonWords salted;
	RibbonStatus status = ribbon_words_create(env, &salted, words->n);

	salting.salted = &salted;
	salting.part = ribbon_alloc(env, PART_WORDS * sizeof(uint64_t));
	if (status == RIBBON_OK && salting.part == NULL)
		status = RIBBON_OUT_OF_MEMORY;
	if (status == RIBBON_OK)
		status = read_parts(env, words, salt_part, &salting);
	ribbon_free(env, salting.part);
	if (status == RIBBON_OK)
		status = ribbon_words_seal(env, &salted);
	ribbon_words_free(env, words);
	*words = salted;
	return status;
}

/* Somebody else's array stays what it is. */
static RibbonStatus
salt_array(const RibbonEnv *env, const Salting *salting, RibbonWords *words)
{
	const uint64_t *from = words->array;
	size_t n = (size_t) words->n;

	if (!words->owned)
	{
		words->array = ribbon_alloc_array(env, n, sizeof(uint64_t));
		words->owned = true;
		if (words->array == NULL)
			return RIBBON_OUT_OF_MEMORY;
	}
	for (size_t i = 0; i < n; i++)
	{
		words->array[i] = salt_word(salting, from[i]);
		if (ribbon_looks_now(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_sort(env, words->array, n);
}

/* The digest of the set, or of the salt before. */
static RibbonStatus
choose_salt(const RibbonEnv *env, const RibbonFilter *filter,
			const RibbonWords *words, uint64_t *salt)
{
	RibbonStatus status = RIBBON_OK;
	RibbonDigest digest;

	ribbon_digest_init(&digest);
	if (filter->salted)
		ribbon_digest_add(&digest, &filter->salt, 1);
	else
		status = read_parts(env, words, digest_part, &digest);
	*salt = ribbon_digest_end(&digest);
	return status;
}

RibbonStatus
ribbon_salt_words(const RibbonEnv *env, RibbonFilter *filter,
				  RibbonWords *words)
{
	Salting salting = {.again = filter->salted, .old_salt = filter->salt};
	RibbonStatus status = choose_salt(env, filter, words, &salting.salt);

	if (status != RIBBON_OK)
		return status;
	filter->salted = true;
	filter->salt = salting.salt;
	if (words->store != NULL)
		return salt_stored(env, &salting, words);
	return salt_array(env, &salting, words);
}
