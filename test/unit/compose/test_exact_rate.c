/*
 * test_exact_rate.c - exact.c with a rate: right about each key listed, and
 * others pass at it
 */
#include "exact.h"
#include "kernels.h"

#define PROBES 50000

static RibbonParams
rated_params(int width, double fpr)
{
	RibbonParams params = exact_params(width);

	params.fpr = fpr;
	return params;
}

/* A rate from 0.5 to 2^-32, often none of a power of two. */
static double
some_rate(Random *random, double octaves)
{
	double fpr = exp2(-1 - octaves * (double) random_below(random, 1000) / 999);

	return random_below(random, 4) == 0 ? exp2(round(log2(fpr))) : fpr;
}

/*
 * The number of bits that a set takes in theory, with h non-members for n
 * members: with a filter at the rate g in front, where g / 2 is not above f; or
 * at f itself, if no non-member passes.
 */
static double
least_bits(double n, double h, double fpr)
{
	double g = fmin(1, 2 * fpr);
	double least = n * ((g < 1 ? bits_of(g) : 0) + 1) + g * h;

	if (g > 0.5 && g < 1)
		least = n * (3 - 2 * g) + g * h;
	for (int r = 1; r <= 31; r++)
		if (exp2(-r) < g)
			least = fmin(least, n * (r + 1) + exp2(-r) * h);
	return least;
}

/* How many of PROBES random keys pass. */
static size_t
count_passing(const RibbonFilter *set, Random *random)
{
	static uint64_t hashes[PROBES];
	static bool answers[PROBES];
	size_t yes = 0;

	for (size_t i = 0; i < PROBES; i++)
		hashes[i] = random_next(random);
	ribbon_contains_batch(set, hashes, PROBES, answers);
	for (size_t i = 0; i < PROBES; i++)
		yes += answers[i];
	return yes;
}

/*
 * Is the rate what was asked for, within 0.5 %?  It may be lower where that
 * takes fewer bytes, which it does if there are many non-members: a bit of a
 * filter halves those that pass.
 */
static void
check_rate(const RibbonFilter *set, double fpr)
{
	double rate = ribbon_fpr(set);
	double others = (double) (set->universe - set->nkeys);
	bool may_be_lower = fpr * others >= 0.5 * (double) set->nkeys;

	CHECK(!set->is_inverted, "inverted");
	if (set->nkeys == 0)
		CHECK(rate == 0, "%g, not 0", rate);
	else
		CHECK(rate <= 1.005 * fpr && (may_be_lower || rate >= 0.995 * fpr),
			  "%d of %d keys: %g, not %g", (int) set->nkeys,
			  (int) set->universe, rate, fpr);
}

static void
test_small(void)
{
	static const int widths[] = {RIBBON_DEFAULT_WIDTH, 32, 64, 128};
	static const double rates[] = {0.5, 0.4, 0.26, 0.25, 0.1, 0x1p-8, 0x1p-32};
	Random random = {1};
	unsigned turn = 0;

	test("small sets of any numbers of keys");
	for (size_t n = 0; n <= 30; n++)
		for (size_t nmembers = 0; nmembers <= n; nmembers++, turn++)
		{
			RibbonParams params = rated_params(widths[turn % 4],
											   rates[turn % 7]);
			uint64_t *records = exact_records(&random, n, nmembers);
			Built built;

			built = built_from(&params, records, n);
			exact_check(&built, records, n);
			check_rate(&built.filter, params.fpr);
			free(built.bytes);
			free(records);
		}
}

/*
 * 200 sets of 0 to 100 keys of either side.  The squared deviations, in
 * standard errors, add up to a chi-square of 200; 249.4 is its 99th percentile.
 */
static void
test_coin(void)
{
	Random random = {2};
	double sum = 0, most = 0;
	int nsets = 0;

	test("keys that are not listed pass at the rate: a chi-square test of 200 "
		 "sets");
	while (nsets < 200)
	{
		size_t nmembers = (size_t) random_below(&random, 101);
		size_t n = nmembers + (size_t) random_below(&random, 101);
		RibbonParams params = rated_params(RIBBON_DEFAULT_WIDTH,
										   some_rate(&random, 9));
		uint64_t *records = exact_records(&random, n, nmembers);
		Built built;
		double rate, deviation;

		built = built_from(&params, records, n);
		exact_check(&built, records, n);
		check_rate(&built.filter, params.fpr);
		rate = ribbon_fpr(&built.filter);
		deviation = (double) count_passing(&built.filter, &random) -
			rate * PROBES;
		if (nmembers == 0)
			CHECK(deviation == 0, "a set without members has one");
		else
		{
			deviation /= sqrt(rate * (1 - rate) * PROBES);
			sum += deviation * deviation;
			most = fmax(most, fabs(deviation));
			nsets++;
		}
		free(built.bytes);
		free(records);
	}
	CHECK(sum < 249.4, "chi-square %g", sum);
	CHECK(most < 4, "%g standard errors", most);
}

