/*
 * test_cluster.c - cluster.c: hashes that chance spreads, and others
 */
#include "construct/cluster.h"
#include "set/sort.h"
#include "testing.h"

/* Turn the order of sorted hashes around within each of ncells cells. */
static void
turn_cells(uint64_t *hashes, size_t n, uint64_t ncells)
{
	for (size_t begin = 0, end; begin < n; begin = end)
	{
		uint64_t cell = ribbon_mulhi(hashes[begin], ncells);

		for (end = begin; end < n && ribbon_mulhi(hashes[end], ncells) == cell;)
			end++;
		for (size_t i = begin, j = end - 1; i < j; i++, j--)
		{
			uint64_t hash = hashes[i];

			hashes[i] = hashes[j];
			hashes[j] = hash;
		}
	}
}

/* Do they cluster?  If so, that may be seen by cells of any size. */
static bool
is_clustered(uint64_t *hashes, size_t n)
{
	bool clustered;

	CHECK(ribbon_sort(&ribbon_malloc_env, 1, hashes, n, NULL) == RIBBON_OK,
		  "sort");
	clustered = ribbon_cluster_exists(hashes, 1, n, UINT64_MAX, n);
	for (uint64_t ncells = n / 2 + 1; clustered && ncells <= 2 * n;
		 ncells += n / 4 + 1)
	{
		uint64_t *copy = malloc(n * sizeof(uint64_t));

		memcpy(copy, hashes, n * sizeof(uint64_t));
		turn_cells(copy, n, ncells);
		CHECK(ribbon_cluster_is_possible(copy, 1, n, ncells),
			  "%zu hashes that cluster in %llu cells", n,
			  (unsigned long long) ncells);
		free(copy);
	}
	return clustered;
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

static void
test_cells(void)
{
	Random random = {4};

	test("hashes in cells may cluster: if they do, and seldom if not");
	for (size_t n = 300; n <= 1500; n += 400)
	{
		unsigned alarms = 0, found = 0;

		for (unsigned i = 0; i < 1000; i++)
		{
			uint64_t *hashes = random_keys(&random, n);
			uint64_t place = UINT64_MAX / n;

			CHECK(!is_clustered(hashes, n), "%zu hashes", n);
			turn_cells(hashes, n, n);
			alarms += ribbon_cluster_is_possible(hashes, 1, n, n);

			/* some of these are near the limit, on either side of it */
			for (size_t h = 0; h < 10 + i % 6; h++)
				hashes[h] = hashes[n - 1] + place * h / (160 + i % 64);
			found += is_clustered(hashes, n);
			free(hashes);
		}
		CHECK(alarms < 200, "%u of 1000 sets of %zu", alarms, n);
		CHECK(found > 100 && found < 900, "%u of 1000 sets of %zu", found, n);
	}
}

int
main(void)
{
	test_random();
	test_clusters();
	test_heaps();
	test_gaps();
	test_cells();
	return test_done();
}
