/*
 * test_set_trouble.c - sets in a file, whatever fails: nothing is left, no
 * block is free twice
 */
#include "sets.h"

#include "base/env.h"

/* A RibbonTakeElements. */
static RibbonStatus
count_elements(void *arg, const uint64_t *elements, size_t n)
{
	size_t *count = (size_t *) arg;

	(void) elements;
	CHECK(n > 0, "none");
	*count += n;
	return RIBBON_OK;
}

/* All that is done with a set, some of it in trouble. */
static RibbonStatus
work_on(World *world, WorldFile *file, const Elements *elements)
{
	RibbonSet set, other;
	RibbonSetRange range = {.buffer = NULL};
	size_t n = 0;
	RibbonStatus status = sets_fill(world, file, elements, ADD, 9000, &set);

	if (status != RIBBON_OK)
		return status;
	status = sets_fill(world, file, elements, COLLECT, 9000, &other);
	if (status == RIBBON_OK)
	{
		status = ribbon_set_absorb(&set, &other);
		ribbon_set_close(&other);
	}
	if (status == RIBBON_OK)
		status = ribbon_set_seal(&set);
	if (status == RIBBON_OK)
		status = ribbon_set_read(&world->env, &set, UINT64_MAX / 3, UINT64_MAX,
								 UINT64_MAX, &range);
	ribbon_set_range_free(&world->env, &range);
	if (status == RIBBON_OK)
		status = ribbon_set_each(&world->env, &set, count_elements, &n);
	CHECK(status != RIBBON_OK || n == set.n, "%zu of %zu", n, (size_t) set.n);
	ribbon_set_close(&set);
	return status;
}

/* Each call of the file, each allocation, each look for an interrupt. */
static void
check_trouble(const Elements *elements, unsigned nthreads)
{
	World usual, world;
	WorldFile file;

	world_begin(&usual, nthreads, &file, 16384);
	CHECK(work_on(&usual, &file, elements) == RIBBON_OK, "no trouble");
	sets_done(&usual, &file);
	CHECK(usual.calls > 15 && usual.allocations > 10 && usual.looks > 10,
		  "%ld, %ld, %ld", usual.calls, usual.allocations, usual.looks);
	for (int what = 0; what < 3; what++)
	{
		long most = what == 0 ? usual.calls :
			what == 1		  ? usual.allocations :
								usual.looks;

		for (long at = 1; at <= most; at += 1 + most / 150)
		{
			RibbonStatus expected = what == 0 ? RIBBON_BAD_FILE :
				what == 1					  ? RIBBON_OUT_OF_MEMORY :
												RIBBON_INTERRUPTED;
			RibbonStatus status;

			world_begin(&world, nthreads, &file, 16384);
			/* every other failure of a file is no status */
			world.failure = at % 2 == 0 ? RIBBON_NSTATUS : RIBBON_BAD_FILE;
			*(what == 0		? &world.fail_at :
				  what == 1 ? &world.refuse_at :
							  &world.interrupt_at) = at;
			status = work_on(&world, &file, elements);
			CHECK(status == expected, "trouble %d at %ld: %s", what, at,
				  ribbon_status_text(status));
			sets_done(&world, &file);
		}
	}
}

static void
test_trouble(void)
{
	Random random = {7};

	test("whatever fails ends the call, and nothing is left");
	for (unsigned alike = 0; alike <= 56; alike += 28)
	{
		Elements elements = elements_random(&random, RIBBON_MAP_RECORDS, 30000,
											alike);

		check_trouble(&elements, 1 + alike / 28);
		if (alike == 0) /* as many short lists as there are parts */
			check_trouble(&elements, 3);
		free(elements.words);
	}
}

/* Memory that goes by itself, as that of a server after an error. */
#define MOST_CHUNKS 100000

typedef struct Arena
{
	void *chunks[MOST_CHUNKS];
	size_t n;
	long looks;
	long leave_at;
	jmp_buf leave;
} Arena;

static void *
arena_alloc(void *arg, size_t size)
{
	Arena *arena = (Arena *) arg;

	CHECK(arena->n < MOST_CHUNKS, "too many");
	arena->chunks[arena->n] = malloc(size);
	return arena->chunks[arena->n++];
}

static void
arena_free(void *arg, void *ptr)
{
	(void) arg, (void) ptr;
}

static bool
arena_interrupted(void *arg)
{
	Arena *arena = (Arena *) arg;

	if (++arena->looks == arena->leave_at)
		longjmp(arena->leave, 1);
	return false;
}

/*
 * Work on a set until a callback leaves by longjmp, at this call of the file or
 * this look.  True if all was done before.
 */
static bool
leave(Arena *arena, const Elements *elements, long call, long look)
{
	World world;
	WorldFile file;
	RibbonEnv env = {.alloc = arena_alloc,
					 .free = arena_free,
					 .interrupted = arena_interrupted,
					 .arg = arena};
	RibbonSet *set = malloc(sizeof(RibbonSet));
	volatile bool ended = false;

	world_begin(&world, 1, &file, 16384);
	*set = set_in_file(&env, &file.file, elements->kind);
	world.fail_at = call;
	file.leave = &arena->leave;
	arena->n = 0;
	arena->looks = 0;
	arena->leave_at = look;
	if (setjmp(arena->leave) == 0)
	{
		for (size_t i = 0; i < elements->n; i += 3000)
			ribbon_set_add_to_file(set,
								   elements->words +
									   i *
										   ribbon_element_stride(elements
																	 ->kind),
								   3000);
		ribbon_set_seal(set);
		ended = true;
	}
	/* what was in no list at that moment is lost, and nothing is twice free */
	ribbon_set_release(set);
	ribbon_set_release(set);
	{
		uint32_t nfree = file.file.nfree;

		CHECK(nfree <= file.file.nblocks && (!ended || nfree > 0), "%u of %u",
			  nfree, file.file.nblocks);
		for (uint32_t i = 0; i < nfree; i++)
			for (uint32_t j = 0; j < i; j++)
				CHECK(file.file.free_blocks[i] != file.file.free_blocks[j],
					  "block %u is free twice", file.file.free_blocks[i]);
	}
	for (size_t i = 0; i < arena->n; i++)
		free(arena->chunks[i]);
	world_file_close(&file);
	free(set);
	return ended;
}

