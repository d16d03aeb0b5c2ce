/*
 * test_fpr.c - the measured rate of false positives is the expected one
 */
#include "built.h"

/*
 * Over enough sets of n keys, do non-members pass as often as ribbon_fpr says?
 * Small n are where the parts of a hash could fail to be independent: with one
 * starting position a wrong fingerprint is a linear function of the row.
 */
static void
check_rate(Random *random, RibbonKind kind, int width, double fpr, size_t n,
		   size_t nsets, size_t nprobes)
{
	size_t positives = 0;
	double expected = 0;

	for (size_t i = 0; i < nsets; i++)
	{
		uint64_t *keys = random_keys(random, n);
		Built built = build(kind, width, fpr, keys, n);

		expected += ribbon_fpr(&built.filter) * (double) nprobes;
		positives += count_nonmembers(&built, random, nprobes);
		free(built.bytes);
		free(keys);
	}
	CHECK(is_plausible(positives, expected),
		  "%s w %d f %g n %zu: %zu positives, %.1f expected", kind_name(kind),
		  width, fpr, n, positives, expected);
}

/*
 * Nor does it do to be right on average: each set has its own filter, and that
 * says what rate it has.  Squared deviations of Poisson counts from what was
 * expected are, divided by that, 1 on average.
 */
static void
check_each(Random *random, int width, double fpr, size_t n, size_t nsets)
{
	size_t nprobes = (size_t) (400 / fpr);
	double squares = 0;

	for (size_t i = 0; i < nsets; i++)
	{
		uint64_t *keys = random_keys(random, n);
		Built built = build(RIBBON_HOMOGENEOUS, width, fpr, keys, n);
		double expected = ribbon_fpr(&built.filter) * (double) nprobes;
		size_t positives = count_nonmembers(&built, random, nprobes);
		double off = (double) positives - expected;

		squares += off * off / expected;
		CHECK(is_plausible(positives, expected),
			  "w %d f %g n %zu, set %zu: %zu positives, %.1f expected", width,
			  fpr, n, i, positives, expected);
		free(built.bytes);
		free(keys);
	}
	CHECK(squares / (double) nsets < 1 + 6 * sqrt(2.0 / (double) nsets),
		  "w %d f %g n %zu: squared deviations %g", width, fpr, n,
		  squares / (double) nsets);
}

/*
 * Of the least rate there is, dependent equations leave nothing: a set that has
 * some, as that of seed 65 at first, gets more slots.
 */
static void
test_least(void)
{
	size_t n = 120;

	test("the least rate is not exceeded by dependent equations");
	for (uint64_t seed = 60; seed < 70; seed++)
	{
		Random random = {seed};
		uint64_t *keys = random_keys(&random, n);
		Built built = build(RIBBON_HOMOGENEOUS, 64, 0x1p-32, keys, n);

		CHECK(built.status == RIBBON_OK && count_missing(&built, keys, n) == 0,
			  "seed %d", (int) seed);
		CHECK(ribbon_fpr(&built.filter) <= 1.003 * 0x1p-32, "seed %d: %g",
			  (int) seed, ribbon_fpr(&built.filter));
		free(built.bytes);
		free(keys);
	}
}

int
main(void)
{
	static const size_t few[] = {10, 30, 100, 300, 1000};
	Random random = {1};

	test("homogeneous: each of many small sets has the rate it states");
	for (int w = 0; w < 3; w++)
		for (int i = 0; i < 5; i++)
		{
			check_each(&random, test_widths[w], 0.01, few[i], 100);
			check_each(&random, test_widths[w], 0.2, few[i], 100);
		}

	test("BuRR: every n from 1 to 300");
	for (size_t n = 1; n <= 300; n++)
	{
		check_rate(&random, RIBBON_BURR, 64, 1.0 / 256, n, 20, 2000);
		check_rate(&random, RIBBON_BURR, 64, 0.03, n, 5, 2000);
	}
	test("homogeneous: every n from 1 to 300");
	for (size_t n = 1; n <= 300; n++)
		check_rate(&random, RIBBON_HOMOGENEOUS, 64, 0.01, n, 30, 2000);

	test("all kinds and widths, n up to 200,000");
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
			for (size_t n = 300; n <= 200000; n = n * 9 / 2)
			{
				size_t nsets = 1 + 20000 / n;

				check_rate(&random, test_kinds[k], test_widths[w], 0.01, n,
						   nsets, 200000 / nsets);
				check_rate(&random, test_kinds[k], test_widths[w], 0.37, n,
						   nsets, 20000 / nsets);
				check_rate(&random, test_kinds[k], test_widths[w], 0.0001, n,
						   nsets, 400000 / nsets);
			}
	test_least();
	return test_done();
}
