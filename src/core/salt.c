/*
 * salt.c - start again from hashes that nobody could aim at anything
 */
#include "salt.h"

#include "hash.h"
#include "sort.h"

#define PART_WORDS 65536 /* read at once from a store */

/* What becomes of every part of the hashes; in order. */
typedef RibbonStatus (*TakePart)(void *arg, const uint64_t *hashes, size_t n);

/* Make *sum a number that depends on every hash of the sorted set. */
static RibbonStatus
digest(void *arg, const uint64_t *hashes, size_t n)
{
	uint64_t sum = *(uint64_t *) arg;

	for (size_t i = 0; i < n; i++)
		sum = ribbon_mix(sum ^ hashes[i]);
	*(uint64_t *) arg = sum;
	return RIBBON_OK;
}

typedef struct Salting
{
	uint64_t salt;
	RibbonWords *salted;
	uint64_t words[PART_WORDS];
} Salting;

static RibbonStatus
salt_part(void *arg, const uint64_t *hashes, size_t n)
{
	Salting *salting = (Salting *) arg;

	for (size_t i = 0; i < n; i++)
		salting->words[i] = ribbon_mix(hashes[i] ^ salting->salt);
	return ribbon_words_add(salting->salted, salting->words, n);
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
salt_stored(const RibbonEnv *env, uint64_t salt, const RibbonWords *hashes,
			RibbonWords *salted)
{
	RibbonStatus status = ribbon_words_create(env, salted, hashes->n);
	Salting *salting;

	if (status != RIBBON_OK)
		return status;
	salting = ribbon_alloc(env, sizeof(Salting));
	if (salting == NULL)
		return RIBBON_OUT_OF_MEMORY;
	salting->salt = salt;
	salting->salted = salted;
	status = read_parts(env, hashes, salt_part, salting);
	ribbon_free(env, salting);
	return status == RIBBON_OK ? ribbon_words_seal(env, salted) : status;
}

static RibbonStatus
salt_array(const RibbonEnv *env, uint64_t salt, uint64_t *hashes, size_t n)
{
	for (size_t i = 0; i < n; i++)
	{
		hashes[i] = ribbon_mix(hashes[i] ^ salt);
		if (ribbon_looks_now(i) && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_sort(env, hashes, n);
}

RibbonStatus
ribbon_salt_words(const RibbonEnv *env, RibbonFilter *filter,
				  const RibbonWords *hashes, RibbonWords *salted)
{
	RibbonStatus status;

	*salted = *hashes;
	salted->owned = false;
	filter->salt = hashes->n;
	status = read_parts(env, hashes, digest, &filter->salt);
	if (status != RIBBON_OK)
		return status;
	filter->salted = true;
	if (hashes->store != NULL)
		return salt_stored(env, filter->salt, hashes, salted);
	return salt_array(env, filter->salt, hashes->array, (size_t) hashes->n);
}
