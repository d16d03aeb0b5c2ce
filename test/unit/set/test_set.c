/*
 * test_set.c - sets in a file: sorted, distinct, whatever comes
 */
#include "sets.h"

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

		world_begin(&world, 1 + (unsigned) way % 3, &file, sort_words);
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
		sets_close(&world, &file, &set);
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
	world_begin(&world, 3, &file, 16384);
	CHECK(sets_fill(&world, &file, &elements, ADD, 7000, &set) == RIBBON_OK &&
			  set.parts != NULL,
		  "fill");
	CHECK(world.tasks > 0 && world.tasks <= 3 * 256 / 16, "%ld tasks",
		  world.tasks);
	sets_close(&world, &file, &set);
	free(elements.words);
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
			world_begin(&world, 2, &file, 16384);
			status = RIBBON_OK;
			set = set_in_file(&world.env, &file.file, elements.kind);
			for (size_t i = 0; i < REPEATED && status == RIBBON_OK; i += piece)
				status = sets_add(&set, &elements, 0, piece, (Adding) adding);
			CHECK(status == RIBBON_OK && set.n <= REPEATED, "add");
			CHECK(ribbon_set_seal(&set) == RIBBON_OK && set.n == expected,
				  "%s: %zu are left", KIND_NAME(kind), (size_t) set.n);
			elements.n = 2;
			CHECK(sets_have(&set, &elements), "%s", KIND_NAME(kind));
			sets_close(&world, &file, &set);
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
		world_begin(&world, 1, &file, sort_words);
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
		sets_close(&world, &file, &set);
		free(sorted.words);
	}
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
	world_begin(&world, 1, &file, 100000);
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
	test_one_hash();
	test_collisions();
	test_file_size();
	return test_done();
}
