/*
 * test_env.c - memory that runs out and interrupts, at every point where they
 * can come
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "base/env.h"
#include "construct/bytes.h"
#include "format/format.h"
#include "set/sort.h"
#include "built.h"
#include "world.h"

/* Build, and shrink the result if that works out. */
static RibbonStatus
attempt(World *world, RibbonKind kind, int width, const uint64_t *keys,
		size_t n)
{
	const RibbonEnv *env = &world->env;
	RibbonParams params = {.kind = kind,
						   .width = width,
						   .fpr = 0.01,
						   .key_class = 1};
	uint64_t *copy = malloc(n * sizeof(uint64_t));
	uint8_t *bytes, *small;
	size_t nbytes;
	RibbonStatus status;

	memcpy(copy, keys, n * sizeof(uint64_t));
	status = array_build(env, &params, copy, n, 4, &bytes, &nbytes);
	if (status == RIBBON_OK)
	{
		RibbonFilter filter;

		CHECK(ribbon_open(bytes + 4, nbytes, &filter) == RIBBON_OK, "open");
		status = ribbon_shrink(env, &filter, 0.1, 4, &small, &nbytes);
		if (status == RIBBON_OK)
			world_free(world, small);
		world_free(world, bytes);
	}
	free(copy);
	CHECK(world->live == 0, "%ld allocations not freed", world->live);
	return status;
}

#define MUCH ((size_t) 1 << 30)

/* Memory for little; *arg becomes the most that was asked for. */
static void *
little_alloc(void *arg, size_t size)
{
	size_t *most = arg;

	*most = size > *most ? size : *most;
	return size < MUCH ? malloc(size) : NULL;
}

static void
little_free(void *arg, void *p)
{
	(void) arg;
	free(p);
}

static RibbonStatus
never_read(RibbonFile *file, uint32_t source, uint64_t at, uint64_t *words,
		   size_t n)
{
	(void) file, (void) source, (void) at, (void) words, (void) n;
	CHECK(false, "the file was read");
	return RIBBON_INTERRUPTED;
}

static RibbonStatus
create(const RibbonEnv *env, uint64_t size)
{
	RibbonBytes bytes;
	RibbonStatus status = ribbon_bytes_create(env, &bytes, 100, size);

	if (status == RIBBON_OK)
		ribbon_bytes_discard(env, &bytes);
	return status;
}

/* Begin with so many bytes, and add more behind them. */
static RibbonStatus
extend(const RibbonEnv *env, uint64_t first, uint64_t more)
{
	RibbonBytes bytes = {.buffer = NULL};
	uint8_t *place;
	RibbonStatus status = ribbon_bytes_extend(env, &bytes, first, &place);

	if (status == RIBBON_OK)
		status = ribbon_bytes_extend(env, &bytes, more, &place);
	CHECK(status != RIBBON_OK || bytes.end == first + more, "bytes are there");
	ribbon_bytes_discard(env, &bytes);
	return status;
}

/*
 * Sizes that are small modulo 2^32, and also modulo 2^64 where they can be.
 * A size_t of 32 bits must not be asked for what is left of them.
 */
static void
test_too_large(void)
{
	static const uint64_t sizes[] = {(UINT64_C(1) << 32) + 8,
									 (UINT64_C(1) << 33) + 100,
									 (UINT64_C(1) << 40) + 64};
	size_t most = 0;
	RibbonEnv env = {.alloc = little_alloc, .free = little_free, .arg = &most};
	RibbonFile file = {.read = never_read};
	RibbonSet set = set_in_file(&env, &file, RIBBON_HASHES);

	test("what does not fit a size_t is not asked for in part");
	CHECK(create(&env, 1000) == RIBBON_OK &&
			  extend(&env, 10, 1000) == RIBBON_OK,
		  "little");
	for (int i = 0; i < 3; i++)
	{
		uint64_t size = sizes[i];
		RibbonParams params = {.kind = RIBBON_BURR,
							   .width = 64,
							   .fpr = 0.01,
							   .key_class = 1};
		uint8_t *bytes;
		size_t nbytes;

		most = 0;
		CHECK(ribbon_alloc(&env, size) == NULL, "%" PRIu64, size);
		CHECK(ribbon_alloc_array(&env, size / 8, 8) == NULL, "%" PRIu64, size);
		CHECK(ribbon_alloc_array(&env, UINT64_MAX / 8 + 2, 8) == NULL, "wrap");
		CHECK(most == 0 || most >= MUCH, "%zu bytes were asked for", most);
		CHECK(create(&env, size) == RIBBON_OUT_OF_MEMORY, "%" PRIu64, size);
		CHECK(extend(&env, 10, size) == RIBBON_OUT_OF_MEMORY, "%" PRIu64, size);
		CHECK(extend(&env, size, 10) == RIBBON_OUT_OF_MEMORY, "%" PRIu64, size);
		set.sealed = true;
		for (set.n = size; set.n < 2 * size; set.n += size / 5)
			CHECK(ribbon_build(&env, &params, &set, 0, &bytes, &nbytes) ==
					  RIBBON_OUT_OF_MEMORY,
				  "%" PRIu64 " keys", set.n);
		set.n = RIBBON_MAX_KEYS + size;
		for (int k = 0; k < 2; k++)
		{
			params.kind = test_kinds[k];
			CHECK(ribbon_build(&env, &params, &set, 0, &bytes, &nbytes) ==
					  RIBBON_OUT_OF_MEMORY,
				  "more keys than there can be");
		}
	}
}

