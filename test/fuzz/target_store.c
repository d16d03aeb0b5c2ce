/*
 * target_store.c - a set of hashes in a file, in windows and threads: build it
 *
 *----------
 *	 byte 0		sizes of windows, and how much is kept in memory
 *	 byte 1		how many hashes for one of the build target's
 *	 byte 2		kernel, threads
 *	 byte 3		when to make trouble
 *	 byte 4		a filter, or a map: of how many value bits, with check bits?
 *	 the rest	an input of the build target
 *----------
 *
 * Windows are made small (windows.h), so that a set that is built in a moment
 * goes through many of them.  However it is built, from an array or a file, in
 * one thread or several, with one kernel or another, the bytes must be the same
 * and hold all keys, with their values if it is a map; and when a file, an
 * allocation or an interrupt ends a build, nothing may be left.
 *
 * A window of buckets in groups has a few groups at least, and the set as many
 * hashes.
 */
#include "windows.h" /* before cut.h and derive.h */

#include "fuzz.h"

#include "construct/cut.h"
#include "construct/shape.h"
#include "format/format.h"
#include "maps.h"
#include "reader.h"
#include "target_build.h"
#include "world.h"

#define STORE_PARAMS 5 /* bytes */
#define MAX_HASHES	 40000
#define MAX_GROUPED	 140000 /* hashes, if buckets are in groups */
#define HEADROOM	 3

/* What the core has without windows.h. */
#define USUAL_SLOTS	  UINT64_C(131072)
#define USUAL_GROUPED UINT64_C(524288)
#define USUAL_WORDS	  (UINT64_C(1) << 20)

uint64_t fuzz_cut_slots = USUAL_SLOTS;
uint64_t fuzz_cut_grouped = USUAL_GROUPED;
uint64_t fuzz_words_in_memory = USUAL_WORDS;

/* What is built: a filter of hashes, or a map of records. */
typedef struct Thing
{
	bool is_map;
	RibbonParams params;
	MapParams map_params;
	int width;
	unsigned scheme;
	const uint64_t *keys; /* hashes, or records */
	size_t n;
	size_t stride; /* words of a key */
} Thing;

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
 * What to build: half of the inputs are maps of one plane.  A quarter of these
 * are of few columns, without check bits, and of the width that they have by
 * default, so that buckets are in groups: that takes time.
 */
static Thing
thing_of(const uint8_t *input)
{
	Thing thing = {.params = build_params(input + STORE_PARAMS), .stride = 1};
	RibbonParams *params = &thing.params;
	RibbonPlaneParams asked = {.width = params->width,
							   .check = ribbon_result_bits_for(params->fpr)};
	RibbonPlane plane;
	unsigned how = input[4];
	bool few = (how & 96) == 0;

	thing.is_map = how >= 128;
	if (thing.is_map)
	{
		thing.stride = RIBBON_RECORD_WORDS;
		thing.map_params = (MapParams){.width = few ? RIBBON_DEFAULT_WIDTH :
													  params->width,
									   .fpr = how & 32 ? params->fpr : 1,
									   .key_class = params->key_class,
									   .value_class = 4};
		asked.check = ribbon_result_bits_for(thing.map_params.fpr);
		thing.map_params.value_bits =
			ribbon_format_value_bits(1 + (few ? how % 4 : how % 32 * 2),
									 asked.check);
		asked.width = thing.map_params.width;
		asked.value_bits = thing.map_params.value_bits;
		asked.in_map = true;
	}
	ribbon_plane_init_empty(&plane);
	plane.nkeys = MAX_HASHES;
	ribbon_shape_choose(&asked, &plane);
	thing.width = !thing.is_map && params->kind == RIBBON_HOMOGENEOUS ?
		ribbon_homog_width(params->width, params->fpr) :
		plane.width;
	thing.scheme = plane.scheme;
	return thing;
}

/* The value of a key: anything, but the same wherever a hash comes from. */
static uint64_t
value_of(const Thing *thing, uint64_t hash)
{
	return ribbon_mix(hash + 1) & ribbon_low_mask(thing->map_params.value_bits);
}

/* The thing's keys: the hashes of an input, of which a map has records. */
static uint64_t *
fill_keys(Thing *thing, const uint8_t *input, size_t size)
{
	bool grouped =
		ribbon_buckets_of_scheme(thing->width, thing->scheme).grouped;
	size_t times = 1 + input[1] % 16;
	size_t max = grouped ? MAX_GROUPED : MAX_HASHES;
	uint64_t *keys = malloc((max + 1) * thing->stride * sizeof(uint64_t));

	thing->n = build_hashes(input + STORE_PARAMS, size - STORE_PARAMS,
							grouped ? 512 * times : times, keys, max);
	for (size_t i = thing->n; thing->is_map && i-- > 0;)
	{
		uint64_t hash = keys[i];

		keys[2 * i] = hash;
		keys[2 * i + 1] = value_of(thing, hash);
	}
	thing->keys = keys;
	return keys;
}

