/*
 * target_store.c - a set of hashes in a store, in windows and threads: build it
 *
 *----------
 *	 byte 0		sizes of windows, and how much is kept in memory
 *	 byte 1		how many hashes for one of the build target's
 *	 byte 2		kernel, threads
 *	 byte 3		when to make trouble
 *	 the rest	an input of the build target
 *----------
 *
 * Windows are made small (windows.h), so that a set that is built in a moment
 * goes through many of them.  However it is built, from an array or a store, in
 * one thread or several, with one kernel or another, the bytes must be the same
 * and hold all keys; and when a store, an allocation or an interrupt ends a
 * build, nothing may be left.
 */
#include "fuzz.h"

#include "windows.h" /* before window.h */

#include "build/params.h"
#include "reader.h"
#include "target_build.h"
#include "build/window.h"
#include "world.h"

#define STORE_PARAMS 4 /* bytes */
#define MAX_HASHES	 40000
#define HEADROOM	 3

/* What the core has without windows.h. */
#define USUAL_SLOTS ((uint64_t) 1 << 19)

uint64_t fuzz_window_slots = USUAL_SLOTS;
uint64_t fuzz_window_stretched = 131072;
uint64_t fuzz_slide_slots = USUAL_SLOTS;
uint64_t fuzz_words_in_memory = (uint64_t) 1 << 20;

/* One way to build, and what came of it. */
typedef struct Way
{
	World world;
	unsigned nthreads;
	bool stored;
	RibbonKernel kernel;
	RibbonStatus status;
	uint8_t *bytes;
	size_t nbytes;
} Way;

/*
 * Sizes may be small, but not in any proportion: a stretch is a few times as
 * long as what may flow from one into the next, and the hashes of a layer that
 * is one body, and may be tried in several sizes, stay in memory.
 */
static void
set_windows(const RibbonParams *params, size_t n, unsigned how)
{
	RibbonResultBits result_bits = ribbon_result_bits_for(params->fpr);
	int width = params->width == RIBBON_DEFAULT_WIDTH ?
		ribbon_params_default_width(params->kind, result_bits, n) :
		params->width;
	unsigned scheme = ribbon_params_scheme(width, result_bits, false);
	RibbonBuckets buckets = ribbon_buckets_of_scheme(width, scheme);
	uint64_t stretch = (uint64_t) (12 + how % 8) << buckets.log2_size;

	fuzz_window_stretched = RIBBON_WINDOW_STRETCHES * stretch;
	fuzz_window_slots = fuzz_window_stretched * (2 + how / 8 % 4);
	fuzz_slide_slots = UINT64_C(2048) << how % 5;
	fuzz_words_in_memory = fuzz_window_stretched * (5 + how / 32) / 4;
}

static void
reset_windows(void)
{
	fuzz_window_slots = USUAL_SLOTS;
	fuzz_window_stretched = 131072;
	fuzz_slide_slots = USUAL_SLOTS;
	fuzz_words_in_memory = (uint64_t) 1 << 20;
	ribbon_kernel_use(fuzz_kernel(0));
}

/* Put the hashes into a store, in pieces, and some of them twice; seal it. */
static RibbonStore *
fill_store(World *world, Random *random, const uint64_t *hashes, size_t n,
		   uint64_t *nhashes)
{
	size_t twice = (size_t) random_below(random, n + 1);
	RibbonStore *store;

	world_open_store(world, n, &store);
	for (size_t i = 0, now; i < n; i += now)
	{
		now = 1 + (size_t) random_below(random, n - i);
		store->add(store, hashes + i, now);
	}
	store->add(store, hashes, twice);
	store->seal(store, nhashes);
	return store;
}

/* Build in this way, with trouble if the world is set to it. */
static void
go(Way *way, Random *random, const RibbonParams *params, const uint64_t *hashes,
   size_t n)
{
	long fail_at = way->world.fail_at, refuse_at = way->world.refuse_at;
	long interrupt_at = way->world.interrupt_at;

	world_init(&way->world, way->nthreads);
	ribbon_kernel_use(way->kernel);
	if (way->stored)
	{
		uint64_t nhashes = 0;
		RibbonStore *store = fill_store(&way->world, random, hashes, n,
										&nhashes);

		way->world.calls = 0;
		way->world.fail_at = fail_at;
		way->world.refuse_at = refuse_at;
		way->world.interrupt_at = interrupt_at;
		way->status = ribbon_build_stored(&way->world.env, params, store,
										  nhashes, HEADROOM, &way->bytes,
										  &way->nbytes);
		store->close(store);
	}
	else
	{
		uint64_t *copy = malloc((n + 1) * sizeof(uint64_t));

		memcpy(copy, hashes, n * sizeof(uint64_t));
		way->world.refuse_at = refuse_at;
		way->world.interrupt_at = interrupt_at;
		way->world.env.open_store = NULL;
		way->status = ribbon_build(&way->world.env, params, copy, n, HEADROOM,
								   &way->bytes, &way->nbytes);
		free(copy);
	}
}