/* All other rates, and sizes up to those with layers. */
static void
test_random(void)
{
	static const int widths[] = {RIBBON_DEFAULT_WIDTH, 32, 64, 128};
	Random random = {3};

	test("random sets, at any rate");
	for (int i = 0; i < 300; i++)
	{
		size_t n = (size_t) random_below(&random,
										 UINT64_C(4)
											 << random_below(&random, 14));
		size_t nmembers =
			(size_t) random_below(&random, (n >> random_below(&random, 6)) + 1);
		RibbonParams params = rated_params(widths[i % 4],
										   some_rate(&random, 31));
		uint64_t *records = exact_records(&random, n, nmembers);
		Built built;

		params.has_as_of = i % 3 == 0;
		params.as_of = i % 3 == 0 ? i : 0;
		built = built_from(&params, records, n);
		exact_check(&built, records, n);
		check_rate(&built.filter, params.fpr);
		CHECK(is_plausible(count_passing(&built.filter, &random),
						   ribbon_fpr(&built.filter) * PROBES),
			  "%zu of %zu keys: not %g", nmembers, n,
			  ribbon_fpr(&built.filter));
		free(built.bytes);
		free(records);
	}
}

static void
test_bytes(void)
{
	static const double rates[] = {0.01, 0x1p-8, 0x1p-16, 0.5, 0.3, 0x1p-32};
	static const unsigned ratios[] = {0, 1, 16, 500};
	Random random = {4};

	test("at most 1.004 times the least in theory, and 32 bytes");
	for (size_t nmembers = 1000; nmembers <= 10000; nmembers *= 10)
		for (int i = 0; i < 24; i++)
		{
			unsigned k = ratios[i % 4];
			size_t n = nmembers * (1 + k);
			RibbonParams params = rated_params(RIBBON_DEFAULT_WIDTH,
											   rates[i / 4]);
			uint64_t *records = exact_records(&random, n, nmembers);
			double least = least_bits((double) nmembers,
									  (double) (n - nmembers), params.fpr);
			Built built;

			built = built_from(&params, records, n);
			exact_check(&built, records, n);
			check_rate(&built.filter, params.fpr);
			CHECK((double) built.nbytes <= 1.004 * least / 8 + 32,
				  "%zu members, %u others for each, rate %g: %zu, least %.0f",
				  nmembers, k, params.fpr, built.nbytes, least / 8);
			free(built.bytes);
			free(records);
		}
}

/* A filter that checks a bit of some keys only, with layers and without. */
static void
test_less_than_a_bit(void)
{
	static const int widths[] = {RIBBON_DEFAULT_WIDTH, 32, 64, 128};
	RibbonKernel kernel = ribbon_kernel();
	Random random = {5};

	test("rates between 0.25 and 0.5, with every kernel");
	for (int i = 0; i < 24; i++)
	{
		size_t n = (size_t) 3 << (2 * (i % 8) + i / 8);
		RibbonParams params = rated_params(widths[i % 4],
										   0.251 + 0.2489 * i / 23);
		uint64_t *records = exact_records(&random, n, n / 2);
		Built built, other;

		built = built_from(&params, records, n);
		FOR_EACH_KERNEL(k)
		{
			ribbon_kernel_use(k);
			other = built_from(&params, records, n);
			CHECK(built_same(&other, &built),
				  "n %zu, rate %g: other bytes with %s", n, params.fpr,
				  ribbon_kernel_name(k));
			free(other.bytes);
		}
		ribbon_kernel_use(kernel);
		exact_check(&built, records, n);
		check_rate(&built.filter, params.fpr);
		CHECK(is_plausible(count_passing(&built.filter, &random),
						   params.fpr * PROBES),
			  "n %zu: not %g", n, params.fpr);
		free(built.bytes);
		free(records);
	}
}

/*
 * Members that all start at an end of what a column of them alone would be:
 * without masks, it could be a column of zeroes but for its ends.
 */
