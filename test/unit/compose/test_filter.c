/*
 * test_filter.c - the promises of a filter, over random sets, rates, kinds and
 * widths
 */
#include "built.h"

#include "set/sort.h"
#include "values/civil.h"

static int
descending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

	return (x < y) - (x > y);
}

/* 1.006 n bits(f) / 8 + 16, for which w = 64 or wider is needed. */
static void
check_size(const Built *built, double fpr, size_t n)
{
	double bound = 1.006 * (double) n * bits_of(fpr) / 8 + 16;

	CHECK((double) built->nbytes <= bound, "n %zu f %g w %u: %zu bytes, %.1f",
		  n, fpr, ribbon_opened(&built->filter)->plane.width, built->nbytes,
		  bound);
}

static void
check_filter(const Built *built, const char *kind, int width, double fpr,
			 const uint64_t *keys, size_t n)
{
	double expected = ribbon_fpr(&built->filter);

	CHECK(built->status == RIBBON_OK, "%s w %d f %g n %zu: %s", kind, width,
		  fpr, n, ribbon_status_text(built->status));
	CHECK(count_missing(built, keys, n) == 0, "%s w %d f %g n %zu: %zu missing",
		  kind, width, fpr, n, count_missing(built, keys, n));
	CHECK(built->filter.nkeys == n, "keys");
	CHECK(n == 0 || fabs(expected / fpr - 1) < 0.005,
		  "%s w %d f %g n %zu: expects %g", kind, width, fpr, n, expected);
	CHECK(count_slots(&built->filter) >= n ||
			  ribbon_opened(&built->filter)->plane.kind == RIBBON_HOMOGENEOUS,
		  "slots");
}

/* One set: built, rebuilt in other orders with duplicates, probed, measured. */
static void
check_set(Random *random, RibbonKind kind, int width, double fpr, size_t n)
{
	uint64_t *keys = random_keys(random, n);
	Built built = build(kind, width, fpr, keys, n);
	uint64_t *twice = malloc((2 * n + 1) * sizeof(uint64_t));
	Built again;

	check_filter(&built, kind_name(kind), width, fpr, keys, n);
	if (kind != RIBBON_HOMOGENEOUS && width == RIBBON_DEFAULT_WIDTH)
		check_size(&built, fpr, n);

	memcpy(twice, keys, n * sizeof(uint64_t));
	memcpy(twice + n, keys, n * sizeof(uint64_t));
	qsort(twice, 2 * n, sizeof(uint64_t), descending);
	again = build(kind, width, fpr, twice, 2 * n);
	CHECK(built_same(&again, &built),
		  "%s w %d f %g n %zu: other bytes for the same set", kind_name(kind),
		  width, fpr, n);

	free(again.bytes);
	free(twice);
	free(built.bytes);
	free(keys);
}

static double
random_fpr(Random *random)
{
	switch (random_below(random, 4))
	{
		case 0:
			return ldexp(1, -1 - (int) random_below(random, 32));
		case 1:
			return 0.01;
		default:
			return exp2(-1 - 31 * (double) random_below(random, 1000000) / 1e6);
	}
}

static void
test_small_sets(void)
{
	Random random = {1};

	test("every n from 0 to 300: members, expected FPR, size, same bytes");
	for (size_t n = 0; n <= 300; n++)
	{
		check_set(&random, RIBBON_BURR, RIBBON_DEFAULT_WIDTH, 0.01, n);
		check_set(&random, RIBBON_AUTO, RIBBON_DEFAULT_WIDTH, 1.0 / 256, n);
		check_set(&random, RIBBON_HOMOGENEOUS, 64, 0.01, n);
		check_set(&random, RIBBON_BURR, RIBBON_DEFAULT_WIDTH,
				  random_fpr(&random), n);
		check_set(&random, test_kinds[n % 3], test_widths[n / 3 % 3],
				  random_fpr(&random), n);
	}
}

