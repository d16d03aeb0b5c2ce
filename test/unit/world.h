/*
 * world.h - an environment that opens stores, runs tasks in threads, and
 * watches
 *
 * For tests of builds whose hashes do not fit into memory: the stores are in
 * memory all the same, but what is in them is not counted.  Nothing may be left
 * in the end (live), calls of stores can be made to fail, and looks to find an
 * interrupt.
 */
#ifndef RIBBON_WORLD_H
#define RIBBON_WORLD_H

#include "testing.h"

#include "set/set.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

#define WORLD_MAX_THREADS 4

/* An environment that opens stores, runs tasks in threads, and watches. */
typedef struct World
{
	RibbonEnv env;
	long live;			  /* allocations and stores */
	long allocations;	  /* so far, */
	long refuse_at;		  /* and which of them fails; 0: none */
	size_t used;		  /* bytes allocated now, */
	size_t most;		  /* and at most */
	long fail_at;		  /* the store call that fails; 0: none */
	RibbonStatus failure; /* what it returns then */
	long calls;			  /* of stores */
	size_t lost;		  /* the highest hashes, which stores count and lose */
	size_t hidden;	   /* hashes that a read with too little room leaves out */
	long looks;		   /* for interrupts, in the leader */
	long interrupt_at; /* 0: never */
	long tasks;		   /* that ran in threads */
	long nstores;
	bool exact;		 /* records are of exact sets */
	double progress; /* of the last report; it must not go back in a layer */
	int layer;
	bool went_back;
	atomic_bool stop;
} World;

/* What is stored is not counted as memory. */
typedef struct MemoryStore
{
	RibbonStore store;
	World *world;
	size_t stride; /* words of an element: a hash, or a record */
	uint64_t *hashes;
	size_t n;
	size_t capacity; /* words */
} MemoryStore;

/* Is this the call of a store or a file that is to fail? */
static inline bool
world_fails(World *world)
{
	return __atomic_add_fetch(&world->calls, 1, __ATOMIC_RELAXED) ==
		world->fail_at;
}

static inline RibbonStatus
world_store_add(RibbonStore *base, const uint64_t *hashes, size_t n)
{
	MemoryStore *store = (MemoryStore *) base;

	if (world_fails(store->world))
		return store->world->failure;
	if ((store->n + n) * store->stride > store->capacity)
	{
		store->capacity = 2 * (store->n + n) * store->stride;
		store->hashes = realloc(store->hashes,
								store->capacity * sizeof(uint64_t));
	}
	if (n > 0)
		memcpy(store->hashes + store->n * store->stride, hashes,
			   n * store->stride * sizeof(uint64_t));
	store->n += n;
	return RIBBON_OK;
}

static inline RibbonStatus
world_store_seal(RibbonStore *base, uint64_t *nhashes)
{
	MemoryStore *store = (MemoryStore *) base;
	uint64_t conflict[4];
	RibbonStatus status;

	if (world_fails(store->world))
		return store->world->failure;
	status = ribbon_distinct(&ribbon_malloc_env,
							 store->stride == 1		 ? RIBBON_HASHES :
								 store->world->exact ? RIBBON_EXACT_RECORDS :
													   RIBBON_MAP_RECORDS,
							 store->hashes, &store->n, conflict);
	*nhashes = store->n;
	return status;
}

static inline RibbonStatus
world_store_read(RibbonStore *base, uint64_t first, uint64_t last,
				 uint64_t *hashes, size_t room, size_t *n)
{
	MemoryStore *store = (MemoryStore *) base;
	size_t nkept = store->n < store->world->lost ?
		0 :
		store->n - store->world->lost;
	size_t begin = 0, end;

	if (world_fails(store->world))
		return store->world->failure;
	for (size_t step = SIZE_MAX / 2 + 1; step > 0; step /= 2)
		if (begin + step <= nkept &&
			store->hashes[(begin + step - 1) * store->stride] < first)
			begin += step;
	for (end = begin; end < nkept && store->hashes[end * store->stride] <= last;
		 end++)
		;
	*n = end - begin;
	if (*n > room + store->world->hidden)
		*n -= store->world->hidden;
	if (*n > 0 && *n <= room)
		memcpy(hashes, store->hashes + begin * store->stride,
			   *n * store->stride * sizeof(uint64_t));
	return RIBBON_OK;
}

