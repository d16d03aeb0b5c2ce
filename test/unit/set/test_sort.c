/*
 * test_sort.c - sort.c: hashes in order, whatever they look like
 */
#include "caller.h"
#include "hostile.h"
#include "set/sort.h"
#include "testing.h"

#include <pthread.h>

/* Records of these hashes are sorted, and each keeps its word. */
static void
check_sorts_records(const uint64_t *hashes, size_t n, const char *what)
{
	uint64_t *records = malloc((n + 1) * 2 * sizeof(uint64_t));
	size_t wrong = 0;

	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = hashes[i];
		records[2 * i + 1] = ~hashes[i];
	}
	CHECK(ribbon_sort(&ribbon_malloc_env, RIBBON_RECORD_WORDS, records, n,
					  NULL) == RIBBON_OK,
		  "%s", what);
	for (size_t i = 0; i < n; i++)
		wrong += records[2 * i + 1] != ~records[2 * i] ||
			(i > 0 && records[2 * i] < records[2 * i - 2]);
	CHECK(wrong == 0, "%s, n %zu: %zu records", what, n, wrong);
	free(records);
}

static void
check_sorts(uint64_t *hashes, size_t n, const char *what)
{
	uint64_t *expected = malloc((n + 1) * sizeof(uint64_t));

	check_sorts_records(hashes, n, what);
	memcpy(expected, hashes, n * sizeof(uint64_t));
	qsort(expected, n, sizeof(uint64_t), compare_words);
	CHECK(ribbon_sort(&ribbon_malloc_env, 1, hashes, n, NULL) == RIBBON_OK,
		  "%s", what);
	CHECK(memcmp(hashes, expected, n * sizeof(uint64_t)) == 0, "%s, n %zu",
		  what, n);
	free(expected);
}

/*
 * Groups of hashes that are alike but for ten bits; the first of each shares
 * any number of bits with one hash, so that passes of whatever bits find pieces
 * in pieces.
 */
static void
fill_nested(uint64_t *hashes, size_t n, size_t group, Random *random)
{
	uint64_t chain = random_next(random);

	for (size_t i = 0; i < n; i++)
	{
		unsigned common = (unsigned) random_below(random, 64);
		uint64_t behind = random_next(random);

		if (i % group > 0)
			hashes[i] = hashes[i - 1] ^ (random_next(random) & 0x3FF);
		else
			hashes[i] = chain ^ (behind | UINT64_C(1) << 63) >> common;
	}
}

/* The highest bit of a hash is this one or that: each pass parts with a few. */
static void
fill_peeled(uint64_t *hashes, size_t n, unsigned step)
{
	for (size_t i = 0; i < n; i++)
		hashes[i] = UINT64_C(1) << (63 - i * step % 64) | i;
}

/* Of which sanitizers take some themselves, ThreadSanitizer most of it. */
#ifdef __SANITIZE_THREAD__
#define STACK (1024 * 1024)
#else
#define STACK (256 * 1024)
#endif

/* Sort what takes many passes, on a small stack. */
static void *
sort_worst(void *arg)
{
	static const size_t sizes[] = {17, 49, 100, 1000, 4095, 60000, 300000};
	uint64_t *hashes = malloc(300000 * sizeof(uint64_t));
	Random random = {2};

	(void) arg;
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
	{
		size_t n = sizes[s];

		for (size_t group = 1; group <= n; group *= 7)
		{
			fill_nested(hashes, n, group, &random);
			check_sorts(hashes, n, "nested");
		}
		for (unsigned step = 1; step <= 12; step++)
		{
			fill_peeled(hashes, n, step);
			check_sorts(hashes, n, "peeled");
		}
		for (int aim = 0; aim < AIM_COUNT; aim++)
		{
			for (size_t i = 0; i < n; i++)
				hashes[i] = hostile((Aim) aim, i, 0);
			check_sorts(hashes, n, aims[aim]);
		}
	}
	free(hashes);
	return NULL;
}

static void
test_worst(void)
{
	pthread_attr_t attributes;
	pthread_t thread = 0;

	test("hashes chosen for many passes come out in order, on a small stack");
	CHECK(pthread_attr_init(&attributes) == 0 &&
			  pthread_attr_setstacksize(&attributes, STACK) == 0 &&
			  pthread_create(&thread, &attributes, sort_worst, NULL) == 0,
		  "no thread");
	CHECK(pthread_join(thread, NULL) == 0, "join");
	(void) pthread_attr_destroy(&attributes);
}

