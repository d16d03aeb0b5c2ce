/* Sets in a file: sorted, distinct, whatever comes */
#include "sets.h"

#include "base/env.h"

#define KIND_NAME(kind) \
	((kind) == RIBBON_HASHES		  ? "hashes" : \
		 (kind) == RIBBON_MAP_RECORDS ? "map records" : \
										"exact records")

/* The set of the elements, in each way, is what it should be. */
static void
check_set(const Elements *elements, size_t sort_words, size_t piece)
{
	Elements sorted = elements_copy(elements, 0, elements->n);
	Random random = {elements->n};

	CHECK(elements_sort(&sorted) == RIBBON_OK, "sort");
	for (int way = 0; way < 2 * NADDINGS; way++)
	{
		World world;
		WorldFile file;
		RibbonSet set;

		world_init(&world, 1 + (unsigned) way % 3);
		world_file_init(&file, &world, sort_words);
		file.file.threads_read = way % 2 == 1;
		CHECK(sets_fill(&world, &file, elements, (Adding) (way % NADDINGS),
						piece, &set) == RIBBON_OK,
			  "fill");
		CHECK(sets_equal(&set, &sorted), "%s, n %zu, way %d: other elements",
			  KIND_NAME(elements->kind), elements->n, way);
		CHECK(sets_ranges_equal(&set, &sorted, &random),
			  "%s, n %zu, way %d: other ranges", KIND_NAME(elements->kind),
			  elements->n, way);
		CHECK(!world.went_back, "progress");
		ribbon_set_close(&set);
		sets_done(&world, &file);
	}
	free(sorted.words);
}

static void
test_sizes(void)
{
	static const size_t sizes[] = {0,	 1,	   2,	  4095,	 4096,
								   4097, 9000, 70000, 300000};
	Random random = {1};

	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
	{
		test("a set in a file is sorted and distinct");
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
			for (size_t sort_words = 16384; sort_words <= 1 << 20;
				 sort_words *= 64)
			{
				Elements elements = elements_random(&random,
													(RibbonElementKind) kind,
													sizes[s], 0);

				check_set(&elements, sort_words, 1 + sizes[s] / 5);
				free(elements.words);
			}
	}
}

/*
 * More than a set that is one list may have, and of each of its parts the first
 * hash, again and again.
 */
static void
test_large(void)
{
	const size_t each = 500;
	Random random = {2};

	test("large sets are cut");
	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind += 2)
	{
		Elements elements = elements_random(&random, (RibbonElementKind) kind,
											1300000, 0);
		size_t stride = ribbon_element_stride(elements.kind);

		for (size_t i = 0; i < elements.n; i += each)
			elements.words[i * stride] = (uint64_t) (i / each) << 56;
		check_set(&elements, 1 << 20, 90000);
		free(elements.words);
	}
}

/* Keys may have been chosen so that their hashes begin alike. */
static void
test_alike(void)
{
	Random random = {3};

	test("hashes that are alike in 8, 16, ... 56 bits");
	for (unsigned alike = 8; alike <= 56; alike += 8)
		for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
		{
			Elements elements = elements_random(&random,
												(RibbonElementKind) kind, 60000,
												alike);

			check_set(&elements, 8192, 7000);
			free(elements.words);
		}
}

