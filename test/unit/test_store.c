/* Hashes in a store, windows, threads: other ways to the same bytes */
#include "world.h"

#include "base/alloc.h"
#include "construct/digest.h"
#include "construct/hashes.h"
#include "base/hash.h"
#include "construct/params.h"
#include "set/sort.h"

/* Build from a store of the keys, in disorder and some of them twice. */
static RibbonStatus
build_stored(World *world, const RibbonParams *params, const uint64_t *keys,
			 size_t n, uint8_t **bytes, size_t *nbytes)
{
	RibbonStore *store;
	uint64_t nhashes;
	RibbonStatus status;
	long fail_at = world->fail_at;

	world->fail_at = 0;
	world_open_store(world, n, 1, &store);
	store->add(store, keys, n);
	store->add(store, keys, n / 7);
	store->seal(store, &nhashes);
	CHECK(nhashes == n, "%zu hashes", (size_t) nhashes);
	world->fail_at = fail_at;
	world->calls = 0;
	status = ribbon_build_stored(&world->env, params, store, nhashes, 3, bytes,
								 nbytes);
	store->close(store);
	return status;
}

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

	memcpy(copy, keys, n * sizeof(uint64_t));
	CHECK(ribbon_build(&ribbon_malloc_env, params, copy, n, 0, &expected,
					   &nexpected) == RIBBON_OK,
		  "build");
	CHECK(ribbon_open(expected, nexpected, &filter) == RIBBON_OK, "open");
	for (size_t i = 0; i < n; i++)
		if (!ribbon_contains(&filter, keys[i]))
			CHECK(false, "a member is missing");
	for (unsigned nthreads = 1; nthreads <= 3; nthreads++)
	{
		World world;

		if (nthreads > 1 && params->kind == RIBBON_HOMOGENEOUS)
			break; /* it uses none */
		world_init(&world, nthreads);
		CHECK(build_stored(&world, params, keys, n, &got, &ngot) == RIBBON_OK,
			  "build from a store");
		CHECK(ngot == nexpected && memcmp(got + 3, expected, ngot) == 0,
			  "%u threads: other bytes, %zu for %zu", nthreads, ngot,
			  nexpected);
		CHECK(ribbon_plane(&filter)->salted || !world.went_back, "progress");
		world_free(&world, got);
		CHECK(world.live == 0, "%ld left", world.live);
	}
	free(expected);
	free(copy);
	return ribbon_plane(&filter)->salted;
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

	test("the same bytes from a store");
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

/* The build is salted, from the store as well. */
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
	uint64_t nslots = ribbon_params_homog_slots(params.width, params.fpr, n);
	RibbonResultBits result_bits = {1, 0};
	Random random = {10};
	RibbonSystem system;

	test("the same bytes of keys that flow through a homogeneous window");
	ribbon_system_init(&system, nslots, 128, false, result_bits);
	for (size_t i = 0; i < nslots / 2; i++)
		keys[i] = ribbon_system_least_hash(&system, i) +
			random_below(&random, UINT64_C(1) << 40);
	for (size_t i = nslots / 2; i < n; i++)
		keys[i] = random_next(&random) | UINT64_C(1) << 63;
	keys[n - 1] = random_below(&random, UINT64_C(1) << 60);
	CHECK(check_same(&params, keys, n), "not salted");
}

/* What no salted hash does by chance: 9 % too many are in the first third. */
static uint64_t
cluster(uint64_t hash)
{
	return hash >> 59 == 31 ? (hash << 5) / 3 : hash;
}

static RibbonStatus
clustered_add(RibbonStore *base, const uint64_t *hashes, size_t n)
{
	RibbonStatus status = RIBBON_OK;

	for (size_t i = 0; i < n && status == RIBBON_OK; i++)
	{
		uint64_t hash = cluster(hashes[i]);

		status = world_store_add(base, &hash, 1);
	}
	return status;
}

/* The first store that a build opens, whose hashes have the first salt. */
static RibbonStatus
open_clustered(void *arg, uint64_t nexpected, unsigned words,
			   RibbonStore **store)
{
	World *world = (World *) arg;
	RibbonStatus status = world_open_store(arg, nexpected, words, store);

	if (world->nstores == 2) /* build_stored has opened one */
		(*store)->add = clustered_add;
	return status;
}

