/* test_map_store.c: the same bytes whatever way maps are built; and trouble */
#include "hostile.h"
#include "records.h"
#include "trouble.h"

static void
check_map(const Built *built, const MapParams *params, const uint64_t *records,
		  size_t n)
{
	RibbonValues values;
	RibbonParams core = maps_params(params, &values);
	Building b = {&core, records, n};

	check_same(&b, built->bytes, built->nbytes);
}

static void
test_same(void)
{
	static const size_t sizes[] = {1, 90, 3000, 30000, 300000, 1200000};
	Random random = {5};

	test("the same bytes in any order, by all kernels, from files, by threads");
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
		for (unsigned b = 1 + s % 2; b < NBITS; b += s == 5 ? NBITS - 3 : 2)
		{
			size_t n = sizes[s];
			MapParams params = params_of(test_widths[(b + s) % 3],
										 bits_tried[b],
										 fprs_tried[(b + s) % NFPRS]);
			uint64_t *records = random_records(&random, n, bits_tried[b],
											   RANDOM);
			Built built;

			built = map_build(&params, records, n);
			check_values(&built, &params, records, n);
			map_shuffle(&random, records, n);
			check_map(&built, &params, records, n);
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
		Built built;

		built = map_build(&params, records, n);
		check_values(&built, &params, records, n);
		check_size(&built, &params, n);
		CHECK(map_plane(&built.filter, 0)->buckets.grouped &&
				  !map_plane(&built.filter, 0)->salted,
			  "n %zu: not in groups, or salted", n);
		map_shuffle(&random, records, n);
		check_map(&built, &params, records, n);
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
			Built built;

			for (size_t i = 0; i < n / 5; i++)
				records[2 * i] >>= 9;
			built = map_build(&params, records, n);
			check_values(&built, &params, records, n);
			CHECK(map_plane(&built.filter, 0)->salted || n < 3000,
				  "n %zu: not salted", n);
			if (how == 0)
				check_map(&built, &params, records, n);
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
		Built built;

		for (size_t k = 0; i == 2 * NSKEWS + 2 && k < n; k++)
			records[2 * k] >>= k % 5 == 0 ? 9 : 0;
		params.coding = RIBBON_CODING_ENTROPY;
		built = map_build(&params, records, n);
		CHECK(ribbon_opened_codes(ribbon_opened(&built.filter)) != NULL,
			  "%s, n %zu: plain", skewed_name(skew), n);
		check_values(&built, &params, records, n);
		map_shuffle(&random, records, n);
		check_map(&built, &params, records, n);
		free(built.bytes);
		free(records);
	}
}

/* Memory beyond the result: what stored records need (ribbon_core.h). */
#define WORKSPACE 40000000

static void
test_memory(void)
{
	size_t n = 4000000; /* more than would fit into the workspace */
	Random random = {11};
	MapParams params = params_of(64, 12, 0.01);
	uint64_t *records = random_records(&random, n, 12, RANDOM);
	RibbonValues values;
	RibbonParams core = maps_params(&params, &values);
	Building b = {&core, records, n};
	WorldSet stored;
	World world;

	test("memory beyond the map is limited");
	world_init(&world, 1);
	store(&stored, &world, &b);
	for (int coding = RIBBON_CODING_PLAIN; coding <= RIBBON_CODING_ENTROPY;
		 coding++)
	{
		size_t nbytes, most;

		values.coding = (RibbonCoding) coding;
		most = memory_of(&world, &b, &stored, &nbytes);
		CHECK(most <= nbytes + nbytes / 50 + WORKSPACE,
			  "%zu bytes for a map of %zu", most, nbytes);
	}
	world_set_close(&stored);
	free(records);
}

static void
test_trouble(void)
{
	size_t n = 1200000;
	Random random = {9};
	MapParams params = params_of(64, 60, 0.01); /* two planes */
	uint64_t *records = random_records(&random, n, 60, RANDOM);
	RibbonValues values;
	RibbonParams core = maps_params(&params, &values);
	Building b = {&core, records, n};

	test("trouble ends the build of a map, and nothing is left");
	check_trouble(&b);
	free(records);
}

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
		RibbonValues values;
		RibbonParams core = maps_params(&params, &values);
		Building b = {&core, records, n};

		values.dictionary = dictionary;
		values.ndictionary = sizeof(dictionary);
		for (size_t k = 0; cases[i].aim < AIM_COUNT && k < n; k++)
			records[2 * k] = hostile(cases[i].aim, k, 0);
		check_each_trouble(&b);
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
