/*
 * test_set_absorb.c - sets in a file take others; a key with two values is a
 * conflict
 */
#include "sets.h"

static void
test_conflict(void)
{
	static const size_t places[] = {1, 3000, 59999};
	Random random = {4};

	test("one hash with two values is a conflict");
	for (size_t i = 0; i < 3; i++)
		for (int kind = RIBBON_MAP_RECORDS; kind <= RIBBON_EXACT_RECORDS;
			 kind++)
			for (int adding = ADD; adding < NADDINGS; adding++)
			{
				Elements elements = elements_random(&random,
													(RibbonElementKind) kind,
													60000, i == 2 ? 56 : 0);
				uint64_t hash = elements.words[0];
				uint64_t word = elements.words[1] ^ 1;
				const RibbonRecord *conflict;
				World world;
				WorldFile file;
				RibbonSet set;
				RibbonStatus status = RIBBON_OK;

				elements_set(&elements, places[i], hash, word);
				world_begin(&world, 2, &file, 16384);
				set = set_in_file(&world.env, &file.file, elements.kind);
				for (size_t at = 0; at < 60000 && status == RIBBON_OK;
					 at += 2000)
					status = ribbon_set_add_to_file(&set,
													elements.words + 2 * at,
													2000);
				if (status == RIBBON_OK)
					status = ribbon_set_seal(&set);
				CHECK(status == RIBBON_CONFLICT, "%s",
					  ribbon_status_text(status));
				conflict = set.conflict;
				CHECK(conflict[0].hash == hash && conflict[1].hash == hash &&
						  (conflict[0].word ^ conflict[1].word) == 1,
					  "not the two records");
				sets_close(&world, &file, &set);
				free(elements.words);
			}
}

static void
test_conflict_of_split(void)
{
	Random random = {31};
	Elements elements = elements_random(&random, RIBBON_MAP_RECORDS, 200000, 0);
	const uint64_t *last = elements.words + 2 * 199999;
	World world;
	WorldFile file;
	RibbonSet set;

	test("a conflict ends a split, whatever is left to split");
	elements_set(&elements, 7, last[0], ~last[1]);
	elements_set(&elements, 199998, last[0], last[1] ^ 1);
	world_begin(&world, 1, &file, 2 * elements.n);
	set = set_in_file(&world.env, &file.file, elements.kind);
	CHECK(ribbon_set_add_to_file(&set, elements.words, elements.n) ==
				  RIBBON_OK &&
			  ribbon_set_split(&set) == RIBBON_CONFLICT,
		  "no conflict");
	CHECK(set.conflict[0].hash == last[0] && set.whole.nwords > 0 &&
			  (set.conflict[0].word ^ set.conflict[1].word) == 1,
		  "not the first two records that are split");
	sets_close(&world, &file, &set);
	free(elements.words);
}

/* A sealed set grows, and takes others, of its file and of another one. */
static void
test_absorb(void)
{
	static const size_t sizes[][2] = {{100, 200},	  {0, 3000},
									  {60000, 300},	  {300, 60000},
									  {60000, 70000}, {1100000, 10}};
	Random random = {5};

	test("a sealed set grows, and absorbs others");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (int same = 0; same < 2; same++)
		{
			size_t a = sizes[i][0], b = sizes[i][1], n = a + b;
			Elements elements = elements_random(&random, RIBBON_MAP_RECORDS,
												n + 500, 0);
			Elements other = elements_copy(&elements, a, b);
			World world;
			WorldFile files[2];
			RibbonSet sets[2];

			world_begin(&world, 2, &files[0], 32768);
			world_file_init(&files[1], &world, 32768);
			elements.n = a;
			CHECK(sets_fill(&world, &files[0], &elements, ADD, 5000,
							&sets[0]) == RIBBON_OK &&
					  sets_fill(&world, &files[same == 0], &other, ADD, 5000,
								&sets[1]) == RIBBON_OK,
				  "fill");
			CHECK(ribbon_set_absorb(&sets[0], &sets[1]) == RIBBON_OK, "absorb");
			CHECK(sets[1].n == 0 || same == 0, "not empty");
			ribbon_set_close(&sets[1]);
			elements.n = n + 500;
			CHECK(sets_add(&sets[0], &elements, n, 500, COLLECT) == RIBBON_OK &&
					  ribbon_set_seal(&sets[0]) == RIBBON_OK,
				  "seal");
			CHECK(sets_have(&sets[0], &elements) &&
					  sets_ranges_equal(&sets[0], &elements, &random),
				  "%zu and %zu: other elements", a, b);
			ribbon_set_close(&sets[0]);
			world_file_close(&files[1]);
			sets_done(&world, &files[0]);
			free(elements.words);
			free(other.words);
		}
}

