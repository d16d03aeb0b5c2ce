/*
 * kernel.h - the inner loops that have a version per instruction set
 *
 * Probing and back substitution do the same few operations on every column of a
 * block, and banding on every equation of a bucket, which vector instructions
 * do for several of them at once.  A kernel is a set of such loops.  The portable one is plain C, is always
 * there, and says what is right; the others must give the same answers and
 * the same bytes, and tests compare them.
 *
 * The best kernel that the CPU supports is chosen at the first use.  Target
 * attributes on the functions, rather than compiler flags for their file, keep
 * vector instructions out of everything else.
 */
#ifndef RIBBON_KERNEL_H
#define RIBBON_KERNEL_H

#include "solve/backsubst.h"
#include "probe/query.h"
#include "solve/sweep_step.h"

/* As ribbon_backsubst. */
typedef RibbonStatus (*RibbonSolveLoop)(const RibbonEnv *env,
										RibbonBacksubst *run);

/* Loops for w = 32, 64 and 128. */
typedef struct RibbonKernel
{
	const char *name;
	const RibbonProbes *probes[3];
	RibbonSolveLoop solve[3];
	RibbonSweepBlock *sweep; /* of any width */
} RibbonKernel;

/* The index of a width in a kernel's arrays. */
static inline unsigned
ribbon_kernel_index(unsigned width)
{
	return width >> 6;
}

/* The kernel in use. */
extern const RibbonKernel *ribbon_kernel(void);

/*
 * The kernels this CPU supports, best first, the portable one last, ended by
 * NULL; and the use of a certain one of them from now on, by all filters that
 * are opened later, for tests and benchmarks.
 */
extern const RibbonKernel *const *ribbon_kernel_list(void);
extern void ribbon_kernel_use(const RibbonKernel *kernel);

/* The kernels there are. */
extern const RibbonKernel ribbon_kernel_portable;
#if defined(__x86_64__)
extern const RibbonKernel ribbon_kernel_popcnt;
extern const RibbonKernel ribbon_kernel_avx2;
extern const RibbonKernel ribbon_kernel_avx512;
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
extern const RibbonKernel ribbon_kernel_neon;
#endif

#endif /* RIBBON_KERNEL_H */