/*
 * Sizes may be small, but not in any proportion: a window is a few times as
 * long as what may flow from one into the next, none is empty, and the
 * hashes of a layer that is one body, and may be tried in several sizes, stay
 * in memory.
 */
static void
set_windows(const Thing *thing, unsigned how)
{
	RibbonBuckets buckets = ribbon_buckets_of_scheme(thing->width,
													 thing->scheme);
	uint64_t window = (uint64_t) (12 + how % 8) << buckets.log2_size;
	uint64_t unit = (uint64_t) ribbon_buckets_unit(&buckets)
		<< buckets.log2_size;

	fuzz_cut_slots = RIBBON_CUT_TOGETHER * window + how / 8 % 4 * window;
	fuzz_cut_grouped = 2 * unit + (how % 8) * unit / 8;
	if (!thing->is_map && thing->params.kind == RIBBON_HOMOGENEOUS)
		fuzz_cut_slots = UINT64_C(2048) << how % 5;
	fuzz_words_in_memory = (buckets.grouped ? fuzz_cut_grouped :
											  fuzz_cut_slots) *
		(5 + how / 32) / 4;
}

static void
reset_windows(void)
{
	fuzz_cut_slots = USUAL_SLOTS;
	fuzz_cut_grouped = USUAL_GROUPED;
	fuzz_words_in_memory = USUAL_WORDS;
	ribbon_kernel_use(fuzz_kernel(0));
}

/* Put the keys into a set in a file, in pieces, and some of them twice. */
static void
fill_set(WorldSet *stored, World *world, Random *random, const Thing *thing)
{
	size_t n = thing->n;
	RibbonSet *set = &stored->set;
	bool added = true;

	world_file_init(&stored->file, world, (size_t) RIBBON_BLOCK_WORDS * 4);
	stored->file.file.env = ribbon_malloc_env;
	*set = set_in_file(&ribbon_malloc_env, &stored->file.file,
					   thing->is_map ? RIBBON_MAP_RECORDS : RIBBON_HASHES);
	for (size_t i = 0, now; i < n; i += now)
	{
		now = 1 + (size_t) random_below(random, n - i);
		added &= ribbon_set_add_to_file(set, thing->keys + i * thing->stride,
										now) == RIBBON_OK;
	}
	added &= ribbon_set_collect(set, thing->keys,
								(size_t) random_below(random, n + 1)) ==
			RIBBON_OK &&
		ribbon_set_seal(set) == RIBBON_OK;
	CHECK(added, "no set");
}

static void
build_stored(Way *way, const Thing *thing, RibbonSet *set)
{
	const RibbonEnv *env = &way->world.env;

	way->status = thing->is_map ?
		maps_build_set(env, &thing->map_params, set, HEADROOM, &way->bytes,
					   &way->nbytes) :
		ribbon_build(env, &thing->params, set, HEADROOM, &way->bytes,
					 &way->nbytes);
}

static void
build_array(Way *way, const Thing *thing)
{
	const RibbonEnv *env = &way->world.env;
	size_t size = thing->n * thing->stride * sizeof(uint64_t);
	uint64_t *copy = malloc(size + 1);

	memcpy(copy, thing->keys, size);
	way->status = thing->is_map ?
		maps_build(env, &thing->map_params, copy, thing->n, HEADROOM,
				   &way->bytes, &way->nbytes) :
		array_build(env, &thing->params, copy, thing->n, HEADROOM, &way->bytes,
					&way->nbytes);
	free(copy);
}

/* Build in this way, with trouble if the world is set to it. */
static void
go(Way *way, Random *random, const Thing *thing)
{
	long fail_at = way->world.fail_at, refuse_at = way->world.refuse_at;
	long interrupt_at = way->world.interrupt_at;

	world_init(&way->world, way->nthreads);
	way->world.failure = RIBBON_BAD_FILE;
	ribbon_kernel_use(way->kernel);
	if (way->stored)
	{
		WorldSet stored;

		fill_set(&stored, &way->world, random, thing);
		way->world.calls = 0;
		way->world.fail_at = fail_at;
		way->world.refuse_at = refuse_at;
		way->world.interrupt_at = interrupt_at;
		build_stored(way, thing, &stored.set);
		ribbon_set_close(&stored.set);
		CHECK(world_all_free(&stored.file.file), "blocks are not free");
		world_file_close(&stored.file);
	}
	else
	{
		way->world.refuse_at = refuse_at;
		way->world.interrupt_at = interrupt_at;
		build_array(way, thing);
	}
}

static void
done(Way *way)
{
	if (way->status == RIBBON_OK)
		world_free(&way->world, way->bytes);
	CHECK(way->world.live == 0, "%ld left", way->world.live);
}

