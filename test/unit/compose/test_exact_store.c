/*
 * test_exact_store.c - exact.c: the same bytes whatever way a set was built;
 * trouble on it
 */
#include "exact.h"
#include "hostile.h"
#include "trouble.h"

/* A set of these records has the same bytes in each way.  Shuffles them. */
static void
check_every_way(Random *random, const RibbonParams *params, uint64_t *records,
				size_t n)
{
	Building b = {params, records, n};
	Built built = built_from(params, records, n);

	exact_check(&built, records, n);
	map_shuffle(random, records, n);
	check_same(&b, built.bytes, built.nbytes);
	free(built.bytes);
}

static void
test_same(void)
{
	static const size_t sizes[][2] = {
		{1, 1},			{90, 11},			{3000, 0},
		{30000, 4000},	{300000, 299000},	{1200000, 30000},
		{1200000, 700}, {1200000, 1190000}, {2500000, 1100000},
	};
	Random random = {1};

	test("the same bytes in any order, by all kernels, from files, by threads");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		size_t n = sizes[i][0];
		RibbonParams params = exact_params(i % 2 == 0 ? 0 : 64);
		uint64_t *records = exact_records(&random, n, sizes[i][1]);

		check_every_way(&random, &params, records, n);
		free(records);
	}
}

/* With a rate: filters in front of all shapes, with and without non-members. */
static void
test_rates(void)
{
	static const struct
	{
		size_t n, nmembers;
		double fpr;
	} sets[] = {
		{1, 1, 0.01},
		{90, 11, 0.01},
		{3000, 3000, 0.5},
		{30000, 4000, 0.003},
		{1200000, 1200000, 0.01},
		{1200000, 70000, 0.00390625},
		{1200000, 700, 0.00001},
		{1200000, 1190000, 0.01},
	};
	Random random = {6};

	test("with a rate: the same bytes from files, by threads");
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
	{
		size_t n = sets[i].n;
		RibbonParams params = exact_params(i % 2 == 0 ? 0 : 64);
		uint64_t *records = exact_records(&random, n, sets[i].nmembers);

		params.fpr = sets[i].fpr;
		check_every_way(&random, &params, records, n);
		free(records);
	}
}

/* Keys of one hash in a file, more of them than are read at once. */
static void
test_collisions(void)
{
	static const size_t groups[] = {2, 100000};
	size_t n = 1200000;
	Random random = {2};

	test("keys of one hash, from files");
	for (int g = 0; g < 2; g++)
	{
		RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
		uint64_t *records = exact_records(&random, n, n / 20);
		Building b = {&params, records, n};
		Built built;

		for (size_t i = 1; i < groups[g]; i++)
			records[2 * (i * (n / groups[g]))] = records[0];
		built = built_from(&params, records, n);
		exact_check(&built, records, n);
		CHECK(built.filter.seed != 0, "no seed");
		check_same(&b, built.bytes, built.nbytes);
		free(built.bytes);
		free(records);
	}
}

/*
 * Give the second of two keys, whose hashes differ, the second hash with which
 * both have one hash under this seed.
 */
static void
make_equal(uint64_t *records, uint32_t seed)
{
	uint64_t moved = seed * RIBBON_GOLDEN;
	uint64_t second;

	do
	{
		records[1] += 2;
		second = unmix(records[0] ^ records[2] ^
					   ribbon_mix((records[1] >> 1) + moved)) -
			moved;
	} while (second >> 63 != 0);
	records[3] = second << 1 | (records[3] & RIBBON_MEMBER);
}

/* The seed after this one, or of a set: of a digest (salt.h). */
static uint32_t
next_seed(RibbonDigest *digest)
{
	uint64_t next = ribbon_digest_end(digest);

	ribbon_digest_init(digest);
	ribbon_digest_add(digest, (uint32_t) next);
	return (uint32_t) next;
}

/*
 * A key on both sides of a set in a file, all of one hash, which memory does
 * not hold at once: under a seed it is found.
 */
static void
test_both_sides(void)
{
	size_t n = 3 * (RIBBON_SET_CHUNK / RIBBON_RECORD_WORDS);
	Random random = {8};
	RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
	uint64_t *records = exact_records(&random, n, n / 3);
	WorldSet stored;
	World world;
	uint8_t *bytes;
	size_t nbytes;

	test("a key on both sides, beside more of its hash than memory holds");
	for (size_t i = 0; i < n; i++)
		records[2 * i] = 5;
	records[1] = records[2 * n - 1] ^ RIBBON_MEMBER;
	world_begin(&world, 1, &stored.file, RIBBON_SET_CHUNK);
	stored.set = set_in_file(&world.env, &stored.file.file,
							 RIBBON_EXACT_RECORDS);
	CHECK(ribbon_set_add_to_file(&stored.set, records, n) == RIBBON_OK &&
			  ribbon_set_seal(&stored.set) == RIBBON_OK && stored.set.n == n,
		  "%zu of %zu", (size_t) stored.set.n, n);
	CHECK(world_set_build(&stored, &world, &params, &bytes, &nbytes) ==
			  RIBBON_NO_SEED,
		  "it is not found");
	world_set_close(&stored);
	CHECK(world.live == 0, "%ld left", world.live);
	free(records);
}