static void
test_larger_sets(void)
{
	Random random = {2};

	test("n up to 60,000: members, expected FPR, size, same bytes");
	for (int i = 0; i < 120; i++)
	{
		size_t n = (size_t)
			exp2(8 + 7.9 * (double) random_below(&random, 1000) / 1000);

		check_set(&random, RIBBON_BURR, RIBBON_DEFAULT_WIDTH,
				  random_fpr(&random), n);
		check_set(&random, test_kinds[i % 3], test_widths[i / 3 % 3],
				  random_fpr(&random), n);
	}
	test("n up to 10^6: members, expected FPR, size, same bytes");
	check_set(&random, RIBBON_BURR, RIBBON_DEFAULT_WIDTH, 0.01, 1000000);
	check_set(&random, RIBBON_AUTO, RIBBON_DEFAULT_WIDTH, 0.5, 700001);
	check_set(&random, RIBBON_BURR, 128, 1.0 / 256, 500000);
	check_set(&random, RIBBON_BURR, 32, 0.001, 300000);
	check_set(&random, RIBBON_HOMOGENEOUS, 64, 0.01, 500000);
}

static void
test_empty(void)
{
	Random random = {3};

	test("the empty filter contains nothing, and is the same for all options");
	for (int k = 0; k < 3; k++)
		for (int w = 0; w < 3; w++)
		{
			Built built = build(test_kinds[k], test_widths[w], 0.5, NULL, 0);

			CHECK(built.status == RIBBON_OK && built.nbytes == 5, "5 bytes");
			CHECK(memcmp(built.bytes, "\x11\x01\0\0\0", 5) == 0, "bytes");
			CHECK(count_nonmembers(&built, &random, 1000) == 0, "positives");
			CHECK(ribbon_fpr(&built.filter) == 0, "FPR");
			free(built.bytes);
		}
}

static void
test_batch(void)
{
	Random random = {4};
	uint64_t *keys = random_keys(&random, 200000);
	bool *answers = malloc(200000 * sizeof(bool));

	test("a batch gives the answers of single probes");
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
		{
			Built built = build(test_kinds[k], test_widths[w], 0.1, keys,
								100000);

			prefer_batches(&built.filter);
			ribbon_contains_batch(&built.filter, keys, 200000, answers);
			for (int i = 0; i < 200000; i++)
				CHECK(answers[i] == ribbon_contains(&built.filter, keys[i]),
					  "key %d", i);
			free(built.bytes);
		}
	free(answers);
	free(keys);
}

