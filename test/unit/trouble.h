/*
 * trouble.h - builds of records in a world where something fails
 *
 * For the tests of maps and of exact sets, which are built from records in the
 * same ways: from an array, or from a file; with memory that is refused,
 * files that fail, and interrupts.
 */
#ifndef RIBBON_TROUBLE_H
#define RIBBON_TROUBLE_H

#include "world.h"

#include "kernels.h"

/* What is to be built, and how. */
typedef struct Building
{
	const void *params;
	const uint64_t *records;
	size_t n;
	RibbonElementKind kind;
	RibbonStatus (*from_array)(const RibbonEnv *env, const void *params,
							   uint64_t *records, size_t n, uint8_t **bytes,
							   size_t *nbytes);
	/* with three bytes of headroom */
	RibbonStatus (*from_set)(const RibbonEnv *env, const void *params,
							 RibbonSet *set, uint8_t **bytes, size_t *nbytes);
} Building;

/* Build from a set in a file. */
static inline RibbonStatus
build_stored(World *world, const Building *b, uint8_t **bytes, size_t *nbytes)
{
	WorldSet stored;
	RibbonStatus status;

	world_set_create(&stored, world, b->kind, b->records, b->n);
	status = b->from_set(&world->env, b->params, &stored.set, bytes, nbytes);
	world_set_close(&stored);
	return status;
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
	status = b->from_array(env, b->params, copy, b->n, bytes, nbytes);
	free(copy);
	return status;
}

/* Each kernel, and each number of threads from a store, gives these bytes. */
static inline void
check_same(const Building *b, const uint8_t *expected, size_t nexpected)
{
	RibbonKernel kernel = ribbon_kernel();
	uint8_t *bytes;
	size_t nbytes;

	FOR_EACH_KERNEL(k)
	{
		ribbon_kernel_use(k);
		CHECK(build_copy(&ribbon_malloc_env, b, &bytes, &nbytes) == RIBBON_OK &&
				  nbytes == nexpected && memcmp(bytes, expected, nbytes) == 0,
			  "kernel %s, n %zu: other bytes", ribbon_kernel_name(k), b->n);
		free(bytes);
	}
	ribbon_kernel_use(kernel);
	for (unsigned nthreads = 1; nthreads <= WORLD_MAX_THREADS; nthreads++)
	{
		World world;

		world_init(&world, nthreads);
		CHECK(build_stored(&world, b, &bytes, &nbytes) == RIBBON_OK &&
				  nbytes == nexpected &&
				  memcmp(bytes + 3, expected, nbytes) == 0,
			  "%u threads, n %zu: other bytes", nthreads, b->n);
		world_free(&world, bytes);
		CHECK(world.live == 0, "%ld left", world.live);
	}
}

/* How much memory, at most, a build from a file takes, and its result. */
static inline size_t
memory_of(const Building *b, size_t *nbytes)
{
	uint8_t *bytes;
	World world;

	world_init(&world, 1);
	CHECK(build_stored(&world, b, &bytes, nbytes) == RIBBON_OK, "build");
	world_free(&world, bytes);
	return world.most;
}

/* A file or an allocation that fails, or an interrupt, in many moments. */
static inline void
check_trouble(const Building *b)
{
	uint8_t *bytes;
	size_t nbytes;
	World usual, world;

	world_init(&usual, 2);
	CHECK(build_stored(&usual, b, &bytes, &nbytes) == RIBBON_OK, "build");
	world_free(&usual, bytes);
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
		CHECK(build_stored(&world, b, &bytes, &nbytes) != RIBBON_OK,
			  "trouble %d", i);
		CHECK(world.live == 0, "trouble %d: %ld left", i, world.live);
	}
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

#endif /* RIBBON_TROUBLE_H */