/* How often the sort asks whether to go on: a measure of passes. */
static long
looks_for(uint64_t *hashes, size_t n)
{
	RibbonEnv env = ribbon_malloc_env;
	long looks = 0;

	env.interrupted = count_look;
	env.arg = &looks;
	CHECK(ribbon_sort(&env, 1, hashes, n, NULL) == RIBBON_OK, "sort");
	return looks;
}

static void
test_passes(void)
{
	size_t n = 1000000;
	Random random = {3};
	uint64_t *hashes = random_keys(&random, n);
	long usual = looks_for(hashes, n);

	test("no hashes take more than ten passes, where random ones take two");
	CHECK(usual > 30, "%ld looks", usual);
	for (size_t group = 1; group <= n; group *= 11)
	{
		long looks;

		fill_nested(hashes, n, group, &random);
		looks = looks_for(hashes, n);
		CHECK(looks <= 5 * usual, "groups of %zu: %ld looks instead of %ld",
			  group, looks, usual);
	}
	for (unsigned step = 1; step <= 12; step++)
	{
		long looks;

		fill_peeled(hashes, n, step);
		looks = looks_for(hashes, n);
		CHECK(looks <= 5 * usual, "steps of %u: %ld looks instead of %ld", step,
			  looks, usual);
	}
	free(hashes);
}

/*
 * Exact records whose hashes come run times each, with one word; or of one
 * hash, with different words.  Beside what sorting takes, each pass looks for
 * interrupts about as often as is due, however long the runs are.
 */
static void
check_looks(size_t n, size_t run, bool same)
{
	RibbonEnv env = ribbon_malloc_env;
	uint64_t *records = malloc(n * 2 * sizeof(uint64_t));
	uint64_t *sorted = malloc(n * 2 * sizeof(uint64_t));
	long passes = 1;
	long looks = 0, sorting = 0;
	RibbonRecord conflict[2];

	env.interrupted = count_look;
	for (size_t i = 0; i < n; i++)
	{
		records[2 * i] = ribbon_mix(i / run + 1);
		records[2 * i + 1] = 2 * ribbon_mix(same ? 1 : i);
	}
	memcpy(sorted, records, n * 2 * sizeof(uint64_t));
	env.arg = &sorting;
	CHECK(ribbon_sort(&env, RIBBON_RECORD_WORDS, sorted, n, NULL) == RIBBON_OK,
		  "sort");
	if (!same) /* of one hash: by the words, too */
	{
		for (size_t i = 0; i < n; i++)
			sorted[2 * i] = records[2 * i + 1];
		CHECK(ribbon_sort(&env, RIBBON_RECORD_WORDS, sorted, n, NULL) ==
				  RIBBON_OK,
			  "sort");
		passes = 3;
	}
	env.arg = &looks;
	CHECK(ribbon_distinct(&env, RIBBON_EXACT_RECORDS, records, &n, conflict) ==
			  RIBBON_OK,
		  "distinct");
	free(records);
	free(sorted);
	CHECK(looks - sorting >= passes * 12, "runs of %zu: %ld looks of %ld", run,
		  looks - sorting, looks);
}

int
main(void)
{
	Random random = {1};
	uint64_t few[] = {3, 1, 1, 2, 3, 3};
	size_t n = 6;

	test("random arrays of many lengths come out in order");
	for (size_t n = 0; n < 300000; n = n * 5 / 3 + 1)
	{
		uint64_t *hashes = random_keys(&random, n);

		check_sorts(hashes, n, "random");
		free(hashes);
	}

	test("hashes that share their high or low bits come out in order");
	for (int shift = 0; shift < 64; shift += 7)
	{
		uint64_t *hashes = random_keys(&random, 5000);

		for (size_t i = 0; i < 5000; i++)
			hashes[i] = hashes[i] >> shift << (shift / 2);
		check_sorts(hashes, 5000, "shared bits");
		free(hashes);
	}

	test_worst();
	test_passes();

	test("equal hashes are dropped");
	check_sorts(few, 6, "few");
	CHECK(ribbon_distinct(&ribbon_malloc_env, RIBBON_HASHES, few, &n, NULL) ==
				  RIBBON_OK &&
			  n == 3,
		  "count");
	CHECK(few[0] == 1 && few[1] == 2 && few[2] == 3, "values");
	n = 0;
	CHECK(ribbon_distinct(&ribbon_malloc_env, RIBBON_HASHES, few, &n, NULL) ==
				  RIBBON_OK &&
			  n == 0,
		  "none");

	test("while records are dropped, there are looks for interrupts");
	for (size_t run = 2; run < 6; run++)
		check_looks((size_t) 1 << 20, run, true);
	check_looks((size_t) 1 << 20, (size_t) 1 << 20, true);
	check_looks((size_t) 1 << 20, (size_t) 1 << 20, false);
	return test_done();
}