/* What a map's parameters may not say. */
static void
test_map_params(void)
{
	static const uint8_t dictionary[] = {1};
	static const RibbonValues good = {.value_class = 4, .bits = 8};
	static const struct
	{
		const char *what;
		RibbonValues values;
		RibbonKind kind;
		double fpr;
		RibbonStatus status;
	} cases[] = {
		{"good", {4, .bits = 8}, RIBBON_BURR, 1, RIBBON_OK},
		{"all", {63, .bits = 64, .coding = 2}, RIBBON_BURR, 0.5, RIBBON_OK},
		{"homogeneous",
		 {4, .bits = 8},
		 RIBBON_HOMOGENEOUS,
		 0.5,
		 RIBBON_BAD_PARAMS},
		{"exact", {4, .bits = 8}, RIBBON_EXACT, 0.5, RIBBON_BAD_PARAMS},
		{"bits", {4, .bits = 65}, RIBBON_BURR, 0.5, RIBBON_BAD_PARAMS},
		{"class", {64, .bits = 8}, RIBBON_BURR, 0.5, RIBBON_BAD_PARAMS},
		{"coding",
		 {4, .bits = 8, .coding = 3},
		 RIBBON_BURR,
		 0.5,
		 RIBBON_BAD_PARAMS},
		{"no size",
		 {4, .bits = 8, .dictionary = dictionary},
		 RIBBON_BURR,
		 0.5,
		 RIBBON_BAD_PARAMS},
		{"no bytes",
		 {4, .bits = 8, .ndictionary = 1},
		 RIBBON_BURR,
		 0.5,
		 RIBBON_BAD_PARAMS},
		{"0.7", {4, .bits = 8}, RIBBON_BURR, 0.7, RIBBON_BAD_FPR},
	};
	static const struct
	{
		int64_t as_of;
		bool good;
	} times[] = {{INT64_MIN, true},
				 {INT64_MIN + 1, false},
				 {RIBBON_FIRST_TIMESTAMP - 1, false},
				 {RIBBON_FIRST_TIMESTAMP, true},
				 {RIBBON_END_TIMESTAMP - 1, true},
				 {RIBBON_END_TIMESTAMP, false},
				 {INT64_MAX - 1, false},
				 {INT64_MAX, true}};
	RibbonParams params = {.kind = RIBBON_BURR, .fpr = 1, .key_class = 1};

	test("values out of range are refused");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		params.values = &cases[i].values;
		params.kind = cases[i].kind;
		params.fpr = cases[i].fpr;
		CHECK(ribbon_params_check(&params) == cases[i].status, "%s",
			  cases[i].what);
	}
	params = (RibbonParams){.kind = RIBBON_BURR, .fpr = 1, .key_class = 1};
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_FPR, "a filter of 1");
	params.values = &good;
	CHECK(ribbon_params_check(&params) == RIBBON_OK, "a map of 1");
	params = (RibbonParams){.kind = RIBBON_EXACT, .fpr = 1, .key_class = 1};
	CHECK(ribbon_params_check(&params) == RIBBON_OK, "an exact set of 1");
	params.has_as_of = true;
	CHECK(ribbon_params_check(&params) == RIBBON_OK, "of a time");
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
	{
		params.as_of = times[i].as_of;
		CHECK(ribbon_params_check(&params) ==
				  (times[i].good ? RIBBON_OK : RIBBON_BAD_PARAMS),
			  "%" PRId64, params.as_of);
	}
	params.as_of = 0;
	params.kind = RIBBON_BURR;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_PARAMS, "a filter's time");
}

static void
test_params(void)
{
	static const RibbonParams good = {.kind = RIBBON_BURR,
									  .width = 64,
									  .fpr = 0.01,
									  .key_class = 1};
	RibbonParams params = good;
	uint64_t key = 1;
	uint8_t *bytes;
	size_t nbytes;

	test("parameters out of range are refused");
	params.fpr = 0.5000001;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_FPR, "above");
	params.fpr = RIBBON_MIN_FPR / 1.0001;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_FPR, "below");
	params.fpr = NAN;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_FPR, "NaN");
	CHECK(array_build(&ribbon_malloc_env, &params, &key, 1, 0, &bytes,
					  &nbytes) == RIBBON_BAD_FPR,
		  "build");
	params.fpr = RIBBON_MIN_FPR;
	CHECK(ribbon_params_check(&params) == RIBBON_OK, "least");
	params.fpr = 0.5;
	CHECK(ribbon_params_check(&params) == RIBBON_OK, "most");
	params.width = 48;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_PARAMS, "width");
	params = good;
	params.kind = (RibbonKind) 4;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_PARAMS, "kind");
	params = good;
	params.key_class = 1 << 20;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_PARAMS, "class");
	params.key_class = -1;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_PARAMS, "class < 0");
	params.key_class = 1 | 1 << 5;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_PARAMS, "parts of 1");
	params.key_class = 23 | 1 << 5 | 1 << 10;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_PARAMS, "of its parts");
	params.key_class = 23 | 24 << 5 | 1 << 10;
	CHECK(ribbon_params_check(&params) == RIBBON_OK, "parts");
	params.key_class = 23 | 26 << 5 | 1 << 10 | 1 << 15;
	CHECK(ribbon_params_check(&params) == RIBBON_OK, "columns");

	test("every status has a sentence");
	for (int s = 0; s < RIBBON_NSTATUS; s++)
		CHECK(strlen(ribbon_status_text((RibbonStatus) s)) > 5, "%d", s);
	CHECK(strcmp(ribbon_status_text((RibbonStatus) RIBBON_NSTATUS),
				 "unknown status") == 0,
		  "no status");
}

