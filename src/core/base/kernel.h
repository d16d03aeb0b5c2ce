/*
 * kernel.h - the versions of the inner loops, and which one this CPU is to use
 *
 * Probing and back substitution do the same few operations on every column of
 * a block, and banding on every equation of a bucket, which vector instructions
 * do for several of them at once.  A kernel is a set of such loops for one
 * instruction set.  The portable one is plain C, is always there, and says what
 * is right; the others must give the same answers and the same bytes, and tests
 * compare them.  The loops themselves are in tables by kernel: those that solve
 * in solve/solver.h, those that probe in probe/probes.h.
 *
 * The best kernel that the CPU supports is chosen at the first use.  Target
 * attributes on the functions, rather than compiler flags for their file, keep
 * vector instructions out of everything else.
 */
#ifndef RIBBON_KERNEL_H
#define RIBBON_KERNEL_H

#include <stdbool.h>

/* In ascending order of preference. */
typedef enum RibbonKernel
{
	RIBBON_KERNEL_PORTABLE,
	RIBBON_KERNEL_POPCNT, /* x86-64 with POPCNT */
	RIBBON_KERNEL_AVX2,	  /* with AVX2, BMI1 and BMI2 as well */
	RIBBON_KERNEL_AVX512, /* with AVX-512 F, DQ, CD, BW, VL, VBMI, VBMI2,
						   * VPOPCNTDQ and GFNI as well */
	RIBBON_KERNEL_NEON,	  /* little-endian aarch64 */
	RIBBON_NKERNELS
} RibbonKernel;

/* The kernel in use. */
extern RibbonKernel ribbon_kernel(void);

/* Can this machine run it? */
extern bool ribbon_kernel_is_there(RibbonKernel kernel);

/* The next kernel from this one on that is there; RIBBON_NKERNELS at the end. */
static inline RibbonKernel
ribbon_kernel_from(RibbonKernel kernel)
{
	while (kernel < RIBBON_NKERNELS && !ribbon_kernel_is_there(kernel))
		kernel = (RibbonKernel) (kernel + 1);
	return kernel;
}

#define RIBBON_FOR_EACH_KERNEL(k) \
	for (RibbonKernel k = RIBBON_KERNEL_PORTABLE; k < RIBBON_NKERNELS; \
		 k = ribbon_kernel_from((RibbonKernel) (k + 1)))

/*
 * Use a certain kernel from now on, in builds that begin and filters that are
 * opened later: for tests and benchmarks.  It must be there.
 */
extern void ribbon_kernel_use(RibbonKernel kernel);

extern const char *ribbon_kernel_name(RibbonKernel kernel);

#endif /* RIBBON_KERNEL_H */
