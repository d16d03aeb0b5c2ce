/*
 * test_layer.c - layer.c: what a layer keeps is in its slots, all else is
 * handed on
 */
#include "construct/layer.h"
#include "construct/salt.h"

#include "format/icml.h"
#include "probe/probes.h"
#include "set/derive.h"
#include "set/sort.h"
#include "solve/sweep.h"
#include "world.h"

#define NSLOTS	   20000
#define NKEYS	   15000
#define NCLUSTERED (3 * RIBBON_SWEEP_KEYS)
#define MANY	   140000 /* slots of several windows */

static const RibbonResultBits result_bits = {8, 0};
static const RibbonBuckets schemes[] = {
	{7, {0, 30, 60, 128}, false},
	{7, {0, 30, 45, 60, 128}, true},
};
static RibbonBuckets buckets; /* that is tested */

static uint64_t nslots = NSLOTS;

/* Random hashes; the first nclustered start in one of nplaces buckets. */
static uint64_t *
clustered_hashes(Random *random, const RibbonSystem *system, size_t n,
				 size_t nclustered, uint64_t nplaces)
{
	uint64_t *hashes = random_keys(random, n);

	for (size_t i = 0; i < nclustered; i++)
	{
		uint64_t bucket = 50 + i % nplaces;
		uint64_t start = (bucket << buckets.log2_size) +
			random_below(random, UINT64_C(1) << buckets.log2_size);

		hashes[i] = ribbon_system_least_hash(system, start) +
			(random_next(random) >> 24);
	}
	CHECK(ribbon_sort(&ribbon_malloc_env, 1, hashes, n, NULL) == RIBBON_OK,
		  "sort");
	return hashes;
}

/* Does the layer say of every hash whether it has it, and have it? */
static void
check_hashes(const RibbonSystem *system, const uint64_t *hashes, size_t n,
			 const RibbonSet *bumped)
{
	RibbonFindAt *probe = ribbon_probes(system->width)->at;
	size_t nbumped = 0;
	size_t missing = 0;

	for (size_t i = 0; i < n; i++)
	{
		uint64_t start = ribbon_system_start(system, hashes[i]);
		uint64_t code;

		if (ribbon_buckets_bump(system, &buckets, start))
			nbumped++;
		else
			missing += !probe(system, hashes[i], start, &code);
	}
	CHECK(missing == 0, "w %u: %zu of %zu are missing", system->width, missing,
		  n);
	CHECK(nbumped == bumped->n, "w %u: %zu are bumped, %zu handed on",
		  system->width, nbumped, (size_t) bumped->n);
}

/*
 * Build a layer of the hashes, which are freed, and see whether it is what it
 * ought to be.
 */
static void
check_built(const RibbonSystem *asked, uint64_t *array, size_t n,
			bool clustered, RibbonStatus expected)
{
	RibbonPlane plane = {.buckets = buckets,
						 .salted = clustered,
						 .systems = {*asked}};
	RibbonSystem *system = &plane.systems[0];
	RibbonSet bumped;
	RibbonLayer layer = {.plane = &plane, .bumped = &bumped};
	RibbonSet hashes = ribbon_set_of_array(&ribbon_malloc_env, RIBBON_HASHES,
										   array, n);
	RibbonStatus status;

	layer.slots = calloc(1, ribbon_icml_bytes(system));
	layer.thresholds = calloc(1,
							  ribbon_buckets_threshold_bytes(system, &buckets));
	status = ribbon_set_begin(&ribbon_malloc_env, &bumped, &hashes,
							  RIBBON_HASHES, n);
	if (status == RIBBON_OK)
		status = ribbon_layer_build(&ribbon_malloc_env, &layer, &hashes);
	CHECK(status == expected, "w %u: status %d, not %d", system->width, status,
		  expected);
	system->slots = layer.slots;
	system->thresholds = layer.thresholds;
	if (status == RIBBON_OK)
		check_hashes(system, array, n, &bumped);
	ribbon_set_close(&bumped);
	free(array);
	free(layer.slots);
	free(layer.thresholds);
}

/* The same of clustered hashes. */
static void
check_layer(unsigned width, size_t n, size_t nclustered, uint64_t nplaces,
			bool clustered)
{
	Random random = {width + nclustered};
	RibbonSystem system;

	ribbon_system_init(&system, RIBBON_SYSTEM_LAYER, nslots, width, result_bits,
					   0);
	check_built(&system,
				clustered_hashes(&random, &system, n, nclustered, nplaces), n,
				clustered, nclustered > 0 ? RIBBON_SUSPICIOUS : RIBBON_OK);
}