static void
test_least_bytes(void)
{
	static const double rates[] = {0.5, 0.3, 0.01, 1e-6, RIBBON_MIN_FPR};
	Random random = {31};
	uint64_t *keys = random_keys(&random, 3000);

	test("no filter takes less than the least, and BuRR hardly more");
	for (int k = 0; k < 2; k++)
		for (unsigned r = 0; r < sizeof(rates) / sizeof(rates[0]); r++)
		{
			RibbonParams params = {.kind = test_kinds[k],
								   .width = 64,
								   .fpr = rates[r],
								   .key_class = 1};
			double least = ribbon_least_bytes(&params, 3000);
			Built built = build(test_kinds[k], 64, rates[r], keys, 3000);

			CHECK(least <= (double) built.nbytes, "rate %g", rates[r]);
			CHECK(test_kinds[k] == RIBBON_HOMOGENEOUS ||
					  least > 0.96 * (double) built.nbytes,
				  "rate %g", rates[r]);
			free(built.bytes);
		}
	free(keys);

	test("distinct hashes are the same set, in order");
	keys = random_keys(&random, 3000);
	for (int repeated = 0; repeated < 2; repeated++)
	{
		size_t n = 3000;
		Built expected, got;

		for (size_t i = 2000; repeated && i < n; i++)
			keys[i] = keys[i - 1999];
		expected = build(RIBBON_BURR, 64, 0.01, keys, n);
		CHECK(ribbon_distinct(&ribbon_malloc_env, RIBBON_HASHES, keys, &n,
							  NULL) == RIBBON_OK &&
				  n == (repeated ? 2000 : 3000),
			  "%zu left", n);
		for (size_t i = 1; i < n; i++)
			CHECK(keys[i - 1] < keys[i], "hash %zu", i);
		got = build(RIBBON_BURR, 64, 0.01, keys, n);
		CHECK(built_same(&got, &expected), "other bytes");
		free(expected.bytes);
		free(got.bytes);
	}
	free(keys);
}

static void
test_bumped(void)
{
	Random random = {11};
	uint64_t *keys = random_keys(&random, 100000);
	Built built = build(RIBBON_BURR, 64, 0.01, keys, 100000);
	RibbonInfo info;

	test("some keys of the first layer are bumped");
	ribbon_info(&built.filter, &info);
	CHECK(info.nlayers > 1 && info.bumped_keys >= 1 &&
			  info.bumped_keys <= 100000 / 5,
		  "%" PRIu64 " of %d layers", info.bumped_keys, info.nlayers);
	free(built.bytes);
	free(keys);
}

/* The lines of ribbon_core.h, at its top. */
static void
test_example(void)
{
	Random random = {1};
	size_t n = 100;
	uint64_t *hashes = random_keys(&random, n);
	uint64_t hash = hashes[n / 2];
	bool found = false;
	uint8_t *bytes = NULL;
	size_t nbytes;

	const RibbonEnv *env = &ribbon_malloc_env;
	RibbonSet set = ribbon_set_of_array(env, RIBBON_HASHES, hashes, n);
	RibbonParams params = {.kind = RIBBON_BURR, .fpr = 0.01, .key_class = 1};
	RibbonFilter filter;

	test("the example of the header finds a member");
	if (ribbon_build(env, &params, &set, 0, &bytes, &nbytes) == RIBBON_OK &&
		ribbon_open(bytes, nbytes, &filter) == RIBBON_OK)
		found = ribbon_contains(&filter, hash);
	CHECK(found, "not found");
	env->free(env->arg, bytes);
	free(hashes);
}

int
main(void)
{
	test_example();
	test_small_sets();
	test_larger_sets();
	test_empty();
	test_batch();
	test_map_params();
	test_params();
	test_least_bytes();
	test_bumped();
	return test_done();
}