/* Lists that are short are sorted by the same threads. */
static void
test_short_lists(void)
{
	Random random = {4};
	Elements elements = elements_random(&random, RIBBON_HASHES, 60000, 0);
	World world;
	WorldFile file;
	RibbonSet set;

	test("short lists are not worth a thread each");
	world_init(&world, 3);
	world_file_init(&file, &world, 16384);
	CHECK(sets_fill(&world, &file, &elements, ADD, 7000, &set) == RIBBON_OK &&
			  set.parts != NULL,
		  "fill");
	CHECK(world.tasks > 0 && world.tasks <= 3 * 256 / 16, "%ld tasks",
		  world.tasks);
	ribbon_set_close(&set);
	sets_done(&world, &file);
	free(elements.words);
}

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

		world_init(&world, 1);
		world_file_init(&file, &world, 16384);
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
		ribbon_set_close(&set);
		sets_done(&world, &file);
	}
	free(elements.words);
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

		world_init(&world, 1);
		world_file_init(&file, &world, 100000);
		set = ribbon_set_growing(&world.env, RIBBON_HASHES);
		ribbon_set_limit(&set, SIZE_MAX, &file.file);
		CHECK(ribbon_set_reserve(&set, rooms[i]) == RIBBON_OK &&
				  ribbon_set_collect(&set, elements.words, 500) == RIBBON_OK &&
				  set.room == rooms[i] &&
				  (i % 2 == 0 || ribbon_set_seal(&set) == RIBBON_OK) &&
				  ribbon_set_empty_array(&set) == RIBBON_OK &&
				  set.storage != RIBBON_IN_ARRAY,
			  "room for %zu", rooms[i]);
		for (size_t p = 0, n = 500; p < 3; n += pieces[p++])
			CHECK(ribbon_set_make_room(&set, pieces[p]) == RIBBON_OK &&
					  set.room - set.narray >= pieces[p] &&
					  ribbon_set_collect(&set, elements.words + n, pieces[p]) ==
						  RIBBON_OK,
				  "room for %zu, now for %zu", rooms[i], set.room);
		CHECK(ribbon_set_seal(&set) == RIBBON_OK, "seal");
		CHECK(elements_sort(&distinct) == RIBBON_OK &&
				  sets_equal(&set, &distinct),
			  "other elements");
		ribbon_set_close(&set);
		sets_done(&world, &file);
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

	world_init(world, 1);
	world_file_init(file, world, 16384);
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
	CHECK(ribbon_set_empty_array(&set) == expected,
		  "kind %d, each %u times, looked at %d", kind, each, looked);
	if (expected == RIBBON_OK)
	{
		CHECK((set.storage == RIBBON_IN_ARRAY) == stays,
			  "each %u times, looked at %d: a file %d", each, looked,
			  set.storage != RIBBON_IN_ARRAY);
		CHECK(!stays || set.narray == SPILLED / each, "%zu words", set.narray);
		CHECK(ribbon_set_seal(&set) == RIBBON_OK &&
				  elements_sort(&elements) == RIBBON_OK &&
				  sets_equal(&set, &elements),
			  "other elements");
	}
	ribbon_set_close(&set);
	sets_done(&world, &file);
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
	CHECK(ribbon_set_empty_array(&set) == RIBBON_OK &&
			  set.storage == RIBBON_IN_ARRAY && set.narray == nlow + 1,
		  "%zu: %zu words", nlow, set.narray);
	ribbon_set_close(&set);
	sets_done(&world, &file);
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

#define REPEATED 10000000

/* One hash, very many times, in memory for few; of an exact set two keys. */
static void
test_one_hash(void)
{
	size_t piece = 500000;

	for (int kind = RIBBON_HASHES; kind <= RIBBON_EXACT_RECORDS; kind++)
		for (int adding = ADD; adding <= COLLECT; adding += COLLECT)
		{
			Elements elements = elements_create((RibbonElementKind) kind,
												piece);
			size_t expected = kind == RIBBON_EXACT_RECORDS ? 2 : 1;
			World world;
			WorldFile file;
			RibbonSet set;
			RibbonStatus status;

			test("one hash, 10^7 times");
			for (size_t i = 0; i < piece; i++)
				elements_set(&elements, i, UINT64_C(0x123456789ABCDEF0),
							 expected > 1 ? i % 2 * 8 : 7);
			world_init(&world, 2);
			world_file_init(&file, &world, 16384);
			status = RIBBON_OK;
			set = set_in_file(&world.env, &file.file, elements.kind);
			for (size_t i = 0; i < REPEATED && status == RIBBON_OK; i += piece)
				status = sets_add(&set, &elements, 0, piece, (Adding) adding);
			CHECK(status == RIBBON_OK && set.n <= REPEATED, "add");
			CHECK(ribbon_set_seal(&set) == RIBBON_OK && set.n == expected,
				  "%s: %zu are left", KIND_NAME(kind), (size_t) set.n);
			elements.n = 2;
			CHECK(elements_sort(&elements) == RIBBON_OK &&
					  sets_equal(&set, &elements),
				  "%s", KIND_NAME(kind));
			ribbon_set_close(&set);
			sets_done(&world, &file);
			free(elements.words);
		}
}

