/*
 * test_store.c - hashes in a file, windows, threads: other ways to the same
 * bytes
 */
#include "built.h"
#include "world.h"

#include "base/env.h"
#include "construct/digest.h"
#include "base/hash.h"
#include "construct/shape.h"
#include "set/read.h"
#include "set/sort.h"

/*
 * All ways to build lead to the same bytes, and the members are in.  Were the
 * keys salted?
 */
static bool
check_same(const RibbonParams *params, const uint64_t *keys, size_t n)
{
	uint64_t *copy = malloc(n * sizeof(uint64_t));
	uint8_t *expected, *got = NULL;
	size_t nexpected, ngot = 0;
	RibbonFilter filter;
	WorldSet stored;
	World world;

	memcpy(copy, keys, n * sizeof(uint64_t));
	CHECK(array_build(&ribbon_malloc_env, params, copy, n, 0, &expected,
					  &nexpected) == RIBBON_OK,
		  "build");
	CHECK(ribbon_open(expected, nexpected, &filter) == RIBBON_OK, "open");
	for (size_t i = 0; i < n; i++)
		if (!ribbon_contains(&filter, keys[i]))
			CHECK(false, "a member is missing");
	world_init(&world, 1);
	world_set_create(&stored, &world, RIBBON_HASHES, keys, n);
	for (unsigned nthreads = 1; nthreads <= 3; nthreads++)
	{
		if (nthreads > 1 && params->kind == RIBBON_HOMOGENEOUS)
			break; /* it uses none */
		world_init(&world, nthreads);
		if (nthreads == 3)
			world.env.run = NULL; /* the core calls the tasks itself */
		CHECK(world_set_build(&stored, &world, params, &got, &ngot) ==
				  RIBBON_OK,
			  "build from a file");
		CHECK(ngot == nexpected && memcmp(got + 3, expected, ngot) == 0,
			  "%u threads: other bytes, %zu for %zu", nthreads, ngot,
			  nexpected);
		CHECK(ribbon_opened(&filter)->plane.salted || !world.went_back,
			  "progress");
		world_free(&world, got);
		CHECK(world.live == 0, "%ld left", world.live);
	}
	world_set_close(&stored);
	free(expected);
	free(copy);
	return ribbon_opened(&filter)->plane.salted;
}

static void
fill_random(uint64_t *keys, size_t n, uint64_t seed)
{
	Random random = {seed};

	for (size_t i = 0; i < n; i++)
		keys[i] = random_next(&random);
}

static RibbonParams
params_of(RibbonKind kind, int width, double fpr)
{
	RibbonParams params = {.kind = kind,
						   .width = width,
						   .fpr = fpr,
						   .key_class = 1};

	return params;
}

/* Few keys, about as many as are kept in memory, several windows. */
static void
test_sizes(uint64_t *keys)
{
	static const size_t sizes[] = {1, 1000, 150000, 1048576, 1048577, 1700000};

	test("the same bytes from a file");
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		RibbonParams params = params_of(RIBBON_BURR, 64, 0.01);

		fill_random(keys, sizes[i], i);
		check_same(&params, keys, sizes[i]);
	}
}

static void
test_other_kinds(uint64_t *keys)
{
	static const struct
	{
		RibbonKind kind;
		int width;
		double fpr;
	} cases[] = {{RIBBON_BURR, 32, 0.03},		 {RIBBON_BURR, 128, 0.3},
				 {RIBBON_BURR, 128, 1e-9},		 {RIBBON_BURR, 64, 0.5},
				 {RIBBON_HOMOGENEOUS, 32, 0.3},	 {RIBBON_HOMOGENEOUS, 64, 0.01},
				 {RIBBON_HOMOGENEOUS, 128, 1e-6}};
	size_t n = 1300000;

	test("the same bytes, other kinds and widths");
	fill_random(keys, n, 77);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		RibbonParams params = params_of(cases[i].kind, cases[i].width,
										cases[i].fpr);

		check_same(&params, keys, n);
	}
}

/* Hashes that cluster in a window, or a bucket, or successive ones. */
static void
fill_aimed(uint64_t *keys, size_t n, int how)
{
	fill_random(keys, n, 5);
	for (size_t i = 0; i < n; i++)
	{
		if (how == 0 && i < n / 5)
			keys[i] >>= 9;
		else if (how == 1)
			keys[i] = UINT64_C(0x123) << 52 | keys[i] >> 33 << 21 | i;
		else if (how == 2)
			keys[i] = UINT64_MAX / 2 + i;
	}
}

