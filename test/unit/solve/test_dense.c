/*
 * test_dense.c - dense.h: elimination of few equations, against a band; tries
 * of a zone
 */
#include "construct/salt.h"
#include "construct/last_layer.h"
#include "bands.h"
#include "hostile.h"
#include "kernels.h"
#include "solve/solver.h"
#include "format/zones.h"
#include "testing.h"

#define MOST_BITS 6000 /* of a system's slots */
#define MOST	  128  /* equations */

/* A system of a zone, and its equations. */
typedef struct Equations
{
	RibbonSystem system;
	const RibbonSupply *supply;
	uint64_t elements[2 * MOST];
	unsigned n;
	unsigned nseeds; /* that are tried */
} Equations;

/* Does a band take all equations, under the system's seed?  Set slots to it. */
static bool
solve_in_band(const Equations *e, uint8_t *slots)
{
	size_t stride = ribbon_supply_stride(e->supply);
	RibbonBand band;
	bool solved = true;

	CHECK(band_create(&band, e->system.nslots, e->system.width,
					  e->system.ncolumns) == RIBBON_OK,
		  "create");
	for (unsigned i = 0; i < e->n; i++)
	{
		const uint64_t *element = e->elements + i * stride;
		uint64_t hash = *element * e->system.factor;

		solved &= band_insert(&band, &e->system, hash,
							  ribbon_supply_result(e->supply, hash, element)) !=
			BAND_INCONSISTENT;
	}
	memset(slots, 0, MOST_BITS / 8);
	if (solved)
	{
		RibbonBacksubst task = {.band = &band,
								.system = &e->system,
								.end = e->system.nslots,
								.slots = slots};

		CHECK(ribbon_backsubst(&ribbon_malloc_env, &task) == RIBBON_OK,
			  "back substitution");
	}
	ribbon_band_free(&ribbon_malloc_env, &band);
	return solved;
}

/* The first seed under which it does, or how many have been tried. */
static unsigned
first_in_band(Equations *e, uint8_t *slots)
{
	unsigned seed = 0;

	for (; seed < e->nseeds; seed++)
	{
		ribbon_system_set_seed(&e->system, seed);
		if (solve_in_band(e, slots))
			break;
	}
	return seed;
}

/* The same as a matrix. */
static unsigned
solve_dense(const Equations *e, uint8_t *slots)
{
	RibbonDense dense;
	unsigned seed;

	CHECK(ribbon_dense_create(&ribbon_malloc_env, &dense, &e->system, e->n) ==
			  RIBBON_OK,
		  "create");
	seed = ribbon_dense_solve(&dense, e->elements, e->supply, e->nseeds);
	memset(slots, 0, MOST_BITS / 8);
	if (seed < e->nseeds)
		ribbon_dense_write(&dense, slots);
	ribbon_dense_free(&ribbon_malloc_env, &dense);
	return seed;
}

/* Both ways, with this kernel: is there a solution? */
static bool
compare(Equations *e)
{
	uint8_t banded[MOST_BITS / 8];
	uint8_t solved[MOST_BITS / 8];
	unsigned want = first_in_band(e, banded);
	unsigned got = solve_dense(e, solved);

	if (want == e->nseeds)
		memset(banded, 0, sizeof(banded));
	CHECK(got == want && memcmp(banded, solved, sizeof(solved)) == 0,
		  "%u equations, %u slots, w %d, r %d, %u seeds: %u, %u", e->n,
		  (unsigned) e->system.nslots, e->system.width, e->system.ncolumns,
		  e->nseeds, got, want);
	return got < e->nseeds;
}

/*
 * Sets of n equations with n slots and some more, all kernels; so many of them
 * have a solution.
 */
static unsigned
solve_some(Random *random, unsigned width, unsigned n,
		   const RibbonSupply *supply, RibbonResultBits bits)
{
	unsigned nsolved = 0;
	Equations e = {.supply = supply, .n = n};

	for (e.nseeds = 1; e.nseeds <= RIBBON_ZONE_SEEDS; e.nseeds++)
	{
		unsigned spare = e.nseeds % 4 == 0 ? 40 : e.nseeds % 4 - 1;

		for (unsigned i = 0; i < 2 * n; i++)
			e.elements[i] = random_next(random);
		ribbon_system_init(&e.system, RIBBON_SYSTEM_ZONE, n + spare, width,
						   bits, 0);
		FOR_EACH_KERNEL(kernel)
		{
			ribbon_kernel_use(kernel);
			nsolved += compare(&e);
		}
	}
	return nsolved;
}

static void
test_against_band(void)
{
	Random random = {1};

	test("a matrix has the solution that a band has, or none where it has none");
	for (unsigned width = 64; width <= 128; width += 64)
		for (unsigned n = 1; n < width; n++)
		{
			RibbonResultBits bits = {n % 10, 0};
			unsigned nsolved = solve_some(&random, width, n, NULL, bits);

			CHECK(nsolved > 0, "w %u, %u equations", width, n);
		}
}

static void
test_values(void)
{
	Random random = {2};

	test("likewise of records, whose results have up to 32 bits");
	for (unsigned width = 64; width <= 128; width += 64)
		for (unsigned n = 1; n < width; n += 3)
			for (unsigned bits = 0; bits <= 32; bits += 8)
			{
				RibbonSupply supply = {.check_bits = bits / 2,
									   .value_bits = bits - bits / 2};
				RibbonResultBits whole = {bits, 0};

				(void) solve_some(&random, width, n, &supply, whole);
			}
}