/* Many keys of an exact set with one hash: none is lost. */
static void
test_collisions(void)
{
	size_t n = 40000;
	Elements elements = elements_create(RIBBON_EXACT_RECORDS, n);

	test("keys of an exact set with one hash");
	for (size_t i = 0; i < n; i++)
		elements_set(&elements, i, 5, 2 * (i % (n / 2)));
	for (size_t sort_words = 4096; sort_words <= 1 << 20; sort_words *= 16)
	{
		Elements sorted = elements_copy(&elements, 0, n);
		World world;
		WorldFile file;
		RibbonSet set;
		Elements all;
		size_t kept;

		CHECK(elements_sort(&sorted) == RIBBON_OK, "sort");
		world_init(&world, 1);
		world_file_init(&file, &world, sort_words);
		CHECK(sets_fill(&world, &file, &elements, ADD, 3000, &set) == RIBBON_OK,
			  "fill");
		/* duplicates may be left if they do not fit into memory */
		kept = (size_t) set.n;
		CHECK(kept == sorted.n || (kept > sorted.n && sort_words < 2 * n),
			  "%zu are left of %zu", kept, sorted.n);
		all = sets_elements(&set, RIBBON_EXACT_RECORDS);
		CHECK(elements_sort(&all) == RIBBON_OK && all.n == sorted.n &&
				  memcmp(all.words, sorted.words,
						 all.n * RIBBON_RECORD_WORDS * sizeof(uint64_t)) == 0,
			  "other elements");
		free(all.words);
		ribbon_set_close(&set);
		sets_done(&world, &file);
		free(sorted.words);
	}
	free(elements.words);
}

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
				const uint64_t *conflict;
				World world;
				WorldFile file;
				RibbonSet set;
				RibbonStatus status = RIBBON_OK;

				elements_set(&elements, places[i], hash, word);
				world_init(&world, 2);
				world_file_init(&file, &world, 16384);
				set = set_in_file(&world.env, &file.file, elements.kind);
				for (size_t at = 0; at < 60000 && status == RIBBON_OK;
					 at += 2000)
					status = ribbon_set_add(&set, elements.words + 2 * at,
											2000);
				if (status == RIBBON_OK)
					status = ribbon_set_seal(&set);
				CHECK(status == RIBBON_CONFLICT, "%s",
					  ribbon_status_text(status));
				conflict = set.conflict;
				CHECK(conflict[0] == hash && conflict[2] == hash &&
						  (ribbon_conflict_word(conflict, 0) ^
						   ribbon_conflict_word(conflict, 1)) == 1,
					  "not the two records");
				ribbon_set_close(&set);
				sets_done(&world, &file);
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
	world_init(&world, 1);
	world_file_init(&file, &world, 2 * elements.n);
	set = set_in_file(&world.env, &file.file, elements.kind);
	CHECK(ribbon_set_add(&set, elements.words, elements.n) == RIBBON_OK &&
			  ribbon_set_split(&set) == RIBBON_CONFLICT,
		  "no conflict");
	CHECK(set.conflict[0] == last[0] && set.whole.nwords > 0 &&
			  (set.conflict[1] ^ set.conflict[3]) == 1,
		  "not the first two records that are split");
	ribbon_set_close(&set);
	sets_done(&world, &file);
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

			world_init(&world, 2);
			world_file_init(&files[0], &world, 32768);
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
			CHECK(elements_sort(&elements) == RIBBON_OK &&
					  sets_equal(&sets[0], &elements) &&
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
		world_init(&world, 1);
		world_file_init(&files[0], &world, 16384);
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
		CHECK(set.conflict[0] == hash && set.conflict[2] == hash &&
				  set.conflict[1] + set.conflict[3] == 3,
			  "both %d: not the two records", both);
		ribbon_set_close(&other);
		ribbon_set_close(&set);
		world_file_close(&files[1]);
		sets_done(&world, &files[0]);
	}
	free(elements.words);
}