static void
test_longjmp(void)
{
	Random random = {8};
	Arena *arena = malloc(sizeof(Arena));

	test("callbacks that leave by longjmp: no block is free twice");
	for (unsigned alike = 0; alike <= 16; alike += 8)
	{
		Elements elements = elements_random(&random, RIBBON_HASHES, 30000,
											alike);
		long at = 1;

		while (!leave(arena, &elements, at, 0))
			at += 1 + at / 10;
		CHECK(at > 20, "%ld calls", at);
		for (at = 1; !leave(arena, &elements, 0, at);)
			at += 1 + at / 10;
		CHECK(at > 20, "%ld looks", at);
		free(elements.words);
	}
	free(arena);
}

/* What a thread takes for an interrupt may come to nothing. */
static bool
interrupted_once(void *arg)
{
	World *world = (World *) arg;

	if (++world->looks == world->interrupt_at)
		atomic_store(&world->stop, true);
	else
		atomic_store(&world->stop, false);
	return false;
}

static void
test_nothing(void)
{
	Random random = {9};
	Elements elements = elements_random(&random, RIBBON_HASHES, 400000, 0);
	Elements sorted = elements_copy(&elements, 0, elements.n);

	test("lists are sorted again after an interrupt that came to nothing");
	CHECK(elements_sort(&sorted) == RIBBON_OK, "sort");
	for (long at = 1; at < 400; at = 2 * at)
	{
		World world;
		WorldFile file;
		RibbonSet set;

		world_init(&world, 3);
		world.env.interrupted = interrupted_once;
		world.interrupt_at = at;
		world_file_init(&file, &world, 200000);
		CHECK(sets_fill(&world, &file, &elements, ADD, 100000, &set) ==
				  RIBBON_OK,
			  "fill");
		CHECK(sets_equal(&set, &sorted), "other elements");
		sets_close(&world, &file, &set);
	}
	free(elements.words);
	free(sorted.words);
}

/* The same, of a sealed set of hashes. */
static RibbonStatus
count_part(void *arg, const uint64_t *elements, size_t n)
{
	CHECK(n > 0 && elements[0] <= elements[n - 1], "a part");
	return count_elements(arg, elements, n);
}

static RibbonStatus
pass_over(World *world, const RibbonSet *set, size_t *count)
{
	world->allocations = world->calls = world->looks = 0;
	atomic_store(&world->stop, false);
	*count = 0;
	return ribbon_set_each(&world->env, set, count_part, count);
}

/* A set of several parts, in an array, or in a file as a list of blocks. */
static void
check_passes(World *world, const RibbonSet *set)
{
	size_t count;
	long calls, allocations, looks;

	CHECK(pass_over(world, set, &count) == RIBBON_OK && count == set->n,
		  "%zu of %zu", count, (size_t) set->n);
	calls = world->calls;
	allocations = world->allocations;
	looks = world->looks;
	CHECK(set->in_file ? calls > 1 && allocations == 1 : looks > 1,
		  "%ld, %ld, %ld", calls, allocations, looks);
	for (int what = 0; what < 3; what++)
		for (long at = 1; at <= (what == 0	   ? calls :
									 what == 1 ? allocations :
												 looks);
			 at++)
		{
			RibbonStatus expected = what == 0 ? RIBBON_BAD_FILE :
				what == 1					  ? RIBBON_OUT_OF_MEMORY :
												RIBBON_INTERRUPTED;

			world->failure = RIBBON_BAD_FILE;
			*(what == 0		? &world->fail_at :
				  what == 1 ? &world->refuse_at :
							  &world->interrupt_at) = at;
			CHECK(pass_over(world, set, &count) == expected &&
					  (count < set->n || (what == 2 && at == looks)),
				  "trouble %d at %ld: %zu", what, at, count);
			world->fail_at = world->refuse_at = world->interrupt_at = 0;
		}
}

static void
test_passes(void)
{
	Random random = {12};
	Elements elements = elements_random(&random, RIBBON_HASHES, 200000, 0);
	World world;
	WorldFile file;
	RibbonSet set;

	test("whatever fails ends a pass over a set");
	world_begin(&world, 1, &file, 300000);
	CHECK(sets_fill(&world, &file, &elements, ADD, 50000, &set) == RIBBON_OK &&
			  set.parts == NULL,
		  "fill");
	check_passes(&world, &set);
	sets_close(&world, &file, &set);

	CHECK(elements_sort(&elements) == RIBBON_OK, "sort");
	set = ribbon_set_of_array(&world.env, RIBBON_HASHES, elements.words,
							  elements.n);
	check_passes(&world, &set);
	free(elements.words);
}

int
main(void)
{
	test_trouble();
	test_passes();
	test_longjmp();
	test_nothing();
	return test_done();
}
