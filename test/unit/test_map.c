/* map_build.c: each key of a map has its value, whatever way it was built */
#include "families.h"
#include "maps.h"
#include "world.h"

#include "base/kernel.h"

#define BASE (-5)

static RibbonMapParams
params_of(int width, unsigned value_bits, double fpr)
{
	RibbonMapParams params = map_params(width, fpr, value_bits);

	params.base = BASE;
	return params;
}

/* How values are chosen. */
typedef enum Values
{
	RANDOM,
	ZERO,
	ONES,
	ALTERNATING,
	OF_HASH, /* bits of the hash */
	FEW,	 /* one in a hundred is not 0 */
	NVALUES
} Values;

static uint64_t
value_of(Values how, uint64_t hash, size_t i, unsigned value_bits,
		 Random *random)
{
	uint64_t value = random_next(random);

	switch (how)
	{
		case ZERO:
			value = 0;
			break;
		case ONES:
			value = UINT64_MAX;
			break;
		case ALTERNATING:
			value = i % 2 == 0 ? 0 : UINT64_MAX;
			break;
		case OF_HASH:
			value = hash;
			break;
		case FEW:
			value = value % 100 == 0 ? value >> 7 : 0;
			break;
		default:
			break;
	}
	return value & ribbon_low_mask(value_bits);
}

/* Records of random keys, with value words for params_of. */
static uint64_t *
random_records(Random *random, size_t n, unsigned value_bits, Values how)
{
	uint64_t *records = malloc((n + 1) * 2 * sizeof(uint64_t));

	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = random_next(random);
		records[2 * i + 1] =
			value_of(how, records[2 * i], i, value_bits, random) - 5;
	}
	return records;
}

/* Columns per key that are called for, on average. */
static double
columns_of(const RibbonMapParams *params)
{
	return params->value_bits + (params->fpr < 1 ? bits_of(params->fpr) : 0);
}

/*
 * What a map takes at most.  No more is said of slots of few bits with w = 32
 * or 64 and a layer, of thresholds of w = 32, and of slots so large that
 * headers leave no room for one more.
 */
static void
check_size(const BuiltMap *built, const RibbonMapParams *params, size_t n)
{
	double bits = columns_of(params);
	double most = 1.003 * (double) n * bits / 8 + 16;

	if (bits > 40 || (n > 20000 && params->width == 32) ||
		(n > 20000 && params->width == 64 && bits < 8))
		return;
	CHECK((double) built->nbytes <= most,
		  "w %d, r %u, fpr %g, n %zu: %zu bytes, not %.1f", params->width,
		  params->value_bits, params->fpr, n, built->nbytes, most);
}

/*
 * Do all keys have their values?  Of many keys the slow reader is asked for
 * some only.
 */
static void
check_values(const BuiltMap *built, const RibbonMapParams *params,
			 const uint64_t *records, size_t n)
{
	size_t step = 1 + n / 3000;
	size_t wrong = 0;
	uint64_t code;

	CHECK(built->status == RIBBON_OK, "w %d, r %u, fpr %g, n %zu: %s",
		  params->width, params->value_bits, params->fpr, n,
		  ribbon_status_text(built->status));
	if (built->status != RIBBON_OK)
		return;
	CHECK(built->map.nkeys == n, "%zu keys", (size_t) built->map.nkeys);
	for (size_t i = 0; i < n; i += step)
		wrong += !map_get_slowly(&built->map, records[2 * i], &code) ||
			code + (uint64_t) params->base != records[2 * i + 1];
	for (size_t i = 0; step > 1 && i < n; i++)
		wrong += !ribbon_map_get(&built->map, records[2 * i], &code) ||
			code + (uint64_t) params->base != records[2 * i + 1];
	CHECK(wrong == 0, "w %d, r %u, fpr %g: %zu of %zu are wrong", params->width,
		  params->value_bits, params->fpr, wrong, n);
}

static void
check_map(const RibbonMapParams *params, Random *random, size_t n, Values how)
{
	uint64_t *records = random_records(random, n, params->value_bits, how);
	BuiltMap built;

	map_build(&built, params, records, n);
	check_values(&built, params, records, n);
	check_size(&built, params, n);
	free(built.bytes);
	free(records);
}

static const unsigned bits_tried[] = {0, 1, 2, 3, 8, 13, 24, 32, 49, 56, 64};
static const double fprs_tried[] = {1, 0.5, 0.3, 0.01, 1e-4, 0x1p-32};

#define NBITS ((unsigned) (sizeof(bits_tried) / sizeof(bits_tried[0])))
#define NFPRS ((unsigned) (sizeof(fprs_tried) / sizeof(fprs_tried[0])))