/*
 * The same of n hashes, of which each fourth bucket overflows into the next
 * one; this has few, all below a threshold, and if these are bumped too, fewer
 * are bumped of the bucket behind it, which also has too many.  A window's tail
 * begins with the few.
 */
static void
check_uneven(uint64_t number, size_t n)
{
	static const struct
	{
		unsigned bucket; /* of four */
		unsigned begin;	 /* positions in it, */
		unsigned end;
		unsigned least; /* and how many hashes start there */
		unsigned most;
	} parts[] = {{0, 16, 32, 42, 47},
				 {1, 8, 16, 5, 9},
				 {2, 0, 8, 13, 13},
				 {2, 8, 16, 10, 14},
				 {2, 16, 32, 39, 44}};
	Random random = {number};
	uint64_t *hashes = malloc(n * sizeof(uint64_t));
	RibbonSystem system;
	size_t i = 0;

	ribbon_system_init(&system, RIBBON_SYSTEM_LAYER, MANY, 32, result_bits, 0);
	for (uint64_t four = 0; i < n; four++)
		for (size_t p = 0; p < sizeof(parts) / sizeof(parts[0]); p++)
		{
			size_t now = parts[p].least +
				random_below(&random, parts[p].most - parts[p].least + 1);

			for (; i < n && now > 0; i++, now--)
			{
				uint64_t start = ((4 * four + parts[p].bucket)
								  << buckets.log2_size) +
					parts[p].begin +
					random_below(&random, parts[p].end - parts[p].begin);

				hashes[i] = ribbon_system_least_hash(&system, start) +
					(random_next(&random) >> 24);
			}
		}
	CHECK(ribbon_sort(&ribbon_malloc_env, 1, hashes, n, NULL) == RIBBON_OK,
		  "sort");
	check_built(&system, hashes, n, true, RIBBON_OK);
}

static void
check_scheme(const RibbonBuckets *scheme)
{
	buckets = *scheme;
	test(scheme->grouped ? "random hashes, buckets in groups" :
						   "random hashes are kept or bumped");
	for (int w = 0; w < 3; w++)
	{
		check_layer((unsigned) test_widths[w], NKEYS, 0, 1, false);
		check_layer((unsigned) test_widths[w], NSLOTS, 0, 1, false);
	}

	test("few hashes in many windows are kept or bumped");
	nslots = MANY;
	for (int w = 0; w < 3; w++)
		for (size_t n = 30; n < 10000; n *= 5)
			check_layer((unsigned) test_widths[w], n, 0, 1, true);
	nslots = NSLOTS;

	test("a cluster is suspicious");
	for (int w = 0; w < 3; w++)
		check_layer((unsigned) test_widths[w], NKEYS, NCLUSTERED, 1, false);

	test("a bucket of more than a sweep takes is suspicious in any case");
	for (int w = 0; w < 3; w++)
	{
		check_layer((unsigned) test_widths[w], NKEYS, NCLUSTERED, 1, true);
		check_layer((unsigned) test_widths[w], NKEYS, 4 * NCLUSTERED, 3, true);
		check_layer((unsigned) test_widths[w], NCLUSTERED, NCLUSTERED, 1, true);
	}
}

static void
test_uneven(void)
{
	test("all of the few hashes of a bucket are bumped");
	buckets = (RibbonBuckets){5, {0, 8, 16, 32}, false};
	for (uint64_t number = 120; number < 132; number++)
		check_uneven(number, 118000);
}

/* Memory for a layer of so many slots, and no key, beside its bytes. */
static size_t
memory_of(const RibbonBuckets *scheme, unsigned width, uint64_t nslots)
{
	RibbonResultBits one = {1, 0};
	RibbonPlane plane = {.buckets = *scheme, .salted = true};
	RibbonSystem *system = &plane.systems[0];
	RibbonSet bumped;
	RibbonLayer layer = {.plane = &plane, .bumped = &bumped};
	uint64_t none = 0;
	RibbonSet hashes = ribbon_set_of_array(&ribbon_malloc_env, RIBBON_HASHES,
										   &none, 0);
	World world;

	world_init(&world, 1);
	ribbon_system_init(system, RIBBON_SYSTEM_LAYER, nslots, width, one, 0);
	layer.slots = calloc(1, ribbon_icml_bytes(system));
	layer.thresholds = calloc(1,
							  ribbon_buckets_threshold_bytes(system, scheme));
	CHECK(ribbon_set_begin(&world.env, &bumped, &hashes, RIBBON_HASHES, 0) ==
				  RIBBON_OK &&
			  ribbon_layer_build(&world.env, &layer, &hashes) == RIBBON_OK,
		  "build");
	ribbon_set_close(&bumped);
	CHECK(world.live == 0, "%ld left", world.live);
	free(layer.slots);
	free(layer.thresholds);
	return world.most;
}