static void
test_chosen(void)
{
	Random random = {6};

	test("chosen members do not change the rate");
	for (unsigned shift = 1; shift <= 40; shift += 3)
		for (size_t n = 10; n <= 3000; n *= 17)
		{
			RibbonParams params = rated_params(RIBBON_DEFAULT_WIDTH, 0.1);
			uint64_t *records = exact_records(&random, n + 3, n);
			Built built;

			for (size_t i = 0; i < n; i++)
				records[2 * i] = records[2 * i] >> shift ^
					(i % 2 == 0 ? 0 : UINT64_MAX);
			built = built_from(&params, records, n + 3);
			exact_check(&built, records, n + 3);
			check_rate(&built.filter, params.fpr);
			CHECK(is_plausible(count_passing(&built.filter, &random),
							   ribbon_fpr(&built.filter) * PROBES),
				  "n %zu, shift %u", n, shift);
			free(built.bytes);
			free(records);
		}
}

static void
test_equal(void)
{
	Random random = {7};

	test("keys of one hash, of either side, are told apart");
	for (size_t n = 3; n <= 30000; n *= 10)
		for (int i = 0; i < 4; i++)
		{
			RibbonParams params = rated_params(RIBBON_DEFAULT_WIDTH,
											   i % 2 == 0 ? 0.5 : 0x1p-12);
			uint64_t *records = exact_records(&random, n, i < 2 ? n : n / 2);
			Built built, other;

			records[2] = records[0];
			built = built_from(&params, records, n);
			exact_check(&built, records, n);
			CHECK(built.filter.seed != 0, "no seed");
			map_shuffle(&random, records, n);
			other = built_from(&params, records, n);
			CHECK(built_same(&built, &other), "in another order other bytes");
			free(built.bytes);
			free(other.bytes);
			free(records);
		}
}

/* What no builder writes is refused. */
static void
test_heads(void)
{
	static const struct
	{
		RibbonExactHead head;
		bool valid;
	} cases[] = {
		{{.nmembers = 1, .check = {3, 0}}, true},
		{{.nmembers = 1, .check = {32, 0}}, true},
		{{.nmembers = 1, .check = {3, 0}, .inverted = true}, false},
		{{.nmembers = 1}, false},
		{{.nmembers = 1, .check = {3, 0}, .column = true}, false},
		{{.nmembers = 1, .nothers = 1, .check = {3, 0}}, true},
		{{.nmembers = 1, .nothers = 1, .check = {3, 2048}}, false},
		{{.nmembers = 1, .nothers = 1, .column = true}, false},
	};
	uint8_t bytes[RIBBON_MAX_HEAD + RIBBON_MAX_HEADER + 8];

	test("heads that no builder writes are refused");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
	{
		RibbonExactHead head = cases[i].head;
		RibbonFilter set;
		RibbonStatus status;
		size_t size;

		head.key_class = 1;
		head.rated = true;
		memset(bytes, 0, sizeof(bytes));
		size = ribbon_format_encode_exact(&head, bytes);
		/* a zone of one slot, as one key has */
		bytes[size] = 1 << 1;
		size += 2 + (head.check.bits + 7) / 8;
		status = ribbon_open(bytes, size, &set);
		CHECK(status == (cases[i].valid ? RIBBON_OK : RIBBON_CORRUPT),
			  "%zu: %s", i, ribbon_status_text(status));
	}
}

static void
test_params(void)
{
	static const double bad[] = {0,	 0.50001, 0.99,		1.5,
								 -1, NAN,	  INFINITY, 0x1p-33};
	Random random = {8};
	uint64_t *records = exact_records(&random, 100, 30);
	RibbonParams params = rated_params(64, 0.01);
	Built built;
	uint8_t *bytes;
	size_t nbytes;

	test("rates that are refused; shrink");
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
	{
		params.fpr = bad[i];
		built = built_from(&params, records, 100);
		CHECK(built.status == RIBBON_BAD_FPR, "%g: %s", bad[i],
			  ribbon_status_text(built.status));
	}
	params.fpr = 0.01;
	built = built_from(&params, records, 100);
	CHECK(ribbon_shrink(&ribbon_malloc_env, &built.filter, 0.5, 0, &bytes,
						&nbytes) == RIBBON_IS_EXACT,
		  "shrunk");
	free(built.bytes);
	params.kind = RIBBON_BURR;
	params.has_as_of = true;
	CHECK(ribbon_params_check(&params) == RIBBON_BAD_PARAMS, "as_of");
	free(records);
}

int
main(void)
{
	test_small();
	test_coin();
	test_random();
	test_bytes();
	test_less_than_a_bit();
	test_chosen();
	test_equal();
	test_heads();
	test_params();
	return test_done();
}