/* Memory beyond the result: ribbon.h. */
#define WORKSPACE 24000000

static uint64_t
digest_of(const uint64_t *hashes, size_t n)
{
	RibbonDigest digest;

	ribbon_digest_init(&digest);
	ribbon_digest_add(&digest, hashes, n);
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
	size_t nfalse = 0;
	RibbonFilter filter;
	const RibbonPlane *plane = ribbon_plane(&filter);
	uint64_t first_salt;
	uint64_t code;
	uint8_t *bytes;
	size_t nbytes;
	World world;

	test("a homogeneous filter of salted hashes that cluster in a window");
	fill_aimed(keys, n, 0);
	world_init(&world, 1);
	world.env.open_store = open_clustered;
	CHECK(build_stored(&world, &params, keys, n, &bytes, &nbytes) == RIBBON_OK,
		  "build");
	CHECK(world.most <= nbytes + nbytes / 100 + WORKSPACE,
		  "%zu bytes for a filter of %zu", world.most, nbytes);
	CHECK(world.nstores == 3, "%ld stores", world.nstores);
	CHECK(ribbon_open(bytes + 3, nbytes, &filter) == RIBBON_OK, "open");
	CHECK(ribbon_sort(&ribbon_malloc_env, keys, n) == RIBBON_OK, "sort");
	first_salt = digest_of(keys, n);
	CHECK(plane->salted && plane->salt == digest_of(&first_salt, 1),
		  "not salted twice");
	for (size_t i = 0; i < n; i++)
	{
		uint64_t hash = cluster(ribbon_mix(keys[i] ^ first_salt));

		hash = ribbon_mix(ribbon_unmix(hash) ^ first_salt ^ plane->salt);
		if (!plane->find_first(plane, hash, &code))
			CHECK(false, "a member is missing");
	}
	for (size_t i = 0; i < 100000; i++)
		nfalse += plane->find_first(plane, random_next(&random), &code);
	CHECK(nfalse > 800 && nfalse < 1200, "%zu false positives", nfalse);
	world_free(&world, bytes);
	CHECK(world.live == 0, "%ld left", world.live);
}

