/*
 * test_shrink.c - shrink.c: fewer bytes, a higher FPR, the same keys
 */
#include "solve/rate.h"
#include "maps.h"

#include <limits.h>

static void
check_shrink(Random *random, RibbonKind kind, int width, double from, double to,
			 size_t n)
{
	uint64_t *keys = random_keys(random, n);
	Built built = build(kind, width, from, keys, n);
	Built small = shrink(&built, to);
	size_t nprobes = 20000;
	double fpr;

	CHECK(small.status == RIBBON_OK, "%s", ribbon_status_text(small.status));
	if (small.status == RIBBON_OK)
	{
		fpr = ribbon_fpr(&small.filter);
		CHECK(count_missing(&small, keys, n) == 0,
			  "%s w %d n %zu %g to %g: member lost", kind_name(kind), width, n,
			  from, to);
		CHECK(fabs(fpr / to - 1) < 0.01, "%s w %d n %zu %g to %g: expects %g",
			  kind_name(kind), width, n, from, to, fpr);
		CHECK(small.nbytes <= built.nbytes + 3, "%zu from %zu bytes",
			  small.nbytes, built.nbytes);
		CHECK(is_plausible(count_nonmembers(&small, random, nprobes),
						   fpr * (double) nprobes),
			  "%s w %d n %zu %g to %g", kind_name(kind), width, n, from, to);
		CHECK(small.filter.nkeys == n, "keys");
	}
	free(small.bytes);
	free(built.bytes);
	free(keys);
}

static void
test_refusals(void)
{
	Random random = {2};
	uint64_t *keys = random_keys(&random, 1000);
	Built built = build(RIBBON_BURR, 64, 0.01, keys, 1000);
	Built same = shrink(&built, 0.01);
	Built empty = build(RIBBON_BURR, 64, 0.01, keys, 0);
	Built still_empty = shrink(&empty, 0.1);
	uint64_t *records = map_records(&random, 1000, 8, 0);
	MapParams params = map_params(64, 0.01, 8);
	Built map;
	Built small;

	test("shrinking to the filter's own rate copies it");
	CHECK(built_same(&same, &built), "differs");

	test("the rate that was asked for is never too low, at any size");
	for (size_t n = 10; n < 300000; n = n * 5 / 2)
		for (int k = 0; k < 2; k++)
			for (int w = 0; w < 3; w++)
			{
				uint64_t *more = random_keys(&random, n);
				double fpr = n % 4 == 0 ? 0.2 : n % 4 == 1 ? 0.0005 : 0.013;
				Built all = build(test_kinds[k], test_widths[w], fpr, more, n);
				Built again = shrink(&all, fpr);

				CHECK(again.status == RIBBON_OK, "%s w %d n %zu f %g: %s",
					  kind_name(test_kinds[k]), test_widths[w], n, fpr,
					  ribbon_status_text(again.status));
				free(again.bytes);
				free(all.bytes);
				free(more);
			}

	test("a map is refused");
	map = map_build(&params, records, 1000);
	CHECK(map.status == RIBBON_OK &&
			  ribbon_shrink(&ribbon_malloc_env, &map.filter, 0.1, 0,
							&small.bytes, &small.nbytes) == RIBBON_BAD_PARAMS,
		  "a map");

	test("a lower rate and one out of range are refused");
	CHECK(shrink(&built, 0.005).status == RIBBON_NOT_LARGER, "lower");
	CHECK(shrink(&built, 0.6).status == RIBBON_BAD_FPR, "above");
	CHECK(shrink(&built, NAN).status == RIBBON_BAD_FPR, "NaN");

	test("an empty filter stays as it is");
	CHECK(built_same(&still_empty, &empty), "differs");

	free(still_empty.bytes);
	free(empty.bytes);
	free(same.bytes);
	free(built.bytes);
	free(keys);
	free(map.bytes);
	free(records);
}

/* Of so many slots that columns are copied in several steps. */
static void
test_interrupted(void)
{
	Random random = {7};
	uint64_t *keys = random_keys(&random, 200000);

	test("an interrupt ends shrinking, at each look for one");
	for (int k = 0; k < 2; k++)
	{
		Built built = build(test_kinds[k], 32, 0.1, keys, 200000);
		Built small = shrink(&built, 0.3);
		long left = LONG_MAX, looks;
		RibbonEnv env = ribbon_malloc_env;
		Built again;

		env.interrupted = is_last_look;
		env.arg = &left;
		CHECK(ribbon_shrink(&env, &built.filter, 0.3, 0, &again.bytes,
							&again.nbytes) == RIBBON_OK &&
				  built_same(&again, &small),
			  "%s: other bytes", kind_name(test_kinds[k]));
		free(again.bytes);
		looks = LONG_MAX - left;
		CHECK(looks >= 2, "%ld looks", looks);
		for (long at = looks; at > 0 && at > looks - 3; at--)
		{
			left = at;
			CHECK(ribbon_shrink(&env, &built.filter, 0.3, 0, &again.bytes,
								&again.nbytes) == RIBBON_INTERRUPTED,
				  "%s: look %ld of %ld", kind_name(test_kinds[k]), at, looks);
		}
		free(small.bytes);
		free(built.bytes);
	}
	free(keys);
}