static inline void
world_store_close(RibbonStore *base)
{
	MemoryStore *store = (MemoryStore *) base;

	store->world->live--;
	free(store->hashes);
	free(store);
}

static inline RibbonStatus
world_open_store(void *arg, uint64_t nexpected, unsigned words,
				 RibbonStore **store)
{
	World *world = arg;
	MemoryStore *new = calloc(1, sizeof(MemoryStore));

	(void) nexpected;
	new->store.add = world_store_add;
	new->store.seal = world_store_seal;
	new->store.read = world_store_read;
	new->store.close = world_store_close;
	new->world = world;
	new->stride = words;
	world->live++;
	world->nstores++;
	*store = &new->store;
	return RIBBON_OK;
}

/* Each block begins with its size. */
static inline void *
world_alloc(void *arg, size_t size)
{
	World *world = arg;
	size_t *block;

	if (++world->allocations == world->refuse_at)
		return NULL;
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
	world->live--;
	world->used -= block[0];
	free(block);
}

static inline bool
world_interrupted(void *arg)
{
	World *world = arg;

	if (++world->looks == world->interrupt_at)
		atomic_store(&world->stop, true);
	return atomic_load(&world->stop);
}

static inline bool
world_thread_interrupted(void *arg)
{
	World *world = arg;

	return atomic_load(&world->stop);
}

typedef struct WorldRun
{
	RibbonEnv env;
	RibbonTask *task;
	void *task_arg;
	unsigned i;
	RibbonStatus status;
	pthread_t thread;
} WorldRun;

static inline void *
world_run_thread(void *arg)
{
	WorldRun *run = arg;

	run->status = run->task(&run->env, run->task_arg, run->i);
	return NULL;
}

static inline RibbonStatus
world_run_tasks(void *arg, unsigned n, RibbonTask *task, void *task_arg)
{
	World *world = arg;
	WorldRun runs[WORLD_MAX_THREADS];
	RibbonStatus status = RIBBON_OK;

	CHECK(n <= WORLD_MAX_THREADS, "%u", n);
	for (unsigned i = 0; i < n; i++)
	{
		runs[i] = (WorldRun){{.alloc = ribbon_malloc_env.alloc,
							  .free = ribbon_malloc_env.free,
							  .interrupted = world_thread_interrupted,
							  .arg = world},
							 task,
							 task_arg,
							 i,
							 RIBBON_OK,
							 0};
		pthread_create(&runs[i].thread, NULL, world_run_thread, &runs[i]);
		world->tasks++;
	}
	for (unsigned i = 0; i < n; i++)
	{
		pthread_join(runs[i].thread, NULL);
		if (status == RIBBON_OK)
			status = runs[i].status;
	}
	return status;
}

/* A file in memory, for sets (set/file.h). */
typedef struct WorldFile
{
	RibbonFile file;
	World *world;
	jmp_buf *leave; /* where to go when a call fails; NULL: return a status */
	uint64_t *words;
	size_t capacity;
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

	if (world_fails(file->world))
		return world_file_fails(file);
	if (at + n > file->capacity)
	{
		file->capacity = 2 * (size_t) (at + n);
		file->words = realloc(file->words, file->capacity * sizeof(uint64_t));
	}
	memcpy(file->words + at, words, n * sizeof(uint64_t));
	return RIBBON_OK;
}

static inline RibbonStatus
world_file_read(RibbonFile *base, uint32_t source, uint64_t at, uint64_t *words,
				size_t n)
{
	WorldFile *file = (WorldFile *) base;

	if (world_fails(file->world))
		return world_file_fails(file);
	CHECK(source == 0 && at + n <= file->capacity, "read behind the end");
	memcpy(words, file->words + at, n * sizeof(uint64_t));
	return RIBBON_OK;
}

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
}

static inline void
world_file_close(WorldFile *file)
{
	ribbon_file_close(&file->file);
	free(file->words);
}

static inline void
world_report(void *arg, int layer, double share)
{
	World *world = arg;

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
	world->env.open_store = world_open_store;
	world->env.run = nthreads > 1 ? world_run_tasks : NULL;
	world->env.nthreads = nthreads;
	world->env.progress = world_report;
}

#endif /* RIBBON_WORLD_H */
