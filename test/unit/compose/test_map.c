/* test_map.c: each key of a map has its value, in as few bytes as promised */
#include "hostile.h"
#include "records.h"

#include "set/sort.h"

static void
check_map(const MapParams *params, Random *random, size_t n, Values how)
{
	uint64_t *records = random_records(random, n, params->value_bits, how);
	Built built;

	built = map_build(params, records, n);
	check_values(&built, params, records, n);
	check_size(&built, params, n);
	free(built.bytes);
	free(records);
}

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
			MapParams params = params_of(widths[(n / NFPRS) % 4], bits_tried[b],
										 fpr);

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
				MapParams params = params_of(test_widths[w], bits_tried[b],
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
		MapParams params = params_of(cases[i].width, cases[i].value_bits,
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
			MapParams params = params_of(RIBBON_DEFAULT_WIDTH, 5,
										 fprs_tried[f]);
			uint64_t *records = random_records(&random, n, 5, RANDOM);
			size_t known = 0, probes = 40000;
			Built built;

			built = map_build(&params, records, n);
			for (size_t i = 0; i < probes; i++)
			{
				uint64_t code;

				known += map_get_slowly(&built.filter, random_next(&random),
										&code);
			}
			CHECK(is_plausible(known, params.fpr * (double) probes),
				  "fpr %g, n %zu: %zu", params.fpr, n, known);
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
	MapParams params = params_of(64, 16, 0.01);
	RibbonRecord conflict[2] = {{0, 0}};
	size_t nrecords = 2 * n;
	Built built;

	test("records count once; two values of a key are found");
	for (size_t i = 0; i < 2 * n; i++)
		records[2 * n + i] = records[i];
	map_shuffle(&random, records, 2 * n);
	built = map_build(&params, records, 2 * n);
	CHECK(built.status == RIBBON_OK && built.filter.nkeys == n, "%zu keys",
		  (size_t) built.filter.nkeys);
	free(built.bytes);

	records[2 * 77 + 1] ^= 1;
	built = map_build(&params, records, 2 * n);
	CHECK(built.status == RIBBON_CONFLICT, "%s",
		  ribbon_status_text(built.status));
	{
		uint64_t hash = records[2 * 77], word = records[2 * 77 + 1];

		CHECK(ribbon_distinct(&ribbon_malloc_env, RIBBON_MAP_RECORDS, records,
							  &nrecords, conflict) == RIBBON_CONFLICT,
			  "no conflict");
		CHECK(conflict[0].hash == hash && conflict[1].hash == hash,
			  "of another key");
		CHECK((conflict[0].word ^ conflict[1].word) == 1 &&
				  (conflict[0].word == word || conflict[1].word == word),
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
		MapParams params = {.width = 64,
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
		Built built;

		for (size_t i = 0; i < n; i++)
			records[2 * i + 1] = (records[2 * i + 1] + 5) * factor;
		built = map_build(&params, records, n);
		CHECK(built.status == RIBBON_OK, "%s",
			  ribbon_status_text(built.status));
		CHECK(built.filter.ndictionary == sizeof(dictionary) &&
				  memcmp(built.filter.dictionary, dictionary,
						 sizeof(dictionary)) == 0,
			  "another dictionary");
		CHECK(built.filter.seed == 12345 && built.filter.has_null &&
				  built.filter.key_class == (n > 0 ? params.key_class : 26) &&
				  (ribbon_fpr(&built.filter) < 1) == (n == 0 || params.fpr < 1),
			  "another header");
		for (size_t i = 0; i < n; i++)
		{
			uint64_t code;

			wrong += !map_get_slowly(&built.filter, records[2 * i], &code) ||
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
	MapParams params = params_of(0, 64, 1);
	MapParams wrong = params;

	test("parameters are checked");
	CHECK(maps_check_params(&params) == RIBBON_OK, "good ones");
	CHECK(maps_least_bytes(&params, 1000) == 8000, "least bytes");
	params.value_bits = 3;
	params.fpr = 0.25;
	CHECK(maps_least_bytes(&params, 1000) == 625, "least bytes");
	wrong.value_bits = 65;
	CHECK(maps_check_params(&wrong) == RIBBON_BAD_PARAMS, "bits");
	wrong = params;
	wrong.fpr = 0.75;
	CHECK(maps_check_params(&wrong) == RIBBON_BAD_FPR, "rate");
	wrong.fpr = NAN;
	CHECK(maps_check_params(&wrong) == RIBBON_BAD_FPR, "NaN");
	wrong.fpr = 0x1p-33;
	CHECK(maps_check_params(&wrong) == RIBBON_BAD_FPR, "least rate");
	wrong = params;
	wrong.width = 63;
	CHECK(maps_check_params(&wrong) == RIBBON_BAD_PARAMS, "width");
	wrong = params;
	wrong.value_class = 256;
	CHECK(maps_check_params(&wrong) == RIBBON_BAD_PARAMS, "class");
	wrong = params;
	wrong.ndictionary = 1;
	CHECK(maps_check_params(&wrong) == RIBBON_BAD_PARAMS, "dictionary");
	wrong = params;
	wrong.key_class = -1;
	CHECK(maps_check_params(&wrong) == RIBBON_BAD_PARAMS, "key class");
}

/*
 * A family may repeat a hash, with one value or two.  Is there a map of it,
 * with each key's value?
 */
static bool
check_family(const MapParams *params, const uint64_t *records, size_t n,
			 const char *what)
{
	size_t size = n * 2 * sizeof(uint64_t);
	uint64_t *distinct = malloc(size);
	Built built = map_build(params, records, n);
	RibbonRecord conflict[2];
	RibbonStatus expected;

	memcpy(distinct, records, size);
	expected = ribbon_distinct(&ribbon_malloc_env, RIBBON_MAP_RECORDS, distinct,
							   &n, conflict);
	CHECK(built.status == expected, "%s, n %zu: %s", what, n,
		  ribbon_status_text(built.status));
	if (expected == RIBBON_OK)
		check_values(&built, params, distinct, n);
	free(distinct);
	free(built.bytes);
	return expected == RIBBON_OK;
}

/* Keys that were chosen for their hashes, with values that were chosen, too. */
static void
test_hostile(void)
{
	static const size_t sizes[] = {50, 1000, 1500, 5000, 60000};
	Random random = {10};
	uint64_t *records = random_records(&random, 60000, 8, RANDOM);
	int nmaps = 0;

	test("hostile keys, and hostile values");
	for (int aim = 0; aim < AIM_COUNT; aim++)
		for (int s = 0; s < 5; s++)
			for (int how = (aim + s) % 2; how < NVALUES; how += 2)
			{
				MapParams params = params_of(test_widths[(aim + how) % 3],
											 s % 2 == 0 ? 8 : 1,
											 how % 2 == 0 ? 1 : 0.01);

				if (s == 4 && how != aim % NVALUES &&
					how != (aim + 1) % NVALUES)
					continue;
				for (size_t i = 0; i < sizes[s]; i++)
				{
					records[2 * i] = hostile((Aim) aim, i, 0);
					records[2 * i + 1] = value_of((Values) how, records[2 * i],
												  i, params.value_bits,
												  &random) +
						(uint64_t) BASE;
				}
				nmaps += check_family(&params, records, sizes[s], aims[aim]);
			}
	CHECK(nmaps > 200, "%d families without a conflict", nmaps);
	free(records);
}

int
main(void)
{
	test_small();
	test_chosen();
	test_large();
	test_rate();
	test_distinct();
	test_dictionary();
	test_params();
	test_hostile();
	return test_done();
}
