/*
 * exact.h - exact sets for tests: built from random universes, and asked in
 * every way
 */
#ifndef RIBBON_TEST_EXACT_H
#define RIBBON_TEST_EXACT_H

#include "maps.h"

#include "format/format.h"
#include "keys/hashes.h"

static inline RibbonParams
exact_params(int width)
{
	return (RibbonParams){.kind = RIBBON_EXACT,
						  .width = width,
						  .fpr = 1,
						  .key_class = 1};
}

/* Records of n random keys, of which nmembers are members, here and there. */
static inline uint64_t *
exact_records(Random *random, size_t n, size_t nmembers)
{
	uint64_t *records = malloc((n + 1) * 2 * sizeof(uint64_t));

	for (size_t i = 0; i < n; i++)
	{
		bool member = random_below(random, n - i) < nmembers;

		nmembers -= member;
		records[2 * i] = random_next(random);
		records[2 * i + 1] = ribbon_exact_word(random_next(random), member);
	}
	return records;
}

/* The hash that the set is to be asked for. */
static inline uint64_t
exact_hash(const RibbonFilter *set, const uint64_t *record)
{
	return ribbon_hash_with_seed(record[0], record[1], set->seed);
}

/* ribbon_contains, bit by bit. */
static inline bool
exact_contains_slowly(const RibbonFilter *set, uint64_t hash)
{
	const RibbonOpened *opened = ribbon_opened(set);
	uint64_t code;

	if (!map_get_from_plane(&opened->plane, hash, &code))
		return set->is_inverted;
	if (opened->next > 0)
		map_get_from_plane(map_plane(set, 1), hash, &code);
	else if (opened->plane.value_bits == 0)
		return !set->is_inverted;
	return code != (set->has_rate ? ribbon_hash_mask(hash) : 0);
}

/* Is each key of the universe what it is, whoever is asked, and how? */
static inline void
exact_check(const Built *built, const uint64_t *records, size_t n)
{
	RibbonFilter batched, sliced;
	Slices slices = {.bytes = built->bytes, .nbytes = built->nbytes};
	uint64_t *hashes;
	bool *answers;
	size_t wrong[4] = {0};
	size_t nmembers = 0;
	size_t step = 1 + n / 1000;
	uint64_t code = 1;

	CHECK(built->status == RIBBON_OK, "n %zu: %s", n,
		  ribbon_status_text(built->status));
	if (built->status != RIBBON_OK)
		return;
	hashes = malloc((n + 1) * sizeof(uint64_t));
	answers = malloc(n + 1);
	CHECK(ribbon_check(&ribbon_malloc_env, &built->filter) == RIBBON_OK,
		  "check");
	CHECK(ribbon_open_sliced(built->nbytes, slices_fetch, &slices, &sliced) ==
			  RIBBON_OK,
		  "in slices");
	memcpy(&batched, &built->filter, ribbon_filter_size(&built->filter));
	prefer_batches(&batched);
	for (size_t i = 0; i < n; i++)
		hashes[i] = exact_hash(&built->filter, records + 2 * i);
	ribbon_contains_batch(&batched, hashes, n, answers);
	for (size_t i = 0; i < n; i++)
	{
		bool member = records[2 * i + 1] & RIBBON_MEMBER;

		nmembers += member;
		wrong[0] += ribbon_contains(&built->filter, hashes[i]) != member;
		wrong[1] += answers[i] != member;
		if (i % step != 0)
			continue;
		wrong[2] += ribbon_contains(&sliced, hashes[i]) != member;
		wrong[3] += exact_contains_slowly(&built->filter, hashes[i]) !=
				member ||
			ribbon_get(&built->filter, hashes[i], &code) != member || code != 0;
	}
	CHECK(wrong[0] + wrong[1] + wrong[2] + wrong[3] == 0,
		  "n %zu: %zu, %zu, %zu, %zu are wrong", n, wrong[0], wrong[1],
		  wrong[2], wrong[3]);
	CHECK(built->filter.nkeys == nmembers && built->filter.universe == n,
		  "%zu members of %zu", (size_t) built->filter.nkeys,
		  (size_t) built->filter.universe);
	CHECK(slices.outside == 0, "%zu slices outside", slices.outside);
	free(slices.slice);
	free(hashes);
	free(answers);
}

#endif /* RIBBON_TEST_EXACT_H */
