/*
 * kernel_popcnt.c - the inner loops in plain C, for an x86-64 that can count
 * bits
 *
 * All the loops need of a word is its parity.  That is one instruction and a
 * mask here, and half a dozen instructions on the first of the x86-64, which
 * compilers target by default.
 */
#if defined(__x86_64__)

#include "format/icml.h"
#include "probe/kernel.h"

#define KERNEL_TARGET __attribute__((target("popcnt")))

#define RIBBON_BITS 32
#include "probe/columns_template.h"
#define RIBBON_BITS 64
#include "probe/columns_template.h"
#define RIBBON_BITS 128
#include "probe/columns_template.h"

#include "probe/kernel_scalar.h"

const RibbonKernel ribbon_kernel_popcnt = {
	"popcnt",
	{&probe32_loops, &probe64_loops, &probe128_loops},
	{backsubst32_loop, backsubst64_loop, backsubst128_loop},
	ribbon_sweep_block,
};

#endif
