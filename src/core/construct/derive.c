/*
 * derive.c - passes over a set of hashes, and sets made from a set
 */
#include "construct/derive.h"

/*
 * Range by range.  One that has too many hashes, which is likely if they
 * cluster, is halved; but not one hash, which records may have many times.
 */
RibbonStatus
ribbon_hashes_each(const RibbonEnv *env, const RibbonHashes *hashes,
				   RibbonTakePart take, void *arg)
{
	RibbonHashRange part = {.room = NULL};
	uint64_t first = 0;
	uint64_t span = UINT64_MAX; /* the range is first .. first + span */
	uint64_t nread = 0;
	RibbonStatus status = ribbon_hashes_make_room(env, hashes, &part,
												  RIBBON_PART_HASHES);

	while (status == RIBBON_OK)
	{
		status = ribbon_hashes_read(env, hashes, first, first + span,
									span > 0 ? RIBBON_PART_HASHES : UINT64_MAX,
									&part);
		if (status == RIBBON_OK && part.n > RIBBON_PART_HASHES && span > 0)
			span /= 2;
		else if (status == RIBBON_OK)
		{
			status = take(arg, part.hashes, part.n);
			nread += part.n;
			if (status == RIBBON_OK && ribbon_interrupted(env))
				status = RIBBON_INTERRUPTED;
			if (first + span == UINT64_MAX)
				break;
			first += span + 1;
			if (part.n < RIBBON_PART_HASHES / 4)
				span = 2 * span + 1;
			span = ribbon_min64(span, UINT64_MAX - first);
		}
	}
	ribbon_free(env, part.room);
	if (status == RIBBON_OK && nread != hashes->n)
		status = RIBBON_BAD_STORE;
	return status;
}

typedef struct Deriving
{
	RibbonDerive derive;
	void *arg;
	RibbonHashes *to;
	size_t stride; /* of the elements that there are */
} Deriving;

/* A RibbonTakePart. */
static RibbonStatus
derive_part(void *arg, const uint64_t *elements, size_t n)
{
	const Deriving *d = arg;
	uint64_t out[RIBBON_DERIVED_AT_ONCE * RIBBON_RECORD_WORDS];
	RibbonStatus status = RIBBON_OK;

	for (size_t i = 0; i < n && status == RIBBON_OK;
		 i += RIBBON_DERIVED_AT_ONCE)
	{
		size_t now = (size_t) ribbon_min64(n - i, RIBBON_DERIVED_AT_ONCE);

		now = d->derive(d->arg, elements + i * d->stride, now, out);
		status = ribbon_hashes_add(d->to, out, now);
	}
	return status;
}

RibbonStatus
ribbon_hashes_derive(const RibbonEnv *env, const RibbonHashes *from,
					 RibbonDerive derive, void *arg, uint64_t capacity,
					 RibbonHashes *to)
{
	Deriving d = {derive, arg, to, ribbon_hashes_stride(from)};
	RibbonStatus status = ribbon_hashes_create(env, to, capacity, to->supply);

	if (status == RIBBON_OK)
		status = ribbon_hashes_each(env, from, derive_part, &d);
	if (status == RIBBON_OK && to->store != NULL && to->n <= capacity)
		status = ribbon_hashes_seal(env, to);
	return status;
}

size_t
ribbon_pass_records(void *arg, const uint64_t *records, size_t n,
					uint64_t *passed)
{
	const RibbonPassing *passing = (const RibbonPassing *) arg;
	bool answers[RIBBON_DERIVED_AT_ONCE + 1];
	uint64_t *out = passed;
	size_t nasked = 0, next = 0;

	/* the filter takes hashes in a row: passed has room for them meanwhile */
	for (size_t i = 0; i < n; i++)
	{
		passed[nasked] = records[2 * i];
		nasked += (records[2 * i + 1] & passing->mask) != passing->sure;
	}
	ribbon_contains_batch(passing->filter, passed, nasked, answers);
	answers[nasked] = false;
	for (size_t i = 0; i < n; i++)
	{
		uint64_t word = records[2 * i + 1];
		size_t sure = (word & passing->mask) == passing->sure;

		out[0] = records[2 * i];
		out[1] = word;
		out += (sure | answers[next]) * RIBBON_RECORD_WORDS;
		next += !sure;
	}
	return (size_t) (out - passed) / RIBBON_RECORD_WORDS;
}