static void
test_small(void)
{
	static const int widths[] = {RIBBON_DEFAULT_WIDTH, 32, 64, 128};
	Random random = {1};

	test("every key of a small map has its value, whatever the values are");
	for (size_t n = 0; n <= 300; n++)
		for (unsigned b = 0; b < NBITS; b++)
		{
			double fpr = fprs_tried[(n + b) % NFPRS];
			RibbonMapParams params = params_of(widths[(n / NFPRS) % 4],
											   bits_tried[b], fpr);

			check_map(&params, &random, n, (Values) (n % NVALUES));
			params.fpr = fprs_tried[(n + b + 1) % NFPRS];
			check_map(&params, &random, n, RANDOM);
		}
}

static void
test_chosen(void)
{
	Random random = {2};

	test("values that were chosen");
	for (int how = 0; how < NVALUES; how++)
		for (unsigned b = 1; b < NBITS; b++)
			for (int w = 0; w < 3; w++)
			{
				RibbonMapParams params =
					params_of(test_widths[w], bits_tried[b],
							  (how + b) % 2 == 0 ? 1 : 0.02);

				check_map(&params, &random, 700 + 100 * b, (Values) how);
				if (b % 4 == 1)
					check_map(&params, &random, 30000, (Values) how);
			}
}

static void
test_large(void)
{
	static const struct
	{
		size_t n;
		int width;
		unsigned value_bits;
		double fpr;
	} cases[] = {
		{1000, 0, 1, 1},		{1000, 0, 8, 0.01},	  {1000, 128, 64, 0.5},
		{5000, 0, 3, 1},		{5000, 64, 16, 1},	  {5000, 32, 2, 0.3},
		{20000, 0, 2, 1},		{20000, 64, 8, 0.01}, {20000, 0, 64, 0x1p-32},
		{100000, 0, 1, 1},		{100000, 64, 8, 1},	  {100000, 0, 50, 0.01},
		{100000, 32, 12, 0.1},	{100000, 128, 24, 1}, {100000, 0, 0, 0.01},
		{1000000, 0, 1, 1},		{1000000, 64, 8, 1},  {1000000, 0, 7, 0.01},
		{1000000, 0, 64, 1e-3}, {1000000, 0, 0, 1},	  {1000000, 32, 16, 1},
		{1000000, 128, 2, 1},	{1000000, 64, 32, 1},
	};
	Random random = {3};

	test("every key of a large map has its value");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		RibbonMapParams params = params_of(cases[i].width, cases[i].value_bits,
										   cases[i].fpr);

		check_map(&params, &random, cases[i].n,
				  i % 5 == 4 ? (Values) (i / 5) : RANDOM);
	}
}

/* The share of random keys that the map knows is its rate. */
static void
test_rate(void)
{
	Random random = {4};

	test("keys that are not in a map are turned away at its rate");
	for (unsigned f = 0; f < 4; f++)
		for (size_t n = 100; n <= 10000; n *= 10)
		{
			RibbonMapParams params = params_of(RIBBON_DEFAULT_WIDTH, 5,
											   fprs_tried[f]);
			uint64_t *records = random_records(&random, n, 5, RANDOM);
			size_t known = 0, probes = 40000;
			BuiltMap built;

			map_build(&built, &params, records, n);
			for (size_t i = 0; i < probes; i++)
			{
				uint64_t code;

				known += map_get_slowly(&built.map, random_next(&random),
										&code);
			}
			CHECK(is_plausible(known, params.fpr * (double) probes),
				  "fpr %g, n %zu: %zu", params.fpr, n, known);
			free(built.bytes);
			free(records);
		}
}

static void
shuffle(Random *random, uint64_t *records, size_t n)
{
	for (size_t i = n; i > 1; i--)
	{
		size_t j = (size_t) random_below(random, i);
		uint64_t record[2];

		memcpy(record, records + 2 * j, sizeof(record));
		memcpy(records + 2 * j, records + 2 * (i - 1), sizeof(record));
		memcpy(records + 2 * (i - 1), record, sizeof(record));
	}
}

/* Build from a store of the records, in disorder and some of them twice. */
static RibbonStatus
build_stored(World *world, const RibbonMapParams *params,
			 const uint64_t *records, size_t n, uint8_t **bytes, size_t *nbytes)
{
	RibbonStore *store;
	uint64_t nrecords;
	RibbonStatus status;
	long fail_at = world->fail_at;

	world->fail_at = 0;
	world_open_store_of_records(world, n, &store);
	store->add(store, records, n);
	store->add(store, records, n / 7);
	store->seal(store, &nrecords);
	CHECK(nrecords == n, "%zu records", (size_t) nrecords);
	world->fail_at = fail_at;
	world->calls = 0;
	status = ribbon_map_build_stored(&world->env, params, store, nrecords, 3,
									 bytes, nbytes);
	store->close(store);
	return status;
}