/* The build is salted, from the file as well. */
static void
test_aimed(uint64_t *keys)
{
	RibbonParams burr = params_of(RIBBON_BURR, 64, 0.01);

	test("the same bytes of keys aimed at a window, a bucket, and successive");
	for (int how = 0; how < 3; how++)
	{
		RibbonParams homogeneous = params_of(RIBBON_HOMOGENEOUS,
											 test_widths[how], 0.03);

		fill_aimed(keys, 1300000, how);
		check_same(&burr, keys, 1300000);
		fill_aimed(keys, 1100000, how);
		CHECK(check_same(&homogeneous, keys, 1100000), "not salted");
	}
}

/*
 * One key for each starting position of the left half, and one more: it finds
 * no empty slot before the right half, two windows away, though there are
 * hardly more keys on the left.
 */
static void
test_flow(uint64_t *keys)
{
	size_t n = 1900000;
	RibbonParams params = params_of(RIBBON_HOMOGENEOUS, 128, 0.3);
	uint64_t nslots = ribbon_homog_slots(params.width, params.fpr, n);
	RibbonResultBits result_bits = {1, 0};
	Random random = {10};
	RibbonSystem system;

	test("the same bytes of keys that flow through a homogeneous window");
	ribbon_system_init(&system, RIBBON_SYSTEM_HOMOGENEOUS, nslots, 128,
					   result_bits, 0);
	for (size_t i = 0; i < nslots / 2; i++)
		keys[i] = ribbon_system_least_hash(&system, i) +
			random_below(&random, UINT64_C(1) << 40);
	for (size_t i = nslots / 2; i < n; i++)
		keys[i] = random_next(&random) | UINT64_C(1) << 63;
	keys[n - 1] = random_below(&random, UINT64_C(1) << 60);
	CHECK(check_same(&params, keys, n), "not salted");
}

/*
 * A file that, once, squeezes the sorted hashes of a block that was written
 * after the keys' set: no salted hashes lie so by chance.
 */
static uint64_t squeeze_from; /* a word of the file; 0: not yet, or done */

static RibbonStatus
read_squeezed(RibbonFile *file, uint32_t source, uint64_t at, uint64_t *words,
			  size_t n)
{
	RibbonStatus status = world_file_read(file, source, at, words, n);
	bool sorted = n > 1000 && n <= RIBBON_BLOCK_WORDS;

	for (size_t i = 1; i < n; i++)
		sorted &= words[i - 1] < words[i];
	if (squeeze_from == 0 || at < squeeze_from || !sorted)
		return status;
	for (size_t i = 0; i < n; i++)
		words[i] = words[n - 1] - (words[n - 1] - words[i]) / 256;
	squeeze_from = 0;
	return status;
}

/* Memory beyond the result: ribbon_core.h. */
#define WORKSPACE 24000000

static uint64_t
digest_of(const uint64_t *hashes, size_t n)
{
	RibbonDigest digest;

	ribbon_digest_init(&digest);
	for (size_t i = 0; i < n; i++)
		ribbon_digest_add(&digest, hashes[i]);
	return ribbon_digest_end(&digest);
}

/*
 * Salted hashes that cluster in a window all the same: they take another salt,
 * and no more memory.
 */