static void
check_members(const Way *way, const uint64_t *hashes, size_t n)
{
	bool *answers = malloc(n + 1);
	const uint8_t *bytes = way->bytes + HEADROOM;
	RibbonFilter filter;
	Reader reader;

	CHECK(reader_open(&reader, bytes, way->nbytes) &&
			  ribbon_open(bytes, way->nbytes, &filter) == RIBBON_OK,
		  "no filter");
	prefer_batches(&filter);
	ribbon_contains_batch(&filter, hashes, n, answers);
	for (size_t i = 0; i < n; i++)
		CHECK(answers[i] &&
				  (i % 64 != 0 || reader_contains(&reader, hashes[i])),
			  "false negative");
	free(answers);
}

static void
check_values(const Way *way, const Thing *thing)
{
	RibbonFilter map;

	CHECK(ribbon_open(way->bytes + HEADROOM, way->nbytes, &map) == RIBBON_OK,
		  "no map");
	CHECK(ribbon_check(&ribbon_malloc_env, &map) == RIBBON_OK, "not sound");
	for (size_t i = 0; i < thing->n; i++)
	{
		const uint64_t *record = thing->keys + 2 * i;
		uint64_t code;

		CHECK(ribbon_get(&map, record[0], &code) && code == record[1] &&
				  (i % 64 != 0 ||
				   (map_get_slowly(&map, record[0], &code) &&
					code == record[1])),
			  "not the value");
	}
}

/* Other ways to the same bytes. */
static void
check_ways(const Way *first, Random *random, const Thing *thing, unsigned how)
{
	for (unsigned i = 0; i < 3; i++)
	{
		Way way = {.nthreads = i == 0 ? 1 : 2 + how / 4 % 3,
				   .stored = i != 1,
				   .kernel = fuzz_kernel(how + i)};

		go(&way, random, thing);
		CHECK(way.status == RIBBON_OK, "%s", ribbon_status_text(way.status));
		CHECK(way.nbytes == first->nbytes &&
				  memcmp(way.bytes + HEADROOM, first->bytes + HEADROOM,
						 way.nbytes) == 0,
			  "%u threads, %s, %s: other bytes", way.nthreads,
			  way.stored ? "stored" : "array", ribbon_kernel_name(way.kernel));
		done(&way);
	}
}

/* A file that fails, memory that ends, an interrupt. */
static void
check_trouble(Random *random, const Thing *thing, unsigned how, unsigned when)
{
	Way usual = {.nthreads = 1 + how / 4 % 4,
				 .stored = true,
				 .kernel = fuzz_kernel(how)};
	Way trouble = usual;
	Random same = *random; /* for sets that lie in the same blocks */
	RibbonStatus expected;
	long most;

	go(&usual, &same, thing);
	done(&usual);
	most = when % 3 == 0 ? usual.world.calls :
		when % 3 == 1	 ? usual.world.allocations :
						   usual.world.looks;
	if (most == 0)
		return;
	*(when % 3 == 0		? &trouble.world.fail_at :
		  when % 3 == 1 ? &trouble.world.refuse_at :
						  &trouble.world.interrupt_at) = 1 + when / 3 % most;
	same = *random;
	go(&trouble, &same, thing);
	expected = when % 3 == 0 ? RIBBON_BAD_FILE :
		when % 3 == 1		 ? RIBBON_OUT_OF_MEMORY :
							   RIBBON_INTERRUPTED;
	/* a leader that waits for threads looks as often as they need */
	CHECK(trouble.status == expected ||
			  (trouble.status == RIBBON_OK &&
			   trouble.world.looks < trouble.world.interrupt_at),
		  "%s", ribbon_status_text(trouble.status));
	done(&trouble);
}

static bool
run(const uint8_t *input, size_t size)
{
	Random random = {ribbon_hash_bytes(input, size)};
	Thing thing;
	uint64_t *keys;
	Way first = {.nthreads = 1};

	if (size < STORE_PARAMS + BUILD_PARAMS)
		return false;
	thing = thing_of(input);
	keys = fill_keys(&thing, input, size);
	set_windows(&thing, input[0]);
	first.kernel = fuzz_kernel(input[2]);
	go(&first, &random, &thing);
	CHECK(first.status == RIBBON_OK, "%s", ribbon_status_text(first.status));
	if (thing.is_map)
		check_values(&first, &thing);
	else
		check_members(&first, keys, thing.n);
	check_ways(&first, &random, &thing, input[2]);
	check_trouble(&random, &thing, input[2], input[3] | input[1] / 16 << 8);
	done(&first);
	reset_windows();
	free(keys);
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

const FuzzTarget fuzz_store = {"store", 100, BUILD_MOST, run, mutate, seed};
