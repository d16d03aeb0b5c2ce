/*
 * kernel.h - the versions of the inner loops, and which one this CPU is to use
 *
 * Probing and back substitution do the same few operations for each column of a
 * block, and banding does them for each equation of a bucket.  Vector
 * instructions do several columns or equations at once.  A kernel is a set of
 * such loops for one instruction set.  The portable kernel is plain C, runs on
 * each machine, and defines what is right: the others must give the same
 * answers and the same bytes, and tests compare them.  The loops are in tables
 * by kernel: those that solve in solve/solver.h, those that probe in
 * probe/probes.h.
 *
 * The best kernel that the CPU supports is chosen at the first use.  Functions
 * have target attributes, so that no other code of the same file is compiled to
 * vector instructions.
 *
 * For tests, the environment variable RIBBON_CPU makes a machine a lesser one:
 * it names a kernel, and those above it are as if the CPU could run none of
 * them.  Any other value changes nothing.  What is in use is chosen once.
 */
#ifndef RIBBON_KERNEL_H
#define RIBBON_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A file with a kernel's functions defines KERNEL_TARGET, their target
 * attribute, which is empty for plain C.  Those of RIBBON_KERNEL_AVX2 and
 * RIBBON_KERNEL_AVX512 have these features, and more where they need more.
 */
#define KERNEL_INLINE static KERNEL_TARGET inline __attribute__((always_inline))

#define RIBBON_TARGET(features) __attribute__((target(features)))
#define RIBBON_AVX2				"avx2,bmi2,popcnt"
#define RIBBON_AVX512 \
	"avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi2,avx512vpopcntdq,popcnt,bmi2"

/* Big-endian machines have no kernel with vectors. */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define RIBBON_NEON
#endif

/* In ascending order of preference. */
typedef enum RibbonKernel
{
	RIBBON_KERNEL_PORTABLE,
	RIBBON_KERNEL_POPCNT, /* x86-64 with POPCNT */
	RIBBON_KERNEL_AVX2,	  /* with AVX2, BMI1 and BMI2 as well */
	RIBBON_KERNEL_AVX512, /* with AVX-512 F, DQ, BW, VL, VBMI, VBMI2,
						   * VPOPCNTDQ and GFNI as well */
	RIBBON_KERNEL_NEON,	  /* where RIBBON_NEON is defined */
	RIBBON_NKERNELS
} RibbonKernel;

/* The kernel in use; any thread may ask. */
extern RibbonKernel ribbon_kernel(void);

/*
 * For tests and benchmarks: can this machine run the kernel, and does
 * RIBBON_CPU allow it?  If so, use it in all builds that begin and filters that
 * are opened from now on.
 */
extern bool ribbon_kernel_is_there(RibbonKernel kernel);
extern void ribbon_kernel_use(RibbonKernel kernel);

#if defined(__x86_64__)
/*
 * The best kernel of a CPU, of which these are known: ECX of CPUID's leaf 1,
 * XCR0, and EBX and ECX of leaf 7.
 */
#define RIBBON_CPU_WORDS 4

extern RibbonKernel ribbon_kernel_of_cpu(const uint32_t cpu[RIBBON_CPU_WORDS]);
#endif

/* "portable", "popcnt", "avx2", "avx512" or "neon". */
extern const char *ribbon_kernel_name(RibbonKernel kernel);

#endif /* RIBBON_KERNEL_H */