static void
test_salted_cluster(uint64_t *keys)
{
	size_t n = 3400000; /* more than would fit into the workspace */
	RibbonParams params = params_of(RIBBON_HOMOGENEOUS, 64, 0.01);
	Random random = {12};
	RibbonFilter filter;
	const RibbonOpened *opened = ribbon_opened(&filter);
	const RibbonPlane *plane = &opened->plane;
	size_t nfalse = 0;
	WorldSet stored;
	uint64_t salt, code;
	uint8_t *bytes;
	size_t nbytes;
	World world;

	test("a homogeneous filter of salted hashes that cluster in a window");
	fill_aimed(keys, n, 0);
	world_init(&world, 1);
	world_set_create(&stored, &world, RIBBON_HASHES, keys, n);
	stored.file.file.read = read_squeezed;
	squeeze_from = (uint64_t) stored.file.file.nblocks * RIBBON_BLOCK_WORDS;
	CHECK(ribbon_build(&world.env, &params, &stored.set, 3, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	CHECK(squeeze_from == 0, "nothing was squeezed");
	world_set_close(&stored);
	CHECK(world.most <= nbytes + nbytes / 100 + WORKSPACE,
		  "%zu bytes for a filter of %zu", world.most, nbytes);
	CHECK(ribbon_open(bytes + 3, nbytes, &filter) == RIBBON_OK, "open");
	CHECK(ribbon_sort(&ribbon_malloc_env, 1, keys, n, NULL) == RIBBON_OK,
		  "sort");
	salt = digest_of(keys, n);
	CHECK(plane->salted && plane->salt == digest_of(&salt, 1),
		  "not salted twice");
	for (size_t i = 0; i < n; i++)
		if (!ribbon_contains(&filter, keys[i]))
			CHECK(false, "a member is missing");
	for (size_t i = 0; i < 100000; i++)
		nfalse += opened->find_first(opened, random_next(&random), &code);
	CHECK(nfalse > 800 && nfalse < 1200, "%zu false positives", nfalse);
	world_free(&world, bytes);
	CHECK(world.live == 0, "%ld left", world.live);
}

/* Memory beyond the result does not grow with the set. */
static void
check_memory(const RibbonParams *params, const uint64_t *keys, size_t n,
			 bool bumped)
{
	WorldSet stored;
	World world;
	uint8_t *bytes;
	size_t nbytes;

	world_init(&world, 1);
	world_set_create(&stored, &world, RIBBON_HASHES, keys, n);
	CHECK(world_set_build(&stored, &world, params, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	CHECK(world.most <= nbytes + nbytes / 100 + WORKSPACE,
		  "%zu bytes for a filter of %zu", world.most, nbytes);
	CHECK((world.writes > 0) == bumped, "%ld writes", world.writes);
	world_free(&world, bytes);
	world_set_close(&stored);
}

/* Two threads more take no more than so many bytes each: a window. */
static void
check_thread_memory(const RibbonParams *params, const uint64_t *keys, size_t n,
					size_t each)
{
	size_t most[2];

	for (unsigned i = 0; i < 2; i++)
	{
		WorldSet stored;
		World world;
		uint8_t *bytes;
		size_t nbytes;

		world_init(&world, 1 + 2 * i);
		world_set_create(&stored, &world, RIBBON_HASHES, keys, n);
		CHECK(world_set_build(&stored, &world, params, &bytes, &nbytes) ==
				  RIBBON_OK,
			  "build");
		most[i] = world.most;
		world_free(&world, bytes);
		world_set_close(&stored);
	}
	CHECK(most[1] > most[0] && most[1] <= most[0] + 2 * each,
		  "w %d: %zu, with two threads more %zu", params->width, most[0],
		  most[1]);
}

/* The same of an array: to sort it, it needed as much once more. */
static void
check_array_memory(const RibbonParams *params, const uint64_t *keys, size_t n)
{
	uint64_t *copy = malloc(n * sizeof(uint64_t));
	World world;
	uint8_t *bytes;
	size_t nbytes;

	world_init(&world, 1);
	memcpy(copy, keys, n * sizeof(uint64_t));
	CHECK(array_build(&world.env, params, copy, n, 3, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	CHECK(world.most <=
			  n * sizeof(uint64_t) + nbytes + nbytes / 100 + WORKSPACE,
		  "w %d: %zu bytes for a filter of %zu", params->width, world.most,
		  nbytes);
	world_free(&world, bytes);
	free(copy);
}

static void
test_memory(uint64_t *keys, size_t n)
{
	RibbonParams widest = params_of(RIBBON_BURR, 128, 1e-9);
	RibbonParams narrowest = params_of(RIBBON_BURR, 32, 0.01);
	RibbonParams homogeneous = params_of(RIBBON_HOMOGENEOUS, 128, 0.01);
	RibbonParams usual = params_of(RIBBON_BURR, 64, 0.01);
	RibbonParams grouped = params_of(RIBBON_BURR, 128, 0.1);

	test("memory beyond the result is limited");
	fill_random(keys, n, 8);
	check_memory(&widest, keys, n / 2, false);

	/* bumps so many that they are in the file, too */
	check_memory(&narrowest, keys, n, true);

	check_memory(&homogeneous, keys, n / 2, false);

	test("each thread takes a window more, which groups make large");
	check_thread_memory(&usual, keys, n / 4, 3000000);
	check_thread_memory(&grouped, keys, n / 4, 15000000);

	test("beside an array it is what sorting the array took");
	check_array_memory(&homogeneous, keys, n);
	homogeneous.width = 64;
	check_array_memory(&homogeneous, keys, n);
}

/*
 * A file that fails, or an interrupt, in any of many moments.  Every other
 * failure is a number that is no status.
 */
static void
check_trouble(const uint64_t *keys, size_t n, RibbonParams params, long ntries)
{
	uint8_t *bytes;
	size_t nbytes;
	WorldSet stored;
	World world;
	long calls, looks;
	bool odd = true;

	world_init(&world, 2);
	world_set_create(&stored, &world, RIBBON_HASHES, keys, n);
	CHECK(world_set_build(&stored, &world, &params, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	CHECK(world.tasks > 0 || params.kind == RIBBON_HOMOGENEOUS, "no threads");
	calls = world.calls;
	looks = world.looks;
	world_free(&world, bytes);
	CHECK(calls > 2 && looks > 100, "%ld calls, %ld looks", calls, looks);

	for (long at = 1; at <= calls; at += 1 + calls / ntries)
	{
		RibbonStatus expected = odd ? RIBBON_BAD_FILE : RIBBON_OUT_OF_MEMORY;

		world_init(&world, 2);
		world.fail_at = at;
		world.failure = odd ? RIBBON_NSTATUS : expected;
		odd = !odd;
		CHECK(world_set_build(&stored, &world, &params, &bytes, &nbytes) ==
				  expected,
			  "call %ld of %ld", at, calls);
		CHECK(world.live == 0, "%ld left", world.live);
	}

	for (long at = 1; at <= looks; at += 1 + looks / ntries)
	{
		world_init(&world, 2);
		world.interrupt_at = at;
		if (odd)
			world.env.run = NULL;
		odd = !odd;
		CHECK(world_set_build(&stored, &world, &params, &bytes, &nbytes) ==
				  RIBBON_INTERRUPTED,
			  "look %ld of %ld", at, looks);
		CHECK(world.live == 0, "%ld left", world.live);
	}
	world_set_close(&stored);
}

static void
test_trouble(uint64_t *keys)
{
	size_t n = 1200000;

	test("a failing file or an interrupt ends the build; nothing is left");
	fill_random(keys, n, 9);
	check_trouble(keys, n, params_of(RIBBON_BURR, 64, 0.01), 10);
	check_trouble(keys, n, params_of(RIBBON_HOMOGENEOUS, 64, 0.01), 4);

	test("nor is it in the middle of salting");
	fill_aimed(keys, n, 0);
	check_trouble(keys, n, params_of(RIBBON_HOMOGENEOUS, 32, 0.1), 3);
}

/* A file that gives fewer hashes than were counted. */
static void
test_lost(uint64_t *keys)
{
	size_t sizes[] = {1000, 1200000};

	test("a file that gives fewer hashes than were counted is an error");
	fill_random(keys, sizes[1], 10);
	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			for (size_t lost = 1; lost <= sizes[i]; lost *= sizes[i])
			{
				RibbonParams params = params_of(test_kinds[k], 64, 0.01);
				WorldSet stored;
				uint8_t *bytes;
				size_t nbytes;
				World world;

				world_init(&world, 2);
				world_set_create(&stored, &world, RIBBON_HASHES, keys,
								 sizes[i]);
				stored.set.n += lost;
				CHECK(ribbon_build(&world.env, &params, &stored.set, 0, &bytes,
								   &nbytes) == RIBBON_BAD_FILE,
					  "%zu of %zu hashes lost", lost, sizes[i]);
				world_set_close(&stored);
				CHECK(world.live == 0, "%ld left", world.live);
			}
}

/* A file whose last hash has become the greatest. */
static RibbonStatus
read_grown(RibbonFile *file, uint32_t source, uint64_t at, uint64_t *words,
		   size_t n)
{
	RibbonStatus status = world_file_read(file, source, at, words, n);

	words[n - 1] = UINT64_MAX;
	return status;
}

static void
test_grown(const uint64_t *keys)
{
	size_t n = 1000;

	test("a range has no hash that is not of it, whatever the file gives");
	for (int grown = 0; grown < 2; grown++)
	{
		World world;
		WorldSet stored;
		RibbonSetRange range = {.buffer = NULL};
		RibbonStatus status;

		world_init(&world, 1);
		world_set_create(&stored, &world, RIBBON_HASHES, keys, n);
		if (grown)
			stored.file.file.read = read_grown;
		status = ribbon_set_read(&world.env, &stored.set, 0, UINT64_MAX - 1,
								 UINT64_MAX, &range);
		CHECK(status == RIBBON_OK && range.n == n - (size_t) grown,
			  "status %d, %zu hashes", status, range.n);
		ribbon_set_range_free(&world.env, &range);
		world_set_close(&stored);
		CHECK(world.live == 0, "%ld left", world.live);
	}
}

/* A set is to consist of what is built of it. */
static void
test_other_elements(void)
{
	RibbonParams params = params_of(RIBBON_BURR, 64, 0.01);
	uint64_t words[] = {1, 2};
	RibbonSet set = ribbon_set_of_array(&ribbon_malloc_env, RIBBON_MAP_RECORDS,
										words, 1);
	uint8_t *bytes;
	size_t nbytes;

	test("a filter is not built of records");
	CHECK(ribbon_build(&ribbon_malloc_env, &params, &set, 0, &bytes, &nbytes) ==
			  RIBBON_BAD_PARAMS,
		  "built");
}

int
main(void)
{
	size_t most = 6800000;
	uint64_t *keys = malloc(most * sizeof(uint64_t));

	test_sizes(keys);
	test_other_kinds(keys);
	test_aimed(keys);
	test_flow(keys);
	test_salted_cluster(keys);
	test_memory(keys, most);
	test_trouble(keys);
	test_lost(keys);
	test_grown(keys);
	test_other_elements();
	free(keys);
	return test_done();
}