/* Memory beyond the result does not grow with the set. */
static void
check_memory(const RibbonParams *params, const uint64_t *keys, size_t n,
			 long nstores)
{
	World world;
	uint8_t *bytes;
	size_t nbytes;

	world_init(&world, 1);
	CHECK(build_stored(&world, params, keys, n, &bytes, &nbytes) == RIBBON_OK,
		  "build");
	CHECK(world.most <= nbytes + nbytes / 100 + WORKSPACE,
		  "%zu bytes for a filter of %zu", world.most, nbytes);
	CHECK(world.nstores >= nstores, "%ld stores", world.nstores);
	world_free(&world, bytes);
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
	world.env.open_store = NULL;
	memcpy(copy, keys, n * sizeof(uint64_t));
	CHECK(ribbon_build(&world.env, params, copy, n, 3, &bytes, &nbytes) ==
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

	test("memory beyond the result is limited");
	fill_random(keys, n, 8);
	check_memory(&widest, keys, n / 2, 1);

	/* bumps so many that they are stored, too */
	check_memory(&narrowest, keys, n, 2);

	check_memory(&homogeneous, keys, n / 2, 1);

	test("beside an array it is what sorting the array took");
	check_array_memory(&homogeneous, keys, n);
	homogeneous.width = 64;
	check_array_memory(&homogeneous, keys, n);
}

/*
 * A store that fails, or an interrupt, in any of many moments.  Every other
 * failure is a number that is no status.
 */
static void
check_trouble(const uint64_t *keys, size_t n, RibbonParams params, long ntries)
{
	uint8_t *bytes;
	size_t nbytes;
	World world;
	long calls, looks;
	bool odd = true;

	world_init(&world, 2);
	CHECK(build_stored(&world, &params, keys, n, &bytes, &nbytes) == RIBBON_OK,
		  "build");
	CHECK(world.tasks > 0 || params.kind == RIBBON_HOMOGENEOUS, "no threads");
	calls = world.calls;
	looks = world.looks;
	world_free(&world, bytes);
	CHECK(calls > 2 && looks > 100, "%ld calls, %ld looks", calls, looks);

	for (long at = 1; at <= calls; at += 1 + calls / ntries)
	{
		RibbonStatus expected = odd ? RIBBON_BAD_STORE : RIBBON_OUT_OF_MEMORY;

		world_init(&world, 2);
		world.fail_at = at;
		world.failure = odd ? RIBBON_NSTATUS : expected;
		odd = !odd;
		CHECK(build_stored(&world, &params, keys, n, &bytes, &nbytes) ==
				  expected,
			  "call %ld of %ld", at, calls);
		CHECK(world.live == 0, "%ld left", world.live);
	}

	for (long at = 1; at <= looks; at += 1 + looks / ntries)
	{
		world_init(&world, 2);
		world.interrupt_at = at;
		CHECK(build_stored(&world, &params, keys, n, &bytes, &nbytes) ==
				  RIBBON_INTERRUPTED,
			  "look %ld of %ld", at, looks);
		CHECK(world.live == 0, "%ld left", world.live);
	}
}

static void
test_trouble(uint64_t *keys)
{
	size_t n = 1200000;

	test("a failing store or an interrupt ends the build; nothing is left");
	fill_random(keys, n, 9);
	check_trouble(keys, n, params_of(RIBBON_BURR, 64, 0.01), 10);
	check_trouble(keys, n, params_of(RIBBON_HOMOGENEOUS, 64, 0.01), 4);

	test("nor is it in the middle of salting");
	fill_aimed(keys, n, 0);
	check_trouble(keys, n, params_of(RIBBON_HOMOGENEOUS, 32, 0.1), 3);
}

/* A store that counts more hashes than it gives. */
static void
check_lost(const uint64_t *keys, size_t n, RibbonParams params)
{
	uint8_t *bytes;
	size_t nbytes;

	for (size_t lost = 1; lost <= n; lost *= n)
	{
		World world;

		world_init(&world, 2);
		world.lost = lost;
		CHECK(build_stored(&world, &params, keys, n, &bytes, &nbytes) ==
				  RIBBON_BAD_STORE,
			  "%zu of %zu hashes lost", lost, n);
		CHECK(world.live == 0, "%ld left", world.live);
	}
}

static void
test_lost(uint64_t *keys)
{
	size_t n = 1200000;

	test("a store that gives fewer hashes than it counted is an error");
	fill_random(keys, n, 10);
	check_lost(keys, 1000, params_of(RIBBON_BURR, 64, 0.01));
	check_lost(keys, n, params_of(RIBBON_BURR, 64, 0.01));
	check_lost(keys, n, params_of(RIBBON_HOMOGENEOUS, 64, 0.01));
	fill_aimed(keys, n, 0);
	check_lost(keys, n, params_of(RIBBON_HOMOGENEOUS, 32, 0.1));
}

/* A range of which there are more hashes when it is read once more. */
static void
test_grown(const uint64_t *keys)
{
	size_t n = 1000;

	test("a store that gives more hashes the second time is an error");
	for (size_t hidden = 0; hidden < 2; hidden++)
	{
		World world;
		RibbonStore *store;
		RibbonHashes hashes;
		RibbonHashRange range = {.room = NULL};
		uint64_t nhashes;
		RibbonStatus status;

		world_init(&world, 1);
		world.hidden = hidden;
		world_open_store(&world, n, 1, &store);
		store->add(store, keys, n);
		store->seal(store, &nhashes);
		hashes = ribbon_hashes_of_store(store, nhashes, NULL);
		ribbon_hashes_make_room(&world.env, &hashes, &range, 10);
		status = ribbon_hashes_read(&world.env, &hashes, 0, UINT64_MAX,
									UINT64_MAX, &range);
		CHECK(status == (hidden > 0 ? RIBBON_BAD_STORE : RIBBON_OK),
			  "%zu hidden: status %d", hidden, status);
		ribbon_free(&world.env, range.room);
		store->close(store);
		CHECK(world.live == 0, "%ld left", world.live);
	}
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
	free(keys);
	return test_done();
}