static void
test_dependent(void)
{
	Random random = {3};
	Equations e = {.n = 20, .nseeds = 1};
	RibbonResultBits bits = {8, 0};

	test("an equation given twice is no contradiction, and its slot is free");
	for (unsigned i = 0; i < e.n; i++)
		e.elements[i] = i % 5 == 4 ? e.elements[i - 3] : random_next(&random);
	ribbon_system_init(&e.system, RIBBON_SYSTEM_ZONE, e.n + 2, 64, bits, 0);
	CHECK(compare(&e), "not solved");
}

/* All seeds of a size, and those of the last one up to that which it has. */
static void
test_tries(void)
{
	const unsigned most = 1000;
	Random random = {4};
	uint64_t hashes[2 * MOST];
	unsigned nseeds = 0;

	test("a zone counts its tries, of few keys and of more");
	for (size_t n = 1; n <= sizeof(hashes) / sizeof(hashes[0]); n++)
	{
		RibbonZone zone = {.width = 64,
						   .ncolumns = 8,
						   .hashes = hashes,
						   .nhashes = n,
						   .tries = most};
		RibbonBytes slots = {.buffer = NULL};
		RibbonSystem system;

		for (size_t i = 0; i < n; i++)
			hashes[i] = random_next(&random);
		CHECK(ribbon_zone_build(&ribbon_malloc_env, &zone, &system, &slots) ==
				  RIBBON_OK,
			  "%zu keys: not solved", n);
		CHECK((most - zone.tries - 1) % RIBBON_ZONE_SEEDS == system.seed,
			  "%zu keys, seed %u: %u tries", n, system.seed, most - zone.tries);
		nseeds += system.seed > 0;
		ribbon_bytes_discard(&ribbon_malloc_env, &slots);
	}
	CHECK(nseeds > 20, "%u zones have another seed than the first", nseeds);
}

/* One key has two values: no seed and no size of its zone is any good. */
static void
test_sizes(void)
{
	const RibbonSupply supply = {.check_bits = 8, .value_bits = 8};
	Random random = {5};
	uint64_t records[2 * 20];
	uint64_t last = 0;

	test("a zone that cannot be solved is tried in sizes that grow");
	for (unsigned i = 0; i < sizeof(records) / sizeof(records[0]); i++)
		records[i] = random_next(&random) & (i % 2 == 0 ? UINT64_MAX : 0xFF);
	records[2] = records[0];
	records[3] = records[1] ^ 1;
	for (unsigned nsizes = 1; nsizes <= 20; nsizes++)
	{
		RibbonZone zone = {.width = 64,
						   .ncolumns = 16,
						   .supply = &supply,
						   .hashes = records,
						   .nhashes = 20,
						   .tries = nsizes * RIBBON_ZONE_SEEDS};
		RibbonBytes slots = {.buffer = NULL};
		RibbonSystem system;
		uint64_t spare;

		CHECK(ribbon_zone_build(&ribbon_malloc_env, &zone, &system, &slots) ==
					  RIBBON_SUSPICIOUS &&
				  zone.tries == 0,
			  "%u sizes: %u tries left", nsizes, zone.tries);
		spare = system.nslots - 20;
		CHECK(nsizes == 1 || spare == last + 1 + last / 8, "%u slots behind %u",
			  (unsigned) spare, (unsigned) last);
		last = spare;
		ribbon_bytes_discard(&ribbon_malloc_env, &slots);
	}
}

/*
 * Zones of which as many keys as a row has bits start at the last slot that
 * there is: they fill those of its row, and nothing is hopeless about that.
 */
static void
test_last_start(void)
{
	const unsigned width = 64, n = 304, nsets = 60;
	Random random = {6};
	unsigned nfirst = 0;

	test("a zone whose last row's slots are all for keys that start there");
	for (unsigned set = 0; set < nsets; set++)
	{
		uint64_t inverse = hostile_inverse(ribbon_hash_zone_factor(0));
		RibbonResultBits bits = {20, 0};
		RibbonBytes slots = {.buffer = NULL};
		RibbonSystem system;
		uint64_t hashes[304];
		RibbonZone zone = {.width = width,
						   .ncolumns = bits.bits,
						   .hashes = hashes,
						   .nhashes = n,
						   .tries = 1};
		uint64_t last;

		ribbon_system_init(&system, RIBBON_SYSTEM_ZONE, n, width, bits, 0);
		last = ribbon_system_least_hash(&system, system.nstarts - 1);
		/* cells that share it, and of these those that begin behind one */
		last += UINT64_MAX / system.range + 2;
		for (unsigned i = 0; i < n; i++)
			hashes[i] = i < width ?
				last + random_below(&random, UINT64_MAX - last) :
				(last >> 8) / (n - width) * (n - i - 1) << 8 |
					random_below(&random, 256);
		for (unsigned i = 0; i < n; i++)
			hashes[i] *= inverse;
		nfirst += ribbon_zone_build(&ribbon_malloc_env, &zone, &system,
									&slots) == RIBBON_OK;
		ribbon_bytes_discard(&ribbon_malloc_env, &slots);
	}
	CHECK(nfirst > 0, "%u of %u", nfirst, nsets);
}

int
main(void)
{
	test_against_band();
	test_values();
	test_dependent();
	test_tries();
	test_sizes();
	test_last_start();
	return test_done();
}