static void
test_twice(void)
{
	Random random = {3};

	test("shrinking in two steps gives the bytes of one step");
	for (size_t n = 1; n < 100000; n = n * 4 + 3)
	{
		uint64_t *keys = random_keys(&random, n);
		Built built = build(RIBBON_BURR, 64, 0.0003, keys, n);
		Built once = shrink(&built, 0.13);
		Built half = shrink(&built, 0.007);
		Built twice = shrink(&half, 0.13);

		CHECK(built_same(&once, &twice), "n %zu", n);
		free(twice.bytes);
		free(half.bytes);
		free(once.bytes);
		free(built.bytes);
		free(keys);
	}
}

/*
 * With few keys, how far a homogeneous filter's rate is from chance depends on
 * its columns: up to a fifth of it.
 */
static void
test_counted(void)
{
	Random random = {4};

	test("a shrunk homogeneous filter states the rate that is counted");
	for (int i = 0; i < 600; i++)
	{
		size_t n = 20 + 7 * (size_t) (i / 3);
		double fpr = i % 2 == 0 ? 1e-5 : 0.1;
		uint64_t *keys = random_keys(&random, n);
		Built built = build(RIBBON_HOMOGENEOUS, test_widths[i % 3], fpr, keys,
							n);
		Built small = shrink(&built, 1.7 * fpr);
		const RibbonSystem *system =
			&ribbon_opened(&small.filter)->plane.systems[0];
		RibbonResultBits result_bits = {system->ncolumns, system->wide};
		double stated = ribbon_fpr(&small.filter);
		double counted = 0;

		CHECK(ribbon_rate_count(&ribbon_malloc_env, system, result_bits,
								&counted) == RIBBON_OK,
			  "count");
		CHECK(fabs(counted / stated - 1) < 0.001,
			  "w %d n %zu to %g: counted %g, stated %g", test_widths[i % 3], n,
			  1.7 * fpr, counted, stated);
		free(small.bytes);
		free(built.bytes);
		free(keys);
	}
}

/*
 * With few keys, a filter of fewer columns may let through hardly more, and so
 * fewer than the header's rounded rate says.
 */
static void
test_hardly_larger(void)
{
	Random random = {5};

	test("hardly shrunk, a homogeneous filter states no rate that it has not");
	for (int i = 0; i < 10000; i++)
	{
		size_t n = 40 + random_below(&random, 20);
		double fpr = exp2(-15 - (double) random_below(&random, 3000) / 1000);
		uint64_t *keys = random_keys(&random, n);
		Built built = build(RIBBON_HOMOGENEOUS, 32, fpr, keys, n);
		double own = ribbon_fpr(&built.filter);
		Built small = shrink(&built, 1.006 * own);

		CHECK(ribbon_check(&ribbon_malloc_env, &small.filter) == RIBBON_OK,
			  "n %zu from %.8g: %.8g", n, own, ribbon_fpr(&small.filter));
		CHECK(ribbon_fpr(&small.filter) >= own, "n %zu from %.8g: %.8g", n, own,
			  ribbon_fpr(&small.filter));
		free(small.bytes);
		free(built.bytes);
		free(keys);
	}
}

/*
 * With few keys, the rate of a homogeneous filter may jump as columns are
 * dropped, so that there is none near the one asked for: but lower ones are.
 */
static void
test_never_above(void)
{
	Random random = {6};

	test("shrunk as far as asked for at most, however few the keys");
	for (int i = 0; i < 20000; i++)
	{
		size_t n = 1 + random_below(&random, 150);
		double fpr = exp2(-16 - (double) random_below(&random, 5000) / 1000);
		double to = fpr *
			exp2((double) (1 + random_below(&random, 3000)) / 1000);
		uint64_t *keys = random_keys(&random, n);
		Built built = build(RIBBON_HOMOGENEOUS, 32, fpr, keys, n);
		Built small = shrink(&built, to);

		CHECK(ribbon_fpr(&small.filter) <=
				  1.0041 * fmax(to, ribbon_fpr(&built.filter)),
			  "n %zu from %g to %g: %g", n, ribbon_fpr(&built.filter), to,
			  ribbon_fpr(&small.filter));
		free(small.bytes);
		free(built.bytes);
		free(keys);
	}
}

int
main(void)
{
	Random random = {1};

	test("members stay, the FPR is the one asked for");
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
			for (size_t n = 1; n < 80000; n = n * 3 + 7)
			{
				check_shrink(&random, test_kinds[k], test_widths[w], 0.001,
							 0.0019, n);
				check_shrink(&random, test_kinds[k], test_widths[w], 0.01,
							 0.012, n);
				check_shrink(&random, test_kinds[k], test_widths[w], 1e-8, 0.5,
							 n);
				check_shrink(&random, test_kinds[k], test_widths[w], 0.01,
							 1.0 / 64, n);
			}
	test_refusals();
	test_twice();
	test_counted();
	test_hardly_larger();
	test_never_above();
	test_interrupted();
	return test_done();
}