/*
 * A key has two values in the set that is absorbed, which is sorted as it goes
 * to its file; or one in each set, in two files.
 */
static void
test_absorb_conflict(void)
{
	Random random = {19};
	Elements elements = elements_random(&random, RIBBON_MAP_RECORDS, 14000, 0);
	uint64_t hash = elements.words[0];

	test("the set that absorbs has the records of a conflict");
	elements_set(&elements, 5000, hash, 1);
	for (int both = 0; both < 2; both++)
	{
		World world;
		WorldFile files[2];
		RibbonSet set, other;

		elements_set(&elements, both ? 5001 : 0, hash, 2);
		world_begin(&world, 1, &files[0], 16384);
		world_file_init(&files[1], &world, 16384);
		set = set_in_file(&world.env, &files[0].file, elements.kind);
		other = set_in_file(&world.env, &files[1].file, elements.kind);
		CHECK(sets_add(&set, &elements, both, 4000, ADD) == RIBBON_OK &&
				  sets_add(&other, &elements, 5000, both ? 7000 : 5000, ADD) ==
					  RIBBON_OK &&
				  sets_add(&other, &elements, 12000, both ? 2000 : 0,
						   COLLECT) == RIBBON_OK,
			  "add");
		CHECK(ribbon_set_absorb(&set, &other) == RIBBON_CONFLICT,
			  "no conflict");
		CHECK(set.conflict[0].hash == hash && set.conflict[1].hash == hash &&
				  set.conflict[0].word + set.conflict[1].word == 3,
			  "both %d: not the two records", both);
		ribbon_set_close(&other);
		ribbon_set_close(&set);
		world_file_close(&files[1]);
		sets_done(&world, &files[0]);
	}
	free(elements.words);
}

/* Two empty sets of hashes in one file. */
typedef struct Two
{
	World world;
	WorldFile file;
	RibbonSet set, other;
} Two;

static void
two_init(Two *two)
{
	world_begin(&two->world, 1, &two->file, 16384);
	two->set = set_in_file(&two->world.env, &two->file.file, RIBBON_HASHES);
	two->other = set_in_file(&two->world.env, &two->file.file, RIBBON_HASHES);
}

/* The one that has absorbed the other is sealed: has it all elements? */
static void
two_done(Two *two, Elements *elements)
{
	CHECK(sets_have(&two->set, elements), "other elements");
	ribbon_set_close(&two->other);
	sets_close(&two->world, &two->file, &two->set);
	free(elements->words);
}

/* What is in memory yet goes along: so much that the other set is cut then. */
static void
test_absorb_collected(void)
{
	Random random = {10};
	size_t n = 30000;
	Elements elements = elements_random(&random, RIBBON_HASHES, n, 0);
	Two two;

	test("a set absorbs what another has only collected");
	two_init(&two);
	CHECK(ribbon_set_collect(&two.other, elements.words, n) == RIBBON_OK &&
			  two.other.parts == NULL &&
			  ribbon_set_absorb(&two.set, &two.other) == RIBBON_OK &&
			  two.other.parts != NULL && two.other.n == 0 &&
			  ribbon_set_seal(&two.set) == RIBBON_OK,
		  "absorb");
	two_done(&two, &elements);
}

/* Two lists that are sorted in memory may be one that is not. */
static void
test_absorb_much(void)
{
	Random random = {11};
	size_t half = 10000, n = 2 * half + 100;
	Elements elements = elements_random(&random, RIBBON_HASHES, n, 0);
	Two two;

	test("a set that has absorbed more than it sorts at once is cut");
	two_init(&two);
	CHECK(ribbon_set_add_to_file(&two.set, elements.words, half) == RIBBON_OK &&
			  ribbon_set_add_to_file(&two.other, elements.words + half, half) ==
				  RIBBON_OK &&
			  ribbon_set_absorb(&two.set, &two.other) == RIBBON_OK &&
			  two.set.parts == NULL && two.set.whole.nwords > 16384 &&
			  ribbon_set_add_to_file(&two.set, elements.words + 2 * half,
									 100) == RIBBON_OK &&
			  two.set.parts != NULL && ribbon_set_seal(&two.set) == RIBBON_OK,
		  "absorb");
	two_done(&two, &elements);
}

int
main(void)
{
	test_conflict();
	test_conflict_of_split();
	test_absorb();
	test_absorb_conflict();
	test_absorb_collected();
	test_absorb_much();
	return test_done();
}
