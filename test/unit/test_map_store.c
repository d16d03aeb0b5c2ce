/* map_build.c: the same bytes whatever way a map was built; trouble on it */
#include "families.h"
#include "records.h"
#include "skewed.h"
#include "world.h"

#include "base/kernel.h"

/* Build from a store of the records, in disorder and some of them twice. */
static RibbonStatus
build_stored(World *world, const MapParams *params, const uint64_t *records,
			 size_t n, uint8_t **bytes, size_t *nbytes)
{
	RibbonStore *store;
	uint64_t nrecords;
	RibbonStatus status;
	long fail_at = world->fail_at;

	world->fail_at = 0;
	world_open_store(world, n, RIBBON_RECORD_WORDS, &store);
	store->add(store, records, n);
	store->add(store, records, n / 7);
	store->seal(store, &nrecords);
	CHECK(nrecords == n, "%zu records", (size_t) nrecords);
	world->fail_at = fail_at;
	world->calls = 0;
	status = maps_build_stored(&world->env, params, store, nrecords, 3, bytes,
							   nbytes);
	store->close(store);
	return status;
}

/* Each kernel, and each number of threads from a store, gives these bytes. */
static void
check_same(const BuiltMap *expected, const MapParams *params,
		   const uint64_t *records, size_t n)
{
	RibbonKernel kernel = ribbon_kernel();

	RIBBON_FOR_EACH_KERNEL(k)
	{
		BuiltMap built;

		ribbon_kernel_use(k);
		map_build(&built, params, records, n);
		CHECK(built.nbytes == expected->nbytes &&
				  memcmp(built.bytes, expected->bytes, built.nbytes) == 0,
			  "kernel %s, w %d, r %u, fpr %g, n %zu: other bytes",
			  ribbon_kernel_name(k), params->width, params->value_bits,
			  params->fpr, n);
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
	static const size_t sizes[] = {1, 90, 3000, 30000, 300000, 1200000};
	Random random = {5};

	test("the same bytes in any order, by all kernels, from stores, by threads");
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (unsigned b = 1 + s % 2; b < NBITS; b += s == 5 ? NBITS - 3 : 2)
		{
			size_t n = sizes[s];
			MapParams params = params_of(test_widths[(b + s) % 3],
										 bits_tried[b],
										 fprs_tried[(b + s) % NFPRS]);
			uint64_t *records = random_records(&random, n, bits_tried[b],
											   RANDOM);
			BuiltMap built;

			map_build(&built, &params, records, n);
			check_values(&built, &params, records, n);
			shuffle(&random, records, n);
			check_same(&built, &params, records, n);
			free(built.bytes);
			free(records);
		}
}

/*
 * The same of buckets in groups, of several windows of different sizes: no
 * chance makes the hashes suspicious.
 */
static void
test_same_groups(void)
{
	static const size_t sizes[] = {600000, 1120000, 1700000};
	Random random = {15};

	test("the same bytes of buckets in groups");
	for (unsigned i = 0; i < 3; i++)
	{
		size_t n = sizes[i];
		MapParams params = params_of(RIBBON_DEFAULT_WIDTH, 1 + i, 1);
		uint64_t *records = random_records(&random, n, 1 + i, RANDOM);
		BuiltMap built;

		map_build(&built, &params, records, n);
		check_values(&built, &params, records, n);
		check_size(&built, &params, n);
		CHECK(map_plane(&built.map, 0)->buckets.grouped &&
				  !map_plane(&built.map, 0)->salted,
			  "n %zu: not in groups, or salted", n);
		shuffle(&random, records, n);
		check_same(&built, &params, records, n);
		free(built.bytes);
		free(records);
	}
}

/* Keys that cluster: the map is salted, and that does not lose a value. */
static void
test_clustered(void)
{
	Random random = {6};

	test("keys that cluster, and chosen values of them");
	for (size_t n = 300; n <= 1300000; n = n * 8)
		for (int how = 0; how < NVALUES; how += 2)
		{
			MapParams params = params_of(64, 6, how == 0 ? 0.1 : 1);
			uint64_t *records = random_records(&random, n, 6, (Values) how);
			BuiltMap built;

			for (size_t i = 0; i < n / 5; i++)
				records[2 * i] >>= 9;
			map_build(&built, &params, records, n);
			check_values(&built, &params, records, n);
			CHECK(map_plane(&built.map, 0)->salted || n < 3000,
				  "n %zu: not salted", n);
			if (how == 0)
				check_same(&built, &params, records, n);
			free(built.bytes);
			free(records);
		}
}

/* Values whose codes are as long as they are rare. */
static void
test_same_codes(void)
{
	static const size_t sizes[] = {700, 30000, 1600000};
	Random random = {25};

	test("the same bytes of codes that are as long as they are rare");
	for (unsigned i = 0; i < 2 * NSKEWS + 3; i++)
	{
		/* large ones without a filter in front, with one, and salted */
		Skew skew = i < 2 * NSKEWS ? (Skew) (i / 2) :
			i == 2 * NSKEWS + 1	   ? SKEW_GEOMETRIC :
									 SKEW_MOSTLY;
		size_t n = sizes[i < 2 * NSKEWS ? i % 2 : 2];
		MapParams params = map_params(RIBBON_DEFAULT_WIDTH,
									  i % 3 == 0 ? 0.02 : 1, skewed_bits(skew));
		uint64_t *records = skewed_records(&random, skew, n);
		BuiltMap built;

		for (size_t k = 0; i == 2 * NSKEWS + 2 && k < n; k++)
			records[2 * k] >>= k % 5 == 0 ? 9 : 0;
		params.coding = RIBBON_CODE_ENTROPY;
		map_build(&built, &params, records, n);
		CHECK(ribbon_codes(ribbon_plane(&built.map)) != NULL,
			  "%s, n %zu: plain", skewed_name(skew), n);
		check_values(&built, &params, records, n);
		shuffle(&random, records, n);
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
	size_t n = 4000000; /* more than would fit into the workspace */
	Random random = {11};
	MapParams params = params_of(64, 12, 0.01);
	uint64_t *records = random_records(&random, n, 12, RANDOM);
	uint8_t *bytes;
	size_t nbytes;
	World world;

	test("memory beyond the map is limited");
	world_init(&world, 1);
	CHECK(build_stored(&world, &params, records, n, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	CHECK(world.most <= nbytes + nbytes / 100 + WORKSPACE,
		  "%zu bytes for a map of %zu", world.most, nbytes);
	world_free(&world, bytes);
	free(records);
}

/* A store or an allocation that fails, or an interrupt, in many moments. */
static void
test_trouble(void)
{
	size_t n = 1200000;
	Random random = {9};
	MapParams params = params_of(64, 60, 0.01); /* two planes */
	uint64_t *records = random_records(&random, n, 60, RANDOM);
	long calls, looks, allocations;
	uint8_t *bytes;
	size_t nbytes;
	World world;

	test("trouble ends the build of a map, and nothing is left");
	world_init(&world, 2);
	CHECK(build_stored(&world, &params, records, n, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	CHECK(world.tasks > 0, "no threads");
	calls = world.calls;
	looks = world.looks;
	allocations = world.allocations;
	world_free(&world, bytes);
	CHECK(calls > 2 && looks > 100 && allocations > 20, "%ld, %ld, %ld", calls,
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

/* Build in a world, where there may be trouble, and free the map. */
static RibbonStatus
build_in(World *world, const MapParams *params, const uint64_t *records,
		 size_t n)
{
	size_t size = 2 * n * sizeof(uint64_t);
	uint64_t *copy = malloc(size + 1);
	uint8_t *bytes;
	size_t nbytes;
	RibbonStatus status;

	memcpy(copy, records, size);
	status = maps_build(&world->env, params, copy, n, 0, &bytes, &nbytes);
	free(copy);
	if (status == RIBBON_OK)
		world_free(world, bytes);
	CHECK(world->live == 0, "n %zu: %ld left after %s", n, world->live,
		  ribbon_status_text(status));
	return status;
}

/* Of small maps each allocation fails, and each look finds an interrupt. */
static void
test_each_trouble(void)
{
	static const uint8_t dictionary[100];
	static const struct
	{
		size_t n;
		unsigned value_bits;
		double fpr;
		Aim aim; /* AIM_COUNT: random keys */
	} cases[] = {
		{0, 8, 0.01, AIM_COUNT},	  {5, 0, 1, AIM_COUNT},
		{100, 64, 0.01, AIM_COUNT},	  {1500, 60, 0.3, AIM_COUNT},
		{4000, 64, 0.3, AIM_TENTH},	  {4000, 4, 1, AIM_HIGH_HALVES},
		{20000, 50, 1e-3, AIM_COUNT}, {20000, 3, 0.3, AIM_COUNT},
	};
	Random random = {12};

	test("small maps: trouble in each moment ends the build");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		size_t n = cases[i].n;
		MapParams params = params_of(RIBBON_DEFAULT_WIDTH, cases[i].value_bits,
									 cases[i].fpr);
		uint64_t *records = random_records(&random, n, cases[i].value_bits,
										   RANDOM);
		World usual, world;

		params.dictionary = dictionary;
		params.ndictionary = sizeof(dictionary);
		for (size_t k = 0; cases[i].aim < AIM_COUNT && k < n; k++)
			records[2 * k] = hostile(cases[i].aim, k, 0);
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
	test_same_groups();
	test_clustered();
	test_same_codes();
	test_memory();
	test_trouble();
	test_each_trouble();
	return test_done();
}