/* Each kernel, and each number of threads from a store, gives these bytes. */
static void
check_same(const BuiltMap *expected, const RibbonMapParams *params,
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
			RibbonMapParams params = params_of(test_widths[(b + s) % 3],
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
		RibbonMapParams params = params_of(RIBBON_DEFAULT_WIDTH, 1 + i, 1);
		uint64_t *records = random_records(&random, n, 1 + i, RANDOM);
		BuiltMap built;

		map_build(&built, &params, records, n);
		check_values(&built, &params, records, n);
		check_size(&built, &params, n);
		CHECK(built.planes[0].buckets.grouped && !built.planes[0].salted,
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
			RibbonMapParams params = params_of(64, 6, how == 0 ? 0.1 : 1);
			uint64_t *records = random_records(&random, n, 6, (Values) how);
			BuiltMap built;

			for (size_t i = 0; i < n / 5; i++)
				records[2 * i] >>= 9;
			map_build(&built, &params, records, n);
			check_values(&built, &params, records, n);
			CHECK(built.planes[0].salted || n < 3000, "n %zu: not salted", n);
			if (how == 0)
				check_same(&built, &params, records, n);
			free(built.bytes);
			free(records);
		}
}

static void
test_distinct(void)
{
	size_t n = 40000;
	Random random = {7};
	uint64_t *records = random_records(&random, 2 * n, 16, RANDOM);
	RibbonMapParams params = params_of(64, 16, 0.01);
	uint64_t conflict[4] = {0};
	size_t nrecords = 2 * n;
	BuiltMap built;

	test("records count once; two values of a key are found");
	for (size_t i = 0; i < 2 * n; i++)
		records[2 * n + i] = records[i];
	shuffle(&random, records, 2 * n);
	map_build(&built, &params, records, 2 * n);
	CHECK(built.status == RIBBON_OK && built.map.nkeys == n, "%zu keys",
		  (size_t) built.map.nkeys);
	free(built.bytes);

	records[2 * 77 + 1] ^= 1;
	map_build(&built, &params, records, 2 * n);
	CHECK(built.status == RIBBON_CONFLICT, "%s",
		  ribbon_status_text(built.status));
	{
		uint64_t hash = records[2 * 77], word = records[2 * 77 + 1];

		CHECK(ribbon_map_distinct(&ribbon_malloc_env, records, &nrecords,
								  conflict) == RIBBON_CONFLICT,
			  "no conflict");
		CHECK(conflict[0] == hash && conflict[2] == hash, "of another key");
		CHECK((conflict[1] ^ conflict[3]) == 1 &&
				  (conflict[1] == word || conflict[3] == word),
			  "of other values");
	}
	free(records);
}

static uint64_t
code_of(const void *arg, uint64_t word)
{
	return word / *(const uint64_t *) arg;
}

static void
test_dictionary(void)
{
	static const uint8_t dictionary[] = "alpha, beta, gamma";
	uint64_t factor = UINT64_C(0x123456789AB);
	Random random = {8};

	test("codes of a dictionary, which is stored in front of the planes");
	for (size_t n = 0; n < 50000; n = 3 * n + 1)
	{
		RibbonMapParams params = {.width = 64,
								  .fpr = n % 2 == 0 ? 1 : 0.01,
								  .key_class = 26 | 3 << 5,
								  .value_class = 0,
								  .has_null = true,
								  .seed = 12345,
								  .value_bits = 11,
								  .code = code_of,
								  .code_arg = &factor,
								  .dictionary = dictionary,
								  .ndictionary = sizeof(dictionary)};
		uint64_t *records = random_records(&random, n, 11, RANDOM);
		size_t wrong = 0;
		BuiltMap built;

		for (size_t i = 0; i < n; i++)
			records[2 * i + 1] = (records[2 * i + 1] + 5) * factor;
		map_build(&built, &params, records, n);
		CHECK(built.status == RIBBON_OK, "%s",
			  ribbon_status_text(built.status));
		CHECK(built.map.ndictionary == sizeof(dictionary) &&
				  memcmp(built.map.dictionary, dictionary,
						 sizeof(dictionary)) == 0,
			  "another dictionary");
		CHECK(built.map.seed == 12345 && built.map.has_null &&
				  built.map.key_class == (n > 0 ? params.key_class : 26) &&
				  built.map.checked == (params.fpr < 1),
			  "another header");
		for (size_t i = 0; i < n; i++)
		{
			uint64_t code;

			wrong += !map_get_slowly(&built.map, records[2 * i], &code) ||
				code * factor != records[2 * i + 1];
		}
		CHECK(wrong == 0, "%zu of %zu are wrong", wrong, n);
		free(built.bytes);
		free(records);
	}
}

static void
test_params(void)
{
	RibbonMapParams params = params_of(0, 64, 1);
	RibbonMapParams wrong = params;

	test("parameters are checked");
	CHECK(ribbon_map_params_check(&params) == RIBBON_OK, "good ones");
	CHECK(ribbon_map_least_bytes(&params, 1000) == 8000, "least bytes");
	params.value_bits = 3;
	params.fpr = 0.25;
	CHECK(ribbon_map_least_bytes(&params, 1000) == 625, "least bytes");
	wrong.value_bits = 65;
	CHECK(ribbon_map_params_check(&wrong) == RIBBON_BAD_PARAMS, "bits");
	wrong = params;
	wrong.fpr = 0.75;
	CHECK(ribbon_map_params_check(&wrong) == RIBBON_BAD_FPR, "rate");
	wrong.fpr = NAN;
	CHECK(ribbon_map_params_check(&wrong) == RIBBON_BAD_FPR, "NaN");
	wrong.fpr = 0x1p-33;
	CHECK(ribbon_map_params_check(&wrong) == RIBBON_BAD_FPR, "least rate");
	wrong = params;
	wrong.width = 63;
	CHECK(ribbon_map_params_check(&wrong) == RIBBON_BAD_PARAMS, "width");
	wrong = params;
	wrong.value_class = 256;
	CHECK(ribbon_map_params_check(&wrong) == RIBBON_BAD_PARAMS, "class");
	wrong = params;
	wrong.ndictionary = 1;
	CHECK(ribbon_map_params_check(&wrong) == RIBBON_BAD_PARAMS, "dictionary");
	wrong = params;
	wrong.key_class = -1;
	CHECK(ribbon_map_params_check(&wrong) == RIBBON_BAD_PARAMS, "key class");
}

/* Keys that were chosen for their hashes, with values that were chosen, too. */
static void
test_hostile(void)
{
	static const size_t sizes[] = {50, 1000, 1500, 5000, 60000};
	Random random = {10};
	uint64_t *records = random_records(&random, 60000, 8, RANDOM);

	test("hostile keys, and hostile values");
	for (int aim = 0; aim < AIM_COUNT; aim++)
		for (int s = 0; s < 5; s++)
			for (int how = (aim + s) % 2; how < NVALUES; how += 2)
			{
				RibbonMapParams params = params_of(test_widths[(aim + how) % 3],
												   s % 2 == 0 ? 8 : 1,
												   how % 2 == 0 ? 1 : 0.01);
				size_t n = sizes[s];
				BuiltMap built;

				if (s == 4 && how != aim % NVALUES &&
					how != (aim + 1) % NVALUES)
					continue;
				for (size_t i = 0; i < n; i++)
				{
					records[2 * i] = hostile((Aim) aim, i, 0);
					records[2 * i + 1] = value_of((Values) how, records[2 * i],
												  i, params.value_bits,
												  &random) +
						(uint64_t) BASE;
				}
				map_build(&built, &params, records, n);
				if (built.status == RIBBON_CONFLICT)
					continue; /* a family may repeat a hash */
				CHECK(built.status == RIBBON_OK, "%s, n %zu: %s", aims[aim], n,
					  ribbon_status_text(built.status));
				check_values(&built, &params, records, built.map.nkeys);
				free(built.bytes);
			}
	free(records);
}

/* Memory beyond the result: what stored records need (ribbon_map.h). */
#define WORKSPACE 40000000

static void
test_memory(void)
{
	size_t n = 4000000; /* more than would fit into the workspace */
	Random random = {11};
	RibbonMapParams params = params_of(64, 12, 0.01);
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
	RibbonMapParams params = params_of(64, 60, 0.01); /* two planes */
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
build_in(World *world, const RibbonMapParams *params, const uint64_t *records,
		 size_t n)
{
	size_t size = 2 * n * sizeof(uint64_t);
	uint64_t *copy = malloc(size + 1);
	uint8_t *bytes;
	size_t nbytes;
	RibbonStatus status;

	memcpy(copy, records, size);
	status = ribbon_map_build(&world->env, params, copy, n, 0, &bytes, &nbytes);
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
		RibbonMapParams params = params_of(RIBBON_DEFAULT_WIDTH,
										   cases[i].value_bits, cases[i].fpr);
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
	test_small();
	test_chosen();
	test_large();
	test_rate();
	test_same();
	test_same_groups();
	test_clustered();
	test_distinct();
	test_dictionary();
	test_params();
	test_hostile();
	test_memory();
	test_trouble();
	test_each_trouble();
	return test_done();
}