static void *
little_resize(void *arg, void *p, size_t size)
{
	size_t *most = arg;

	*most = size;
	return realloc(p, size);
}

/* By the environment's own function, if it has one and there is a block. */
static void
test_resize(void)
{
	size_t asked = 0;
	RibbonEnv env = {.alloc = little_alloc,
					 .free = little_free,
					 .resize = little_resize,
					 .arg = &asked};
	uint8_t *block;

	test("a block keeps what is in it when it gets larger");
	for (int own = 0; own <= 1; own++)
	{
		env.resize = own ? little_resize : NULL;
		block = ribbon_resize(&env, NULL, 0, 10);
		CHECK(block != NULL && asked == 10, "%zu", asked);
		memset(block, 7, 10);
		block = ribbon_resize(&env, block, 10, 5000);
		CHECK(block != NULL && asked == 5000 && block[0] == 7 && block[9] == 7,
			  "%zu", asked);
		block = ribbon_resize(&env, block, 1, 9000);
		CHECK(block != NULL && asked == 9000 && block[0] == 7, "%zu", asked);
		asked = 0;
		free(block);
	}
}

/* Ten bytes in a buffer, with room for front before and more behind them. */
static RibbonBytes
ten_bytes(const RibbonEnv *env, uint64_t front, uint64_t more)
{
	RibbonBytes bytes;

	CHECK(ribbon_bytes_create(env, &bytes, front, 10 + more) == RIBBON_OK,
		  "create");
	bytes.end += 10;
	memcpy(bytes.buffer + bytes.begin, "0123456789", 10);
	return bytes;
}

static void
test_bytes(void)
{
	RibbonPrefix prefix = {(const uint8_t *) "abcdef", 6};

	test("bytes move where there is no room in front or behind, if they can");
	for (unsigned refuse = 0; refuse < 2; refuse++)
	{
		World world;
		RibbonBytes bytes, more;

		world_init(&world, 1);
		bytes = ten_bytes(&world.env, 0, 3);
		more = ten_bytes(&world.env, 1, 0);
		world.refuse_at = refuse == 0 ? 0 : world.allocations + 1;
		CHECK(ribbon_bytes_add(&world.env, &bytes, &more) ==
				  (refuse == 0 ? RIBBON_OK : RIBBON_OUT_OF_MEMORY),
			  "add");
		CHECK(world.live == 1 && bytes.end - bytes.begin == 20 - 10 * refuse &&
				  memcmp(bytes.buffer + bytes.begin, "01234567890123456789",
						 20 - 10 * refuse) == 0,
			  "what was added");
		ribbon_bytes_discard(&world.env, &bytes);

		bytes = ten_bytes(&world.env, 5, 0);
		world.refuse_at = refuse == 0 ? 0 : world.allocations + 1;
		CHECK(ribbon_bytes_prepend(&world.env, &bytes, 2, &prefix, 1) ==
				  (refuse == 0 ? RIBBON_OK : RIBBON_OUT_OF_MEMORY),
			  "prepend");
		if (refuse == 0)
			CHECK(bytes.begin == 2 && bytes.end == 18 &&
					  memcmp(bytes.buffer + 2, "abcdef0123456789", 16) == 0,
				  "what is in front");
		CHECK(ribbon_bytes_move_up(&world.env, &bytes, 1) == RIBBON_OK &&
				  bytes.begin == 1 && bytes.end == 17 - 6 * refuse &&
				  memcmp(bytes.buffer + 1, &"abcdef0123456789"[6 * refuse],
						 16 - 6 * refuse) == 0,
			  "what has moved");
		ribbon_bytes_discard(&world.env, &bytes);
		CHECK(world.live == 0, "%ld left", world.live);
	}
}

