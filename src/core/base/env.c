/*
 * env.c - memory in large blocks, and the RibbonEnv of malloc and free
 */
#define _DEFAULT_SOURCE /* madvise */

#include "base/env.h"

#include "base/bits.h"

#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

static void *
env_malloc(void *arg, size_t size)
{
	(void) arg;
	return malloc(size);
}

static void
env_free(void *arg, void *p)
{
	(void) arg;
	free(p);
}

const RibbonEnv ribbon_malloc_env = {.alloc = env_malloc, .free = env_free};

#define HUGE_PAGE ((size_t) 2 << 20) /* of x86-64 and most of aarch64 */

/*
 * Advice to use huge pages belongs to addresses, not to a block, and cannot be
 * taken back.  So it is given only for blocks that are probably a mapping of
 * their own, which ends when they are freed: glibc maps each block of 32 MB or
 * more by itself, however it has been tuned.  Where another malloc does not,
 * later blocks get huge pages, too.  From 4 MB on, the pages that are there
 * become huge ones at once, without advice that stays, where Linux can do that
 * (6.1).  That is worth 6 % of a build of 10^6 keys.
 */
#define MAPPED ((size_t) 32 << 20)

#if defined(MADV_HUGEPAGE) && !defined(MADV_COLLAPSE)
#define MADV_COLLAPSE 25
#endif

void *
ribbon_alloc(const RibbonEnv *env, uint64_t wanted)
{
	size_t size = wanted > 0 ? (size_t) wanted : 1;
	void *p = wanted <= SIZE_MAX ? env->alloc(env->arg, size) : NULL;

#if defined(MADV_HUGEPAGE)
	/* the huge pages that lie within the block; a failure changes nothing */
	if (p != NULL && size >= 2 * HUGE_PAGE)
	{
		uintptr_t first = ((uintptr_t) p + HUGE_PAGE - 1) / HUGE_PAGE;
		uintptr_t end = ((uintptr_t) p + size) / HUGE_PAGE;

		(void) madvise((void *) (first * HUGE_PAGE),
					   (size_t) (end - first) * HUGE_PAGE,
					   size >= MAPPED ? MADV_HUGEPAGE : MADV_COLLAPSE);
	}
#endif
	return p;
}

void *
ribbon_alloc_array(const RibbonEnv *env, uint64_t n, size_t size)
{
	return n <= SIZE_MAX / size ? ribbon_alloc(env, n * size) : NULL;
}

void *
ribbon_resize(const RibbonEnv *env, void *p, size_t used, uint64_t size)
{
	void *resized;

	if (p != NULL && env->resize != NULL)
		return size <= SIZE_MAX ? env->resize(env->arg, p, (size_t) size) :
								  NULL;
	resized = ribbon_alloc(env, size);
	if (resized != NULL && used > 0)
		memcpy(resized, p, used);
	if (resized != NULL)
		ribbon_free(env, p);
	return resized;
}

RibbonStatus
ribbon_touch(const RibbonEnv *env, void *p, size_t size)
{
	for (size_t at = 0; at < size; at += HUGE_PAGE)
	{
		((volatile uint8_t *) p)[at] = 0;
		if (at % RIBBON_INTERRUPT_BYTES == 0 && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

RibbonStatus
ribbon_copy(const RibbonEnv *env, void *to, const void *from, size_t size)
{
	for (size_t at = 0, step; at < size; at += step)
	{
		step = (size_t) ribbon_min64(size - at, RIBBON_INTERRUPT_BYTES);
		if (from != NULL)
			memmove((uint8_t *) to + at, (const uint8_t *) from + at, step);
		else
			memset((uint8_t *) to + at, 0, step);
		if (ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}