/* Two keys of one hash, and two others under each seed that would be next. */
static void
test_no_seed(void)
{
	size_t n = 1000;
	Random random = {7};
	RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
	uint64_t *records = exact_records(&random, n, n / 3);
	Building b = {&params, records, n};
	RibbonDigest digest;
	World world;

	test("keys of one hash under each of eight seeds");
	ribbon_digest_init(&digest);
	for (size_t i = 1; i < n; i++)
	{
		records[2 * i] = i;
		ribbon_digest_add(&digest, i);
	}
	records[0] = records[2];
	for (size_t i = 1; i <= 8; i++)
	{
		uint32_t seed = next_seed(&digest);
		Built built = built_from(&params, records, n);

		CHECK(built.status == RIBBON_OK && built.filter.seed == seed,
			  "seed %zu: %s", i, ribbon_status_text(built.status));
		free(built.bytes);
		make_equal(records + 4 * i, seed);
	}
	world_init(&world, 1);
	CHECK(build_in(&world, &b) == RIBBON_NO_SEED, "a ninth seed");
	CHECK(strcmp(ribbon_status_text(RIBBON_NO_SEED),
				 "keys have the same hash under each seed that was tried") == 0,
		  "another text");
	free(records);
}

/* Memory beyond the result: what stored records need (ribbon_core.h). */
#define WORKSPACE 40000000

/* What is built without a rate, and with one. */
static const double memory_rates[] = {1, 0.5};
static const double trouble_rates[] = {1, 0.1};

static void
test_memory(void)
{
	size_t n = 3200000; /* more than would fit into the workspace */
	Random random = {3};
	uint64_t *records = exact_records(&random, n, n / 70);
	RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
	Building b = {&params, records, n};
	WorldSet stored;
	World world;

	test("memory beyond the set is limited, with a rate as well");
	world_init(&world, 1);
	store(&stored, &world, &b);
	for (int i = 0; i < 2; i++)
	{
		size_t nbytes, most;

		params.fpr = memory_rates[i];
		most = memory_of(&world, &b, &stored, &nbytes);
		CHECK(most <= 2 * nbytes + WORKSPACE,
			  "rate %g: %zu bytes for a set of %zu", params.fpr, most, nbytes);
	}
	world_set_close(&stored);
	free(records);
}

static void
test_trouble(void)
{
	size_t n = 1200000;
	Random random = {4};
	uint64_t *records = exact_records(&random, n, n / 5);

	test("trouble ends a build from a file, and nothing is left");
	records[2 * 1000] = records[0]; /* so that there is a seed */
	for (int i = 0; i < 2; i++)
	{
		RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
		Building b = {&params, records, n};

		params.fpr = trouble_rates[i];
		check_trouble(&b);
	}
	free(records);
}

static void
test_each_trouble(void)
{
	static const struct
	{
		size_t n, nmembers, nequal;
		double fpr;
	} sets[] = {
		{0, 0, 0, 1},		{5, 0, 0, 1},		   {5, 5, 0, 1},
		{100, 40, 0, 1},	{100, 40, 3, 1},	   {3000, 100, 0, 1},
		{20000, 900, 2, 1}, {5, 5, 0, 0.01},	   {100, 40, 3, 0.5},
		{300, 40, 0, 0.01}, {3000, 2900, 0, 0.25}, {20000, 9000, 2, 0.1},
	};
	Random random = {5};

	test("small sets: trouble in each moment ends the build");
	for (size_t i = 0; i < sizeof(sets) / sizeof(sets[0]); i++)
	{
		RibbonParams params = exact_params(RIBBON_DEFAULT_WIDTH);
		uint64_t *records = exact_records(&random, sets[i].n, sets[i].nmembers);
		Building b = {&params, records, sets[i].n};

		params.fpr = sets[i].fpr;
		for (size_t k = 1; k < sets[i].nequal; k++)
			records[2 * k] = records[0];
		check_each_trouble(&b);
		free(records);
	}
}

int
main(void)
{
	test_same();
	test_rates();
	test_collisions();
	test_no_seed();
	test_both_sides();
	test_memory();
	test_trouble();
	test_each_trouble();
	return test_done();
}
