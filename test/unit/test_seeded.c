/* seeded.c: a zone's hashes under a seed, in the order of their slots */
#include "construct/seeded.h"
#include "format/zones.h"
#include "testing.h"

/* A number that does not depend on the order of elements. */
static uint64_t
sum_of(const uint64_t *elements, size_t n, size_t stride, bool mix,
	   unsigned seed)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t hash = elements[i * stride];

		if (mix)
			hash = ribbon_hash_seeded(hash, seed);
		sum += ribbon_mix(hash + (stride > 1 ? elements[i * stride + 1] : 0));
	}
	return sum;
}

static void
check_order(RibbonSeeded *seeded, const uint64_t *elements, size_t n,
			size_t stride, unsigned width, unsigned seed, bool expected)
{
	RibbonResultBits whole = {8, 0};
	RibbonSystem system;
	uint64_t start = 0;
	bool clustered;

	ribbon_system_init_zone(&system, n + seed, width, seed, whole);
	CHECK(ribbon_seeded_order(&ribbon_malloc_env, seeded, &system, elements, n,
							  &clustered) == RIBBON_OK,
		  "order");
	CHECK(clustered == expected, "%zu elements, seed %u", n, seed);
	CHECK(sum_of(elements, n, stride, true, seed) ==
			  sum_of(seeded->ordered, n, stride, false, 0),
		  "other elements, %zu, seed %u", n, seed);
	for (size_t i = 0; i < n; i++)
	{
		uint64_t next = ribbon_system_start(&system,
											seeded->ordered[i * stride]);

		CHECK(next >= start, "element %zu of %zu", i, n);
		start = next;
	}
}

/* n elements; the first nchosen are at one place under seed 3. */
static void
check_set(size_t n, size_t stride, unsigned width, size_t nchosen)
{
	Random random = {(uint64_t) n};
	RibbonSupply supply = {.check_bits = 8};
	uint64_t *elements = random_keys(&random, n * stride);
	RibbonSeeded seeded;

	for (size_t i = 0; i < nchosen; i++)
		elements[i * stride] = ribbon_unmix((UINT64_C(1) << 60) + i) -
			4 * RIBBON_SEED_STEP;
	CHECK(ribbon_seeded_create(&ribbon_malloc_env, &seeded,
							   stride > 1 ? &supply : NULL, n) == RIBBON_OK,
		  "create");
	for (unsigned seed = 0; seed < RIBBON_ZONE_SEEDS; seed++)
		check_order(&seeded, elements, n, stride, width, seed,
					seed == 3 && nchosen > 0);
	ribbon_seeded_free(&ribbon_malloc_env, &seeded);
	free(elements);
}

int
main(void)
{
	test("hashes and records in the order of their starting positions");
	for (size_t n = 64; n <= 8000; n += 1 + n / 3)
		for (size_t stride = 1; stride <= RIBBON_RECORD_WORDS; stride++)
		{
			check_set(n, stride, 64, 0);
			if (n >= 128)
				check_set(n, stride, 128, 0);
		}
	test("keys chosen for a seed cluster under that seed");
	for (size_t n = 100; n <= 3000; n *= 2)
	{
		check_set(n, 1, 64, 12);
		check_set(n, RIBBON_RECORD_WORDS, 64, 12);
	}
	return test_done();
}
