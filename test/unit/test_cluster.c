/* cluster.c: hashes that chance spreads, and others */
#include "build/cluster.h"
#include "base/sort.h"
#include "testing.h"

static bool
is_clustered(uint64_t *hashes, size_t n)
{
	CHECK(ribbon_sort(&ribbon_malloc_env, hashes, n) == RIBBON_OK, "sort");
	return ribbon_is_clustered(hashes, 1, n, UINT64_MAX, n);
}

static void
test_random(void)
{
	Random random = {1};

	test("random hashes do not cluster, however few or many");
	for (size_t n = 0; n < 3000000; n = n + 1 + n / 8)
	{
		uint64_t *hashes = random_keys(&random, n);

		CHECK(!is_clustered(hashes, n), "%zu hashes", n);
		free(hashes);
	}
	for (int i = 0; i < 20000; i++)
	{
		uint64_t *hashes = random_keys(&random, 200);

		CHECK(!is_clustered(hashes, 200), "200 hashes");
		free(hashes);
	}
}

/* The first share of n hashes is squeezed into a part of its place. */
static void
check_squeezed(size_t n, double share, double into, bool expected)
{
	Random random = {(uint64_t) n};
	uint64_t *hashes = random_keys(&random, n);
	uint64_t begin = UINT64_C(1) << 62;
	uint64_t length = (uint64_t) (share * 0x1p64);

	for (size_t i = 0; i < n; i++)
		if (hashes[i] >= begin && hashes[i] - begin < length)
			hashes[i] = begin +
				(uint64_t) ((double) (hashes[i] - begin) * into);
	CHECK(is_clustered(hashes, n) == expected,
		  "%zu hashes, %g of them in %g of their place", n, share, into);
	free(hashes);
}

static void
test_clusters(void)
{
	test("clusters are seen: small and dense, or large");
	for (size_t n = 1000; n <= 1000000; n *= 10)
	{
		check_squeezed(n, 100.0 / (double) n, 0.01, true);
		if (n >= 100000)
			check_squeezed(n, 0.7, 0.9, true);
		check_squeezed(n, 0.5, 1, false);
	}
	check_squeezed(100000, 0.05, 0.7, true);
	check_squeezed(1000000, 0.05, 0.9, true);
}

/* So many hashes at one place, as if for one row's start. */
static void
check_heap(size_t n, size_t nheap, bool expected)
{
	Random random = {(uint64_t) n};
	uint64_t *hashes = random_keys(&random, n);

	for (size_t i = 0; i < nheap; i++)
		hashes[i] = UINT64_C(0x123456789ABCDEF0) + i;
	CHECK(is_clustered(hashes, n) == expected, "%zu of %zu hashes", nheap, n);
	free(hashes);
}

static void
test_heaps(void)
{
	test("twelve hashes at one place are a cluster, six are not");
	for (size_t n = 64; n <= 1000000; n *= 5)
	{
		check_heap(n, 12, true);
		check_heap(n, 6, false);
	}
}

static void
test_gaps(void)
{
	Random random = {3};

	test("a gap is seen in the middle, and a smaller one at the end");
	for (size_t n = 100; n <= 1000000; n *= 10)
	{
		uint64_t *hashes = random_keys(&random, n);
		uint64_t place = UINT64_MAX / n; /* of one hash */
		uint64_t middle = UINT64_C(1) << 63;

		if (n >= 1000)
		{
			for (size_t i = 0; i < n; i++)
				if (hashes[i] - middle < 150 * place)
					hashes[i] -= 300 * place;
			CHECK(is_clustered(hashes, n), "150 of %zu in the middle", n);
		}
		free(hashes);

		hashes = random_keys(&random, n);
		for (size_t i = 0; i < n; i++)
			if (hashes[i] > UINT64_MAX - 25 * place)
				hashes[i] -= 50 * place;
		CHECK(is_clustered(hashes, n), "25 of %zu at the end", n);
		free(hashes);
	}
}

int
main(void)
{
	test_random();
	test_clusters();
	test_heaps();
	test_gaps();
	return test_done();
}
