/* exact.c: the same bytes whatever way a set was built; trouble on it */
#include "exact.h"
#include "world.h"

#include "base/kernel.h"

/* Build from a store of the records, in disorder and some of them twice. */
static RibbonStatus
build_stored(World *world, const RibbonExactParams *params,
			 const uint64_t *records, size_t n, uint8_t **bytes, size_t *nbytes)
{
	RibbonStore *store;
	uint64_t nrecords;
	RibbonStatus status;
	long fail_at = world->fail_at;

	world->exact = true;
	world->fail_at = 0;
	world_open_store(world, n, RIBBON_RECORD_WORDS, &store);
	store->add(store, records, n);
	store->add(store, records, n / 7);
	store->seal(store, &nrecords);
	CHECK(nrecords == n, "%zu records", (size_t) nrecords);
	world->fail_at = fail_at;
	world->calls = 0;
	status = ribbon_build_exact_stored(&world->env, params, store, nrecords, 3,
									   bytes, nbytes);
	store->close(store);
	return status;
}

/* Each kernel, and each number of threads from a store, gives these bytes. */
static void
check_same(const BuiltExact *expected, const RibbonExactParams *params,
		   const uint64_t *records, size_t n)
{
	RibbonKernel kernel = ribbon_kernel();

	RIBBON_FOR_EACH_KERNEL(k)
	{
		BuiltExact built;

		ribbon_kernel_use(k);
		exact_build(&built, params, records, n);
		exact_check(&built, records, n);
		CHECK(built.nbytes == expected->nbytes &&
				  memcmp(built.bytes, expected->bytes, built.nbytes) == 0,
			  "kernel %s, n %zu: other bytes", ribbon_kernel_name(k), n);
		free(built.bytes);
	}
	ribbon_kernel_use(kernel);
	for (unsigned nthreads = 1; nthreads <= WORLD_MAX_THREADS; nthreads++)
	{
		uint8_t *bytes = NULL;
		size_t nbytes = 0;
		World world;

		world_init(&world, nthreads);
		CHECK(build_stored(&world, params, records, n, &bytes, &nbytes) ==
				  RIBBON_OK,
			  "build from a store");
		CHECK(nbytes == expected->nbytes &&
				  memcmp(bytes + 3, expected->bytes, nbytes) == 0,
			  "%u threads, n %zu: other bytes", nthreads, n);
		world_free(&world, bytes);
		CHECK(world.live == 0, "%ld left", world.live);
	}
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

	test("the same bytes in any order, by all kernels, from stores, by threads");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		size_t n = sizes[i][0];
		RibbonExactParams params = exact_params(i % 2 == 0 ? 0 : 64);
		uint64_t *records = exact_records(&random, n, sizes[i][1]);
		BuiltExact built;

		exact_build(&built, &params, records, n);
		exact_check(&built, records, n);
		exact_shuffle(&random, records, n);
		check_same(&built, &params, records, n);
		free(built.bytes);
		free(records);
	}
}

/* Keys of one hash in a store, more of them than are read at once. */
static void
test_collisions(void)
{
	static const size_t groups[] = {2, 100000};
	size_t n = 1200000;
	Random random = {2};

	test("keys of one hash, from stores");
	for (int g = 0; g < 2; g++)
	{
		RibbonExactParams params = exact_params(RIBBON_DEFAULT_WIDTH);
		uint64_t *records = exact_records(&random, n, n / 20);
		BuiltExact built;

		for (size_t i = 1; i < groups[g]; i++)
			records[2 * (i * (n / groups[g]))] = records[0];
		exact_build(&built, &params, records, n);
		CHECK(built.set.seed != 0, "no seed");
		check_same(&built, &params, records, n);
		free(built.bytes);
		free(records);
	}
}

/* Memory beyond the result: what stored records need (ribbon.h). */
#define WORKSPACE 40000000

