/*
 * world.h - an environment that runs tasks in threads, and watches; files in
 * memory
 *
 * For tests of builds whose hashes do not fit into memory: the files of sets
 * are in memory all the same, but what is in them is not counted.  Nothing may
 * be left in the end (live), calls of files can be made to fail, and looks to
 * find an interrupt.
 */
#ifndef RIBBON_TEST_WORLD_H
#define RIBBON_TEST_WORLD_H

#include "testing.h"

#include "construct/digest.h"
#include "base/threads.h"
#include "set/blocks.h"

#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

#define WORLD_MAX_THREADS 4

/* An environment that runs tasks in threads, and watches. */
typedef struct World
{
	RibbonEnv env;
	long live;			  /* allocations */
	long allocations;	  /* so far, */
	long refuse_at;		  /* and which of them fails; 0: none */
	size_t used;		  /* bytes allocated now, */
	size_t most;		  /* and at most */
	long fail_at;		  /* the call of a file that fails; 0: none */
	RibbonStatus failure; /* what it returns then */
	long calls;			  /* of files */
	long writes;		  /* among these */
	long looks;			  /* for interrupts, in the leader */
	long interrupt_at;	  /* 0: never */
	bool is_brief;		  /* no other look finds the interrupt, too */
	long max_looks;		  /* more are taken for an endless loop; 0: any */
	long tasks;			  /* that run was given */
	RibbonDigest *noted;  /* what is asked for, in order; NULL: nothing is */
	FILE *told;			  /* where that is printed, too; NULL: nowhere */
	double progress; /* of the last report; it must not go back in a layer */
	int layer;
	bool went_back;
	atomic_bool stop;
} World;

/* Note what is asked for; threads note nothing. */
static inline void
world_note(const World *world, uint64_t what, uint64_t a, uint64_t b)
{
	if (world->noted == NULL)
		return;
	ribbon_digest_add(world->noted, what);
	ribbon_digest_add(world->noted, a);
	ribbon_digest_add(world->noted, b);
	if (world->told != NULL)
		fprintf(world->told, "  %c %" PRIu64 " %" PRIu64 "\n", (int) what, a,
				b);
}

/* Is this the call of a file that is to fail? */
static inline bool
world_fails(World *world)
{
	return __atomic_add_fetch(&world->calls, 1, __ATOMIC_RELAXED) ==
		world->fail_at;
}

/* Each block begins with its size. */
static inline void *
world_alloc(void *arg, size_t size)
{
	World *world = arg;
	size_t *block;

	world_note(world, 'a', size, 0);
	if (++world->allocations == world->refuse_at)
		return NULL;
	CHECK(size < (size_t) 1 << 30, "an allocation of %zu bytes", size);
	block = malloc(size + 16);
	block[0] = size;
	world->live++;
	world->used += size;
	world->most = world->used > world->most ? world->used : world->most;
	return block + 2;
}

static inline void
world_free(void *arg, void *p)
{
	World *world = arg;
	size_t *block;

	if (p == NULL)
		return;
	block = (size_t *) p - 2;
	world_note(world, 'f', block[0], 0);
	world->live--;
	world->used -= block[0];
	free(block);
}

static inline bool
world_interrupted(void *arg)
{
	World *world = arg;

	world_note(world, 'i', 0, 0);
	world->looks++;
	CHECK(world->max_looks == 0 || world->looks <= world->max_looks,
		  "%ld looks for interrupts", world->looks);
	if (world->looks == world->interrupt_at)
	{
		atomic_store(&world->stop, !world->is_brief);
		return true;
	}
	return atomic_load(&world->stop);
}

static inline bool
world_thread_interrupted(void *arg)
{
	World *world = arg;

	return atomic_load(&world->stop);
}

/* Tasks in threads, the first one in this. */
static inline RibbonStatus
world_run_tasks(void *arg, unsigned n, RibbonTask *task, void *task_arg)
{
	World *world = arg;
	RibbonEnv env = ribbon_malloc_env;

	CHECK(n <= WORLD_MAX_THREADS, "%u", n);
	env.interrupted = world_thread_interrupted;
	env.arg = world;
	world_note(world, 't', n, 0);
	world->tasks += n;
	return ribbon_threads_run(&env, &env, n, task, task_arg, NULL);
}

#define WORLD_RUN ((size_t) 128 * 1024) /* words written at once, at most */

/* A file in memory, for sets (set/file.h). */
typedef struct WorldFile
{
	RibbonFile file;
	World *world;
	jmp_buf *leave; /* where to go when a call fails; NULL: return a status */
	uint64_t *words;
	size_t capacity;
	size_t end; /* behind the last word written */
} WorldFile;

static inline RibbonStatus
world_file_fails(WorldFile *file)
{
	if (file->leave != NULL)
		longjmp(*file->leave, 1);
	return file->world->failure;
}

static inline RibbonStatus
world_file_write(RibbonFile *base, uint64_t at, const uint64_t *words, size_t n)
{
	WorldFile *file = (WorldFile *) base;

	CHECK(n > 0 && n <= WORLD_RUN, "%zu words at once", n);
	world_note(file->world, 'w', at, n);
	__atomic_add_fetch(&file->world->writes, 1, __ATOMIC_RELAXED);
	if (world_fails(file->world))
		return world_file_fails(file);
	if (at + n > file->capacity)
	{
		file->capacity = 2 * (size_t) (at + n);
		file->words = realloc(file->words, file->capacity * sizeof(uint64_t));
	}
	file->end = at + n > file->end ? (size_t) (at + n) : file->end;
	memcpy(file->words + at, words, n * sizeof(uint64_t));
	return RIBBON_OK;
}