/* What is in memory yet goes along: so much that the other set is cut then. */
static void
test_absorb_collected(void)
{
	Random random = {10};
	size_t n = 30000;
	Elements elements = elements_random(&random, RIBBON_HASHES, n, 0);
	World world;
	WorldFile file;
	RibbonSet set, other;

	test("a set absorbs what another has only collected");
	world_init(&world, 1);
	world_file_init(&file, &world, 16384);
	set = set_in_file(&world.env, &file.file, RIBBON_HASHES);
	other = set_in_file(&world.env, &file.file, RIBBON_HASHES);
	CHECK(ribbon_set_collect(&other, elements.words, n) == RIBBON_OK &&
			  other.parts == NULL &&
			  ribbon_set_absorb(&set, &other) == RIBBON_OK &&
			  other.parts != NULL && other.n == 0 &&
			  ribbon_set_seal(&set) == RIBBON_OK,
		  "absorb");
	CHECK(elements_sort(&elements) == RIBBON_OK && sets_equal(&set, &elements),
		  "other elements");
	ribbon_set_close(&other);
	ribbon_set_close(&set);
	sets_done(&world, &file);
	free(elements.words);
}

/* Two lists that are sorted in memory may be one that is not. */
static void
test_absorb_much(void)
{
	Random random = {11};
	size_t half = 10000, n = 2 * half + 100;
	Elements elements = elements_random(&random, RIBBON_HASHES, n, 0);
	World world;
	WorldFile file;
	RibbonSet set, other;

	test("a set that has absorbed more than it sorts at once is cut");
	world_init(&world, 1);
	world_file_init(&file, &world, 16384);
	set = set_in_file(&world.env, &file.file, RIBBON_HASHES);
	other = set_in_file(&world.env, &file.file, RIBBON_HASHES);
	CHECK(ribbon_set_add(&set, elements.words, half) == RIBBON_OK &&
			  ribbon_set_add(&other, elements.words + half, half) ==
				  RIBBON_OK &&
			  ribbon_set_absorb(&set, &other) == RIBBON_OK &&
			  set.parts == NULL && set.whole.nwords > 16384 &&
			  ribbon_set_add(&set, elements.words + 2 * half, 100) ==
				  RIBBON_OK &&
			  set.parts != NULL && ribbon_set_seal(&set) == RIBBON_OK,
		  "absorb");
	CHECK(elements_sort(&elements) == RIBBON_OK && sets_equal(&set, &elements),
		  "other elements");
	ribbon_set_close(&other);
	ribbon_set_close(&set);
	sets_done(&world, &file);
	free(elements.words);
}

/* Blocks are used again, so that the file is as large as its sets were. */
static void
test_file_size(void)
{
	Random random = {6};
	Elements elements = elements_random(&random, RIBBON_HASHES, 500000, 0);
	World world;
	WorldFile file;
	uint32_t most = 0;

	test("the blocks of a set are used again");
	world_init(&world, 1);
	world_file_init(&file, &world, 100000);
	for (int i = 0; i < 4; i++)
	{
		RibbonSet set;

		CHECK(sets_fill(&world, &file, &elements, ADD, 40000, &set) ==
				  RIBBON_OK,
			  "fill");
		if (i == 0)
			most = file.file.nblocks;
		ribbon_set_close(&set);
		CHECK(file.file.nblocks == most, "%u blocks, not %u", file.file.nblocks,
			  most);
	}
	sets_done(&world, &file);
	free(elements.words);
}

/* A borrowed array is the caller's, also when its set is closed. */
static void
test_borrowed(void)
{
	uint64_t words[] = {3, 1, 3};
	World world;
	RibbonSet set;

	test("a borrowed array stays");
	world_init(&world, 1);
	set = ribbon_set_of_array(&world.env, RIBBON_HASHES, words, 3);
	CHECK(ribbon_set_seal(&set) == RIBBON_OK && set.n == 2, "seal");
	ribbon_set_close(&set);
	CHECK(words[0] == 1 && words[1] == 3 && set.array == NULL, "close");
}

int
main(void)
{
	test_sizes();
	test_borrowed();
	test_large();
	test_alike();
	test_short_lists();
	test_counts();
	test_rooms();
	test_spill();
	test_one_hash();
	test_collisions();
	test_conflict();
	test_conflict_of_split();
	test_absorb();
	test_absorb_conflict();
	test_absorb_collected();
	test_absorb_much();
	test_file_size();
	return test_done();
}
