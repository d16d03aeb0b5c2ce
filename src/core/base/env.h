/*
 * env.h - memory, interrupts and threads, as the caller provides them
 */
#ifndef RIBBON_ENV_H
#define RIBBON_ENV_H

#include "ribbon_core.h"

#include <string.h>

/*
 * Keys between two calls of RibbonEnv.interrupted: well under a millisecond of
 * work.  Loops that do very little for each key take 16 times as many.
 */
#define RIBBON_INTERRUPT_KEYS 4096

/* Bytes between two calls while memory is only copied or cleared. */
#define RIBBON_INTERRUPT_BYTES ((size_t) 4 << 20)

/*
 * Memory of size bytes (not zeroed; 0 counts as 1), or NULL.  ribbon_free frees
 * it.  Large blocks are read at random or in several streams, so for those of
 * 4 MB and more the system is asked to use huge pages (env.c).
 *
 * Sizes are computed in 64 bits.  Where size_t has fewer, a size that does not
 * fit it gives NULL here.  So a part of allocated memory always fits size_t,
 * and is converted without a check.
 */
extern void *ribbon_alloc(const RibbonEnv *env, uint64_t size);

/* The same for n elements of size bytes each; size > 0. */
extern void *ribbon_alloc_array(const RibbonEnv *env, uint64_t n, size_t size);

/*
 * The same memory with another size, maybe elsewhere; of what it has, the first
 * used bytes are wanted.  p may be NULL.  NULL: p is as it was.
 */
extern void *ribbon_resize(const RibbonEnv *env, void *p, size_t used,
						   uint64_t size);

/*
 * Write a zero byte to each huge page of new memory, so that the system clears
 * them all now.  Otherwise it clears a page when it is first written to, and a
 * loop that writes to all of them between two calls of RibbonEnv.interrupted
 * would wait that long.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_touch(const RibbonEnv *env, void *p, size_t size);

/* Zeroed memory, or NULL; for small sizes, since it is not interrupted. */
static inline void *
ribbon_alloc_zeroed(const RibbonEnv *env, uint64_t size)
{
	void *p = ribbon_alloc(env, size);

	if (p != NULL)
		memset(p, 0, (size_t) size);
	return p;
}

/* p is from the functions above, or NULL. */
static inline void
ribbon_free(const RibbonEnv *env, void *p)
{
	if (p != NULL)
		env->free(env->arg, p);
}

/* Is the call to stop? */
static inline bool
ribbon_interrupted(const RibbonEnv *env)
{
	return env->interrupted != NULL && env->interrupted(env->arg);
}

/* ribbon_interrupted in a loop that does little for each i: at some of them. */
static inline bool
ribbon_interrupted_at(const RibbonEnv *env, uint64_t i)
{
	return i % (16 * RIBBON_INTERRUPT_KEYS) == 16 * RIBBON_INTERRUPT_KEYS - 1 &&
		ribbon_interrupted(env);
}

/* The number of tasks that it is worth dividing some work into. */
static inline unsigned
ribbon_tasks_at_once(const RibbonEnv *env)
{
	return env->run != NULL && env->nthreads > 1 ? env->nthreads : 1;
}

/* Call task(env, arg, i) for all i below n: by env->run, if it is worth it. */
static inline RibbonStatus
ribbon_tasks_run(const RibbonEnv *env, unsigned n, RibbonTask *task, void *arg)
{
	RibbonStatus status = RIBBON_OK;

	if (n > 1 && env->run != NULL)
		return env->run(env->arg, n, task, arg);
	for (unsigned i = 0; i < n && status == RIBBON_OK; i++)
		status = task(env, arg, i);
	return status;
}

/*
 * Copy size bytes of large memory, which may overlap if to is below from; or
 * clear them, if from is NULL.  Errors: RIBBON_INTERRUPTED, with a part done.
 */
extern RibbonStatus ribbon_copy(const RibbonEnv *env, void *to,
								const void *from, size_t size);

static inline RibbonStatus
ribbon_zero(const RibbonEnv *env, void *p, size_t size)
{
	return ribbon_copy(env, p, NULL, size);
}

#endif /* RIBBON_ENV_H */