/* Result bits that are not kept are taken away at last. */
static void
test_last_look(void)
{
	Random random = {2};
	size_t n = 140000;
	uint64_t *keys = random_keys(&random, n);
	RibbonParams params = {.width = 32, .fpr = 0.01, .key_class = 1};

	test("an interrupt at the last look ends a build");
	CHECK(ribbon_sort(&ribbon_malloc_env, 1, keys, n, NULL) == RIBBON_OK,
		  "sort");
	for (int k = 0; k < 2; k++)
	{
		World usual, world;
		uint8_t *bytes;
		size_t nbytes;

		params.kind = test_kinds[k];
		world_init(&usual, 1);
		CHECK(array_build(&usual.env, &params, keys, n, 0, &bytes, &nbytes) ==
				  RIBBON_OK,
			  "build");
		world_free(&usual, bytes);
		world_init(&world, 1);
		world.interrupt_at = usual.looks;
		CHECK(array_build(&world.env, &params, keys, n, 0, &bytes, &nbytes) ==
					  RIBBON_INTERRUPTED &&
				  world.live == 0,
			  "%ld left", world.live);
	}
	free(keys);
}

#if defined(__linux__)
#include <sys/mman.h>

#define REGION ((size_t) 64 << 20)

/* A mapping of its own, whatever is asked for. */
static void *
region_alloc(void *arg, size_t size)
{
	(void) arg, (void) size;
	return mmap(NULL, REGION, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Has the system been asked for huge pages in any of [from, from + size)? */
static bool
is_advised(const void *from, size_t size)
{
	FILE *maps = fopen("/proc/self/smaps", "r");
	char line[512];
	bool within = false, advised = false;

	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
	{
		unsigned long begin, end;

		if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
			within = begin < (uintptr_t) from + size && end > (uintptr_t) from;
		else if (within && strncmp(line, "VmFlags:", 8) == 0)
			advised |= strstr(line, " hg") != NULL;
	}
	if (maps != NULL)
		fclose(maps);
	return advised;
}

/*
 * The request would stay with the address when a block of malloc's own memory
 * is freed.  Larger blocks are unmapped then.
 */
static void
test_huge_pages(void)
{
	RibbonEnv env = {.alloc = region_alloc};
	size_t below = ((size_t) 32 << 20) - 1;
	void *p = ribbon_alloc(&env, below);

	test("huge pages are asked for only where blocks are mappings");
	CHECK(!is_advised(p, REGION), "a block of %zu bytes", below);
	munmap(p, REGION);
}
#endif

int
main(void)
{
	Random random = {1};
	size_t sizes[] = {1, 500, 40000};
	uint64_t *keys = random_keys(&random, 40000);

	test("when any allocation fails, nothing leaks");
	for (int s = 0; s < 3; s++)
		for (int k = 0; k < 2; k++)
			for (int suspicious = 0; suspicious < 2; suspicious++)
			{
				World none;

				world_init(&none, 1);
				for (size_t i = 0; suspicious && i < 40000; i++)
					keys[i] /= 100;
				CHECK(attempt(&none, test_kinds[k], 64, keys, sizes[s]) ==
						  RIBBON_OK,
					  "without trouble");
				for (long at = 1; at <= none.allocations; at++)
				{
					World trouble;

					world_init(&trouble, 1);
					trouble.refuse_at = at;
					CHECK(attempt(&trouble, test_kinds[k], 64, keys,
								  sizes[s]) == RIBBON_OUT_OF_MEMORY,
						  "allocation %ld", at);
				}
			}

	test("at any interrupt, the work ends and nothing leaks");
	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
		{
			World none;

			world_init(&none, 1);
			CHECK(attempt(&none, test_kinds[k], test_widths[w], keys, 40000) ==
					  RIBBON_OK,
				  "without trouble");
			CHECK(none.looks > 20, "only %ld looks", none.looks);
			for (long at = 1; at <= none.looks; at++)
			{
				World trouble;

				world_init(&trouble, 1);
				trouble.interrupt_at = at;
				CHECK(attempt(&trouble, test_kinds[k], test_widths[w], keys,
							  40000) == RIBBON_INTERRUPTED,
					  "look %ld", at);
			}
		}
	free(keys);

	test_too_large();
	test_resize();
	test_bytes();
	test_last_look();
#if defined(__linux__)
	test_huge_pages();
#endif
	return test_done();
}
