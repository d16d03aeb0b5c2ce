/*
 * alloc.h - memory and interrupts, as the caller provides them
 */
#ifndef RIBBON_ALLOC_H
#define RIBBON_ALLOC_H

#include "ribbon.h"

#include <string.h>

/* Keys between two looks at the interrupt flag: well under a millisecond. */
#define RIBBON_INTERRUPT_KEYS 4096

/* Bytes between two looks while memory is only written through. */
#define RIBBON_INTERRUPT_BYTES ((size_t) 4 << 20)

/*
 * Memory for a workspace, or NULL.  Large ones are walked through in several
 * streams or read at random, so the system is asked to use huge pages for them.
 *
 * Sizes are computed in 64 bits.  Where a size_t has fewer, this is where they
 * are narrowed, and what does not fit is not there to be had; so whatever is a
 * part of memory that was allocated fits without a look.
 */
extern void *ribbon_alloc(const RibbonEnv *env, uint64_t size);

/* The same for n elements of so many bytes each. */
extern void *ribbon_alloc_array(const RibbonEnv *env, uint64_t n, size_t size);

/*
 * Write to each huge page of new memory.  The system clears a page when it is
 * first written to, so to scatter into all of them between two looks for
 * interrupts would take as long as to clear them all.  RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_touch(const RibbonEnv *env, void *p, size_t size);

/* Zeroed memory for something small. */
static inline void *
ribbon_alloc_zeroed(const RibbonEnv *env, uint64_t size)
{
	void *p = ribbon_alloc(env, size);

	if (p != NULL)
		memset(p, 0, (size_t) size);
	return p;
}

static inline void
ribbon_free(const RibbonEnv *env, void *p)
{
	if (p != NULL)
		env->free(env->arg, p);
}

static inline bool
ribbon_interrupted(const RibbonEnv *env)
{
	return env->interrupted != NULL && env->interrupted(env->arg);
}

/* In a loop over keys: is index i one to look for interrupts at? */
static inline bool
ribbon_looks_now(uint64_t i)
{
	return i % (16 * RIBBON_INTERRUPT_KEYS) == 16 * RIBBON_INTERRUPT_KEYS - 1;
}

/*
 * memset to zero, and a copy, of something large; what is copied may overlap
 * with what is on its left.  RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_zero(const RibbonEnv *env, void *p, size_t size);
extern RibbonStatus ribbon_copy(const RibbonEnv *env, void *to,
								const void *from, size_t size);

#endif /* RIBBON_ALLOC_H */
