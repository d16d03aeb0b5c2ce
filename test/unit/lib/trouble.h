/*
 * trouble.h - builds of records in a world where something fails
 *
 * For the tests of maps and of exact sets: from an array, or from a file; with
 * memory that is refused, files that fail, and interrupts.
 */
#ifndef RIBBON_TEST_TROUBLE_H
#define RIBBON_TEST_TROUBLE_H

#include "world.h"

#include "caller.h"
#include "kernels.h"

/* What is to be built, and how. */
typedef struct Building
{
	const RibbonParams *params;
	const uint64_t *records;
	size_t n;
} Building;

/* Put what is to be built of into a set of this world. */
static inline void
store(WorldSet *stored, World *world, const Building *b)
{
	world_set_create(stored, world, ribbon_params_elements(b->params),
					 b->records, b->n);
}

/* Build from a copy of the array. */
static inline RibbonStatus
build_copy(const RibbonEnv *env, const Building *b, uint8_t **bytes,
		   size_t *nbytes)
{
	size_t size = b->n * RIBBON_RECORD_WORDS * sizeof(uint64_t);
	uint64_t *copy = malloc(size + 1);
	RibbonStatus status;

	memcpy(copy, b->records, size);
	status = array_build(env, b->params, copy, b->n, 0, bytes, nbytes);
	free(copy);
	return status;
}

/*
 * Each kernel gives these bytes.  A large set is built once by those that solve
 * by the same loops: how they probe makes a difference for small ones, too.
 */
static inline void
check_kernels(const Building *b, const uint8_t *expected, size_t nexpected)
{
	RibbonKernel kernel = ribbon_kernel();
	uint8_t *bytes;
	size_t nbytes;

	FOR_EACH_KERNEL(k)
	{
		ribbon_kernel_use(k);
		if (b->n >= 500000 && kernel_solves_as_below())
			continue;
		CHECK(build_copy(&ribbon_malloc_env, b, &bytes, &nbytes) == RIBBON_OK &&
				  nbytes == nexpected && memcmp(bytes, expected, nbytes) == 0,
			  "kernel %s, n %zu: other bytes", ribbon_kernel_name(k), b->n);
		free(bytes);
	}
	ribbon_kernel_use(kernel);
}

/* So does a set in a file, by each number of threads. */
static inline void
check_same(const Building *b, const uint8_t *expected, size_t nexpected)
{
	WorldSet stored;
	World world;
	uint8_t *bytes;
	size_t nbytes;

	check_kernels(b, expected, nexpected);
	world_init(&world, 1);
	store(&stored, &world, b);
	for (unsigned nthreads = 1; nthreads <= WORLD_MAX_THREADS; nthreads++)
	{
		world_init(&world, nthreads);
		CHECK(world_set_build(&stored, &world, b->params, &bytes, &nbytes) ==
					  RIBBON_OK &&
				  nbytes == nexpected &&
				  memcmp(bytes + 3, expected, nbytes) == 0,
			  "%u threads, n %zu: other bytes", nthreads, b->n);
		world_free(&world, bytes);
		CHECK(world.live == 0, "%ld left", world.live);
	}
	world_set_close(&stored);
}

/* How much memory, at most, a build from a file takes, and its result. */
static inline size_t
memory_of(World *world, const Building *b, WorldSet *stored, size_t *nbytes)
{
	uint8_t *bytes;

	world_init(world, 1);
	CHECK(world_set_build(stored, world, b->params, &bytes, nbytes) ==
			  RIBBON_OK,
		  "build");
	world_free(world, bytes);
	return world->most;
}

/*
 * A file or an allocation that fails, or an interrupt, in many moments.  What
 * is built of only reads, so it is there for the next build.
 */
static inline void
check_trouble(const Building *b)
{
	uint8_t *bytes, *again;
	size_t nbytes, nagain;
	WorldSet stored;
	World usual, world;

	world_init(&world, 2);
	store(&stored, &world, b);
	CHECK(world_set_build(&stored, &world, b->params, &bytes, &nbytes) ==
			  RIBBON_OK,
		  "build");
	usual = world;
	CHECK(usual.calls > 2 && usual.looks > 50 && usual.allocations > 20,
		  "%ld, %ld, %ld", usual.calls, usual.looks, usual.allocations);
	for (int i = 0; i < 15; i++)
	{
		world_init(&world, 2);
		if (i % 3 == 0)
			world.fail_at = 1 + usual.calls * i / 15;
		else if (i % 3 == 1)
			world.interrupt_at = 1 + usual.looks * i / 15;
		else
			world.refuse_at = 1 + usual.allocations * i / 15;
		CHECK(world_set_build(&stored, &world, b->params, &again, &nagain) !=
				  RIBBON_OK,
			  "trouble %d", i);
		CHECK(world.live == 0, "trouble %d: %ld left", i, world.live);
	}
	world_init(&world, 2);
	CHECK(world_set_build(&stored, &world, b->params, &again, &nagain) ==
				  RIBBON_OK &&
			  nagain == nbytes && memcmp(again + 3, bytes + 3, nbytes) == 0,
		  "other bytes after trouble");
	world_free(&world, again);
	world_free(&usual, bytes);
	CHECK(usual.live == 0, "%ld left", usual.live);
	world_set_close(&stored);
}

/* Build from an array in a world, where there may be trouble, and free it. */
static inline RibbonStatus
build_in(World *world, const Building *b)
{
	uint8_t *bytes;
	size_t nbytes;
	RibbonStatus status = build_copy(&world->env, b, &bytes, &nbytes);

	if (status == RIBBON_OK)
		world_free(world, bytes);
	CHECK(world->live == 0, "n %zu: %ld left after %s", b->n, world->live,
		  ribbon_status_text(status));
	return status;
}

/* Each allocation fails, and each look finds an interrupt: of a small set. */
static inline void
check_each_trouble(const Building *b)
{
	World usual, world;

	world_init(&usual, 1);
	CHECK(build_in(&usual, b) == RIBBON_OK, "n %zu", b->n);
	for (long at = 1; at <= usual.allocations; at++)
	{
		world_init(&world, 1);
		world.refuse_at = at;
		CHECK(build_in(&world, b) == RIBBON_OUT_OF_MEMORY,
			  "n %zu, allocation %ld", b->n, at);
	}
	for (long at = 1; at <= usual.looks; at++)
	{
		world_init(&world, 1);
		world.interrupt_at = at;
		CHECK(build_in(&world, b) == RIBBON_INTERRUPTED, "n %zu, look %ld",
			  b->n, at);
	}
}

#endif /* RIBBON_TEST_TROUBLE_H */