static void
done(Way *way)
{
	if (way->status == RIBBON_OK)
		world_free(&way->world, way->bytes);
	MUST(way->world.live == 0, "%ld left", way->world.live);
}

static void
check_members(const Way *way, const uint64_t *hashes, size_t n)
{
	bool *answers = malloc(n + 1);
	const uint8_t *bytes = way->bytes + HEADROOM;
	RibbonFilter filter;
	Reader reader;

	MUST(reader_open(&reader, bytes, way->nbytes) &&
			 ribbon_open(bytes, way->nbytes, &filter) == RIBBON_OK,
		 "no filter");
	prefer_batches(&filter);
	ribbon_contains_batch(&filter, hashes, n, answers);
	for (size_t i = 0; i < n; i++)
		MUST(answers[i] && (i % 64 != 0 || reader_contains(&reader, hashes[i])),
			 "false negative");
	free(answers);
}

/* Other ways to the same bytes. */
static void
check_ways(const Way *first, Random *random, const RibbonParams *params,
		   const uint64_t *hashes, size_t n, unsigned how)
{
	for (unsigned i = 0; i < 3; i++)
	{
		Way way = {.nthreads = i == 0 ? 1 : 2 + how / 4 % 3,
				   .stored = i != 1,
				   .kernel = fuzz_kernel(how + i)};

		go(&way, random, params, hashes, n);
		MUST(way.status == RIBBON_OK, "%s", ribbon_status_text(way.status));
		MUST(way.nbytes == first->nbytes &&
				 memcmp(way.bytes + HEADROOM, first->bytes + HEADROOM,
						way.nbytes) == 0,
			 "%u threads, %s, %s: other bytes", way.nthreads,
			 way.stored ? "stored" : "array", ribbon_kernel_name(way.kernel));
		done(&way);
	}
}

/* A store that fails, memory that ends, an interrupt. */
static void
check_trouble(Random *random, const RibbonParams *params,
			  const uint64_t *hashes, size_t n, unsigned how, unsigned when)
{
	Way usual = {.nthreads = 1 + how / 4 % 4,
				 .stored = true,
				 .kernel = fuzz_kernel(how)};
	Way trouble = usual;
	long most;

	go(&usual, random, params, hashes, n);
	done(&usual);
	most = when % 3 == 0 ? usual.world.calls :
		when % 3 == 1	 ? usual.world.allocations :
						   usual.world.looks;
	if (most == 0)
		return;
	*(when % 3 == 0		? &trouble.world.fail_at :
		  when % 3 == 1 ? &trouble.world.refuse_at :
						  &trouble.world.interrupt_at) = 1 + when / 3 % most;
	go(&trouble, random, params, hashes, n);
	MUST(trouble.status == RIBBON_INTERRUPTED ||
			 (when % 3 < 2 && trouble.status == RIBBON_OUT_OF_MEMORY),
		 "%s", ribbon_status_text(trouble.status));
	done(&trouble);
}

static bool
run(const uint8_t *input, size_t size)
{
	Random random = {ribbon_hash_bytes(input, size)};
	uint64_t *hashes;
	size_t n;
	RibbonParams params;
	Way first = {.nthreads = 1};

	if (size < STORE_PARAMS + BUILD_PARAMS)
		return false;
	hashes = malloc(MAX_HASHES * sizeof(uint64_t));
	n = build_hashes(input + STORE_PARAMS, size - STORE_PARAMS,
					 1 + input[1] % 16, hashes, MAX_HASHES);
	params = build_params(input + STORE_PARAMS);
	set_windows(&params, n, input[0]);
	first.kernel = fuzz_kernel(input[2]);
	go(&first, &random, &params, hashes, n);
	MUST(first.status == RIBBON_OK, "%s", ribbon_status_text(first.status));
	check_members(&first, hashes, n);
	check_ways(&first, &random, &params, hashes, n, input[2]);
	check_trouble(&random, &params, hashes, n, input[2],
				  input[3] | input[1] / 16 << 8);
	done(&first);
	reset_windows();
	free(hashes);
	return true;
}

static size_t
seed(unsigned i, uint8_t *input, size_t max)
{
	Random random = {i};
	size_t size;

	if (max < STORE_PARAMS)
		return 0;
	size = seed_build(i, input + STORE_PARAMS, max - STORE_PARAMS);
	if (size == 0)
		return 0;
	for (int b = 0; b < STORE_PARAMS; b++)
		input[b] = (uint8_t) random_next(&random);
	return STORE_PARAMS + size;
}

static size_t
mutate(Random *random, uint8_t *input, size_t size, size_t max)
{
	if (size < STORE_PARAMS || max <= STORE_PARAMS)
		return fuzz_mutate_bytes(random, input, size, max);
	if (random_below(random, 4) == 0)
	{
		input[random_below(random, STORE_PARAMS)] =
			(uint8_t) random_next(random);
		return size;
	}
	return STORE_PARAMS +
		mutate_build(random, input + STORE_PARAMS, size - STORE_PARAMS,
					 max - STORE_PARAMS);
}

const FuzzTarget fuzz_store = {"store", 100, run, mutate, seed};
