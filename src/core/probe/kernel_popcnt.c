/*
 * kernel_popcnt.c - the inner loops in plain C, for an x86-64 that can count
 * bits
 *
 * All the loops need of a word is its parity.  That is one instruction and a
 * mask here, and half a dozen instructions on the first of the x86-64, which
 * compilers target by default.
 */
#if defined(__x86_64__)

#include "probe/probes.h"

#define KERNEL_SIZE	  KERNEL_SMALL
#define KERNEL_TARGET RIBBON_TARGET("popcnt")
#define CACHED_BYTES  (UINT64_C(1) << 20)
#define KERNEL_PROBES ribbon_probes_popcnt

#define RIBBON_TEMPLATE "probe/columns_template.h"
#include "base/widths_template.h"

#include "probe/kernel_table.h"

#endif
