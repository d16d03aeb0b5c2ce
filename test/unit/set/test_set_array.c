/*
 * test_set_array.c - what a set has in memory: how it grows, and goes to a
 * file
 */
#include "sets.h"

#include "base/env.h"

/* What was added counts at once, until sealing finds duplicates. */
static void
test_counts(void)
{
	Random random = {15};
	Elements elements = elements_random(&random, RIBBON_MAP_RECORDS, 3000, 0);

	test("a set counts what is added to it");
	for (int how = ADD; how < NADDINGS; how++)
	{
		World world;
		WorldFile file;
		RibbonSet set;

		world_begin(&world, 1, &file, 16384);
		set = set_in_file(&world.env, &file.file, RIBBON_MAP_RECORDS);
		for (size_t n = 0, expected = 0; n < 3000; n += 1000)
		{
			Elements distinct = elements_copy(&elements, n, 1000);

			CHECK(elements_sort(&distinct) == RIBBON_OK, "sort");
			expected += how == ADD_SORTED ? distinct.n : 1000;
			CHECK(sets_add(&set, &elements, n, 1000, (Adding) how) ==
						  RIBBON_OK &&
					  set.n == expected,
				  "way %d: %zu, not %zu", how, (size_t) set.n, expected);
			free(distinct.words);
		}
		sets_close(&world, &file, &set);
	}
	free(elements.words);
}

/* Ask an array for more than it has, at its limit: it is emptied. */
static RibbonStatus
outgrow(RibbonSet *set)
{
	size_t limit = set->limit;
	size_t nfree = (set->room - set->narray) / ribbon_set_stride(set);
	RibbonStatus status;

	set->limit = set->room;
	status = ribbon_set_make_room(set, nfree + 1);
	set->limit = limit;
	return status;
}

/*
 * Whatever the array has room for when it goes to a file, and if something is
 * in it, there is room then for as many as may be asked for: 2 MB.
 */
static void
test_rooms(void)
{
	static const size_t rooms[] = {700, 100000, 150000, 262144, 400000};
	static const size_t pieces[] = {60, 249700, 249740};
	Random random = {16};
	Elements elements = elements_random(&random, RIBBON_HASHES, 500000, 0);

	test("an array of any size has room once it is emptied into a file");
	for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++)
	{
		Elements distinct = elements_copy(&elements, 0, elements.n);
		World world;
		WorldFile file;
		RibbonSet set;

		world_begin(&world, 1, &file, 100000);
		set = ribbon_set_growing(&world.env, RIBBON_HASHES);
		ribbon_set_limit(&set, SIZE_MAX, &file.file);
		CHECK(ribbon_set_reserve(&set, rooms[i]) == RIBBON_OK &&
				  ribbon_set_collect(&set, elements.words, 500) == RIBBON_OK &&
				  set.room == rooms[i] &&
				  (i % 2 == 0 || ribbon_set_seal(&set) == RIBBON_OK) &&
				  outgrow(&set) == RIBBON_OK && set.in_file,
			  "room for %zu", rooms[i]);
		ribbon_set_limit(&set, SIZE_MAX, NULL);
		CHECK(set.file == &file.file, "it is in another file");
		for (size_t p = 0, n = 500; p < 3; n += pieces[p++])
			CHECK(ribbon_set_make_room(&set, pieces[p]) == RIBBON_OK &&
					  set.room - set.narray >= pieces[p] &&
					  ribbon_set_collect(&set, elements.words + n, pieces[p]) ==
						  RIBBON_OK,
				  "room for %zu, now for %zu", rooms[i], set.room);
		CHECK(ribbon_set_seal(&set) == RIBBON_OK, "seal");
		CHECK(sets_have(&set, &distinct), "other elements");
		sets_close(&world, &file, &set);
		free(distinct.words);
	}
	free(elements.words);
}

/* What an array is that is to go to a file, and what becomes of it. */
#define SPILLED 3000

/* A set that has collected these elements in memory, and a file for it. */
static RibbonSet
collected(World *world, WorldFile *file, const Elements *elements)
{
	RibbonSet set;

	world_begin(world, 1, file, 16384);
	set = ribbon_set_growing(&world->env, elements->kind);
	ribbon_set_limit(&set, SIZE_MAX, &file->file);
	CHECK(ribbon_set_make_room(&set, elements->n) == RIBBON_OK &&
			  ribbon_set_collect(&set, elements->words, elements->n) ==
				  RIBBON_OK,
		  "collect");
	return set;
}