static inline RibbonStatus
world_file_read(RibbonFile *base, uint32_t source, uint64_t at, uint64_t *words,
				size_t n)
{
	WorldFile *file = (WorldFile *) base;

	world_note(file->world, 'r', at, n);
	if (world_fails(file->world))
		return world_file_fails(file);
	CHECK(source == 0 && at + n <= file->end, "read behind the end");
	memcpy(words, file->words + at, n * sizeof(uint64_t));
	return RIBBON_OK;
}

/*
 * The memory of closed files is that of the next ones: fresh memory costs a
 * page fault for every 4 kB.  What was in it is no longer.
 */
#define WORLD_KEPT 2

static WorldFile world_kept[WORLD_KEPT];

static inline void
world_file_init(WorldFile *file, World *world, size_t sort_words)
{
	memset(file, 0, sizeof(*file));
	file->file.write = world_file_write;
	file->file.read = world_file_read;
	file->file.sort_words = sort_words;
	file->file.whole_words = sort_words;
	file->file.env = world->env;
	file->world = world;
	for (int i = 0; i < WORLD_KEPT && file->words == NULL; i++)
	{
		file->words = world_kept[i].words;
		file->capacity = file->words == NULL ? 0 : world_kept[i].capacity;
		world_kept[i].words = NULL;
	}
}

static inline void
world_file_close(WorldFile *file)
{
	ribbon_file_close(&file->file);
	if (file->end > 0)
		memset(file->words, 0xBE, file->end * sizeof(uint64_t));
	for (int i = 0; i < WORLD_KEPT; i++)
		if (world_kept[i].words == NULL)
		{
			world_kept[i].words = file->words;
			world_kept[i].capacity = file->capacity;
			return;
		}
	free(file->words);
}

static inline void
world_report(void *arg, int layer, double share)
{
	World *world = arg;

	world_note(world, 'p', (uint64_t) (layer + 1000),
			   (uint64_t) (share * 4096));
	world->went_back |= layer == world->layer && share < world->progress;
	world->went_back |= share < 0 || share > 1;
	world->layer = layer;
	world->progress = share;
}

static inline void
world_init(World *world, unsigned nthreads)
{
	memset(world, 0, sizeof(*world));
	world->failure = RIBBON_INTERRUPTED;
	world->env.alloc = world_alloc;
	world->env.free = world_free;
	world->env.interrupted = world_interrupted;
	world->env.arg = world;
	world->env.run = nthreads > 1 ? world_run_tasks : NULL;
	world->env.nthreads = nthreads;
	world->env.progress = world_report;
}

/* A world, and a file in it for sets, which sorts so many words at once. */
static inline void
world_begin(World *world, unsigned nthreads, WorldFile *file, size_t sort_words)
{
	world_init(world, nthreads);
	world_file_init(file, world, sort_words);
}

/* Is each block of a file free, and no block twice? */
static inline bool
world_all_free(const RibbonFile *file)
{
	bool *seen = calloc(file->nblocks + 1, sizeof(bool));
	bool all = file->nfree == file->nblocks;

	for (uint32_t i = 0; i < file->nfree; i++)
	{
		uint32_t number = file->free_blocks[i];

		all &= number < file->nblocks && !seen[number];
		if (number < file->nblocks)
			seen[number] = true;
	}
	free(seen);
	return all;
}

/* An empty set in a file, however few its elements are. */
static inline RibbonSet
set_in_file(const RibbonEnv *env, RibbonFile *file, RibbonElementKind kind)
{
	RibbonSet set = ribbon_set_growing(env, kind);

	ribbon_set_enter_file(&set, file);
	return set;
}

/* A set in a file of its own. */
typedef struct WorldSet
{
	WorldFile file;
	RibbonSet set;
} WorldSet;

/*
 * Put n elements into a set, in disorder and some of them twice, and seal it.
 * All this goes well, and does not count.
 */
static inline void
world_set_create(WorldSet *stored, World *world, RibbonElementKind kind,
				 const uint64_t *words, size_t n)
{
	World before = *world;
	RibbonSet *set = &stored->set;

	world->fail_at = 0;
	world_file_init(&stored->file, world, (size_t) 256 * 1024);
	stored->file.file.env = ribbon_malloc_env;
	*set = set_in_file(&ribbon_malloc_env, &stored->file.file, kind);
	CHECK(ribbon_set_add_to_file(set, words, n) == RIBBON_OK &&
			  ribbon_set_add_to_file(set, words, n / 7) == RIBBON_OK &&
			  ribbon_set_seal(set) == RIBBON_OK && set->n == n,
		  "%zu elements, not %zu", (size_t) set->n, n);
	*world = before;
}

/* Blocks of its file that are not free: its own, unless others are left. */
static inline uint32_t
world_set_blocks(const WorldSet *stored)
{
	return stored->file.file.nblocks - stored->file.file.nfree;
}

/* Build of it, with three bytes of headroom; it stays as it is. */
static inline RibbonStatus
world_set_build(WorldSet *stored, World *world, const RibbonParams *params,
				uint8_t **bytes, size_t *nbytes)
{
	uint32_t nblocks = world_set_blocks(stored);
	RibbonStatus status = ribbon_build(&world->env, params, &stored->set, 3,
									   bytes, nbytes);

	CHECK(world_set_blocks(stored) == nblocks, "%u blocks, not %u",
		  world_set_blocks(stored), nblocks);
	return status;
}

static inline void
world_set_close(WorldSet *stored)
{
	ribbon_set_close(&stored->set);
	CHECK(world_all_free(&stored->file.file), "blocks are not free");
	world_file_close(&stored->file);
}

#endif /* RIBBON_TEST_WORLD_H */