static void
test_memory(void)
{
	size_t n = 5000000; /* more than would fit into the workspace */
	Random random = {3};
	RibbonExactParams params = exact_params(RIBBON_DEFAULT_WIDTH);
	uint64_t *records = exact_records(&random, n, n / 70);
	uint8_t *bytes;
	size_t nbytes;
	World world;

	test("memory beyond the set is limited");
	world_init(&world, 1);
	CHECK(build_stored(&world, &params, records, n, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	CHECK(world.most <= 2 * nbytes + WORKSPACE, "%zu bytes for a set of %zu",
		  world.most, nbytes);
	world_free(&world, bytes);
	free(records);
}

/* A store or an allocation that fails, or an interrupt, in many moments. */
static void
test_trouble(void)
{
	size_t n = 1200000;
	Random random = {4};
	RibbonExactParams params = exact_params(RIBBON_DEFAULT_WIDTH);
	uint64_t *records = exact_records(&random, n, n / 5);
	long calls, looks, allocations;
	uint8_t *bytes;
	size_t nbytes;
	World world;

	test("trouble ends a build from a store, and nothing is left");
	records[2 * 1000] = records[0]; /* so that there is a seed */
	world_init(&world, 2);
	CHECK(build_stored(&world, &params, records, n, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	calls = world.calls;
	looks = world.looks;
	allocations = world.allocations;
	world_free(&world, bytes);
	CHECK(calls > 2 && looks > 50 && allocations > 20, "%ld, %ld, %ld", calls,
		  looks, allocations);
	for (int i = 0; i < 15; i++)
	{
		world_init(&world, 2);
		if (i % 3 == 0)
			world.fail_at = 1 + calls * i / 15;
		else if (i % 3 == 1)
			world.interrupt_at = 1 + looks * i / 15;
		else
			world.refuse_at = 1 + allocations * i / 15;
		CHECK(build_stored(&world, &params, records, n, &bytes, &nbytes) !=
				  RIBBON_OK,
			  "trouble %d", i);
		CHECK(world.live == 0, "trouble %d: %ld left", i, world.live);
	}
	free(records);
}

/* Build in a world, where there may be trouble, and free the set. */
static RibbonStatus
build_in(World *world, const RibbonExactParams *params, const uint64_t *records,
		 size_t n)
{
	size_t size = 2 * n * sizeof(uint64_t);
	uint64_t *copy = malloc(size + 1);
	uint8_t *bytes;
	size_t nbytes;
	RibbonStatus status;

	memcpy(copy, records, size);
	status = ribbon_build_exact(&world->env, params, copy, n, 0, &bytes,
								&nbytes);
	free(copy);
	if (status == RIBBON_OK)
		world_free(world, bytes);
	CHECK(world->live == 0, "n %zu: %ld left after %s", n, world->live,
		  ribbon_status_text(status));
	return status;
}

/* Of small sets each allocation fails, and each look finds an interrupt. */
static void
test_each_trouble(void)
{
	static const size_t sizes[][3] = {
		{0, 0, 0},	  {5, 0, 0},	  {5, 5, 0},	   {100, 40, 0},
		{100, 40, 3}, {3000, 100, 0}, {20000, 900, 2},
	};
	Random random = {5};

	test("small sets: trouble in each moment ends the build");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		size_t n = sizes[i][0];
		RibbonExactParams params = exact_params(RIBBON_DEFAULT_WIDTH);
		uint64_t *records = exact_records(&random, n, sizes[i][1]);
		World usual, world;

		for (size_t k = 1; k < sizes[i][2]; k++)
			records[2 * k] = records[0];
		world_init(&usual, 1);
		CHECK(build_in(&usual, &params, records, n) == RIBBON_OK, "n %zu", n);
		for (long at = 1; at <= usual.allocations; at++)
		{
			world_init(&world, 1);
			world.refuse_at = at;
			CHECK(build_in(&world, &params, records, n) == RIBBON_OUT_OF_MEMORY,
				  "n %zu, allocation %ld", n, at);
		}
		for (long at = 1; at <= usual.looks; at++)
		{
			world_init(&world, 1);
			world.interrupt_at = at;
			CHECK(build_in(&world, &params, records, n) == RIBBON_INTERRUPTED,
				  "n %zu, look %ld", n, at);
		}
		free(records);
	}
}

int
main(void)
{
	test_same();
	test_collisions();
	test_memory();
	test_trouble();
	test_each_trouble();
	return test_done();
}