/* How many are low enough to be looked at: one in 16, all, or none. */
typedef enum Looked
{
	SOME,
	ALL,
	NONE
} Looked;

static void
check_spill(RibbonElementKind kind, unsigned each, Looked looked, bool refuse,
			RibbonStatus expected, bool stays)
{
	Random random = {17};
	Elements elements = elements_create(kind, SPILLED);
	World world;
	WorldFile file;
	RibbonSet set;

	for (size_t i = 0; i < elements.n; i++)
	{
		uint64_t hash = i % each > 0 ?
			elements.words[(i - 1) * ribbon_element_stride(kind)] :
			random_next(&random) >> (looked == ALL ? 4 : 0);

		if (looked == NONE)
			hash |= UINT64_C(1) << 60;
		elements_set(&elements, i, hash, i);
	}
	set = collected(&world, &file, &elements);
	world.refuse_at = refuse ? world.allocations + 1 : 0;
	CHECK(outgrow(&set) == expected, "kind %d, each %u times, looked at %d",
		  kind, each, looked);
	if (expected == RIBBON_OK)
	{
		CHECK(set.in_file != stays, "each %u times, looked at %d: a file %d",
			  each, looked, set.in_file);
		CHECK(!stays || set.narray == SPILLED / each, "%zu words", set.narray);
		CHECK(ribbon_set_seal(&set) == RIBBON_OK && sets_have(&set, &elements),
			  "other elements");
	}
	sets_close(&world, &file, &set);
	free(elements.words);
}

/*
 * Of the hashes that are looked at, which come once, so many are too few or too
 * many to tell; all others are one.
 */
static void
check_unknown(size_t nlow)
{
	Random random = {18};
	Elements elements = elements_create(RIBBON_HASHES, SPILLED);
	World world;
	WorldFile file;
	RibbonSet set;

	for (size_t i = 0; i < elements.n; i++)
		elements.words[i] = i < nlow ? random_next(&random) >> 4 : UINT64_MAX;
	set = collected(&world, &file, &elements);
	CHECK(outgrow(&set) == RIBBON_OK && !set.in_file && set.narray == nlow + 1,
		  "%zu: %zu words", nlow, set.narray);
	sets_close(&world, &file, &set);
	free(elements.words);
}

static void
test_spill(void)
{
	RibbonSet set = ribbon_set_growing(&ribbon_malloc_env, RIBBON_HASHES);

	test("what goes to a file, what only loses its duplicates, what fails");
	check_spill(RIBBON_HASHES, 1, SOME, false, RIBBON_OK, false);
	check_spill(RIBBON_HASHES, 10, SOME, false, RIBBON_OK, true);
	check_spill(RIBBON_HASHES, 2, SOME, false, RIBBON_OK, true);
	/* chosen so that nothing is known: sorted */
	check_spill(RIBBON_HASHES, 1, ALL, false, RIBBON_OK, false);
	check_spill(RIBBON_HASHES, 10, ALL, false, RIBBON_OK, true);
	check_spill(RIBBON_HASHES, 1, NONE, false, RIBBON_OK, false);
	check_spill(RIBBON_HASHES, 10, NONE, false, RIBBON_OK, true);
	check_unknown(SPILLED / 40);
	check_unknown(SPILLED / 5);
	check_spill(RIBBON_HASHES, 1, SOME, true, RIBBON_OUT_OF_MEMORY, false);
	/* two words of one hash: seen when some are looked at, or all sorted */
	check_spill(RIBBON_MAP_RECORDS, 2, ALL, false, RIBBON_CONFLICT, false);
	check_spill(RIBBON_MAP_RECORDS, 10, NONE, false, RIBBON_CONFLICT, false);

	CHECK(ribbon_set_reserve(&set, UINT64_MAX / 4) == RIBBON_OUT_OF_MEMORY &&
			  set.array == NULL,
		  "more than there can be");
}

int
main(void)
{
	test_counts();
	test_rooms();
	test_spill();
	return test_done();
}