static void
test_memory(void)
{
	test("a layer takes no more memory for more windows");
	for (int w = 0; w < 3; w++)
		for (unsigned s = 0; s < RIBBON_BUCKET_SCHEMES; s++)
		{
			RibbonBuckets scheme = ribbon_buckets_of_scheme(test_widths[w], s);
			unsigned width = (unsigned) test_widths[w];
			size_t few = memory_of(&scheme, width, UINT64_C(1) << 21);
			size_t more = memory_of(&scheme, width, UINT64_C(1) << 25);

			CHECK(more <= few + few / 100, "w %u, scheme %u: %zu, not %zu",
				  width, s, more, few);
		}
}

/* Build the layer; what it bumps, *nbumped, goes to a file. */
static RibbonStatus
build_in(World *world, RibbonLayer layer, const RibbonSet *hashes,
		 uint64_t most, uint64_t *nbumped)
{
	WorldFile file;
	RibbonSet bumped;
	RibbonStatus status;

	world_file_init(&file, world, 16384);
	bumped = set_in_file(&world->env, &file.file, RIBBON_HASHES);
	bumped.most = most;
	layer.bumped = &bumped;
	status = ribbon_layer_build(&world->env, &layer, hashes);
	CHECK(bumped.n <= most, "%d, %zu bumped", status, (size_t) bumped.n);
	*nbumped = bumped.n;
	ribbon_set_close(&bumped);
	CHECK(world_all_free(&file.file), "blocks are not free");
	world_file_close(&file);
	CHECK(world->live == 0, "%ld left", world->live);
	return status;
}

/* Each allocation of a layer that is built in so many threads, or each look. */
static void
check_trouble(const RibbonBuckets *scheme, unsigned nthreads, bool looks)
{
	Random random = {7};
	size_t n = MANY + MANY / 15;
	RibbonPlane plane = {.buckets = *scheme};
	RibbonSystem *system = &plane.systems[0];
	RibbonLayer layer = {.plane = &plane};
	RibbonSet hashes;
	World usual, world;
	uint64_t nbumped, fewer;

	buckets = *scheme;
	ribbon_system_init(system, RIBBON_SYSTEM_LAYER, MANY, 64, result_bits, 0);
	hashes = ribbon_set_of_array(&ribbon_malloc_env, RIBBON_HASHES,
								 clustered_hashes(&random, system, n, 0, 1), n);
	layer.slots = calloc(1, ribbon_icml_bytes(system));
	layer.thresholds = calloc(1,
							  ribbon_buckets_threshold_bytes(system, &buckets));
	world_init(&usual, nthreads);
	CHECK(build_in(&usual, layer, &hashes, n, &nbumped) == RIBBON_OK,
		  "no trouble");
	CHECK(usual.allocations > 4 && usual.looks > 5, "%ld, %ld",
		  usual.allocations, usual.looks);
	for (long at = 1; at <= usual.allocations && !looks; at++)
	{
		world_init(&world, nthreads);
		world.refuse_at = at;
		CHECK(build_in(&world, layer, &hashes, n, &fewer) ==
				  RIBBON_OUT_OF_MEMORY,
			  "allocation %ld", at);
	}
	for (long at = 1; at <= usual.looks && looks; at++)
	{
		world_init(&world, nthreads);
		world.interrupt_at = at;
		world.is_brief = true;
		CHECK(build_in(&world, layer, &hashes, n, &fewer) == RIBBON_INTERRUPTED,
			  "look %ld", at);
	}
	CHECK(nbumped > 1000, "%zu bumped", (size_t) nbumped);
	for (uint64_t most = nbumped - 2; most < nbumped + 2; most++)
	{
		world_init(&world, nthreads);
		CHECK(build_in(&world, layer, &hashes, most, &fewer) ==
				  (most < nbumped ? RIBBON_SUSPICIOUS : RIBBON_OK),
			  "%zu may be bumped", (size_t) most);
	}
	free(hashes.array);
	free(layer.slots);
	free(layer.thresholds);
}

static void
test_trouble(void)
{
	test("whatever fails ends a layer, and so does too much that it bumps");
	check_trouble(&schemes[0], 1, true);
	check_trouble(&schemes[0], 3, false);
	check_trouble(&schemes[1], 1, true);
}

int
main(void)
{
	check_scheme(&schemes[0]);
	check_scheme(&schemes[1]);
	test_uneven();
	test_memory();
	test_trouble();
	return test_done();
}
