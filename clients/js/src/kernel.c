/*
 * kernel.c - the core's inner loops for WebAssembly
 *
 * It has an instruction that counts bits, as POPCNT does, and each module is to
 * be small: so there is one kernel, and of its variants only those that know
 * the ribbon width.  Keys are probed one by one, for there is no instruction to
 * load ahead.
 */
#define COLUMN_INLINE static __attribute__((noinline, unused, minsize))

#include "base/kernel.h"
#include "probe/find.h"
#include "probe/locate.h"
#include "probe/probes.h"

/* templates make functions for tables that have no place for them here */
#pragma clang diagnostic ignored "-Wunused-function"
#pragma clang diagnostic ignored "-Wunused-const-variable"

#define CACHED_BYTES UINT64_MAX

/* w = 64 is what filters have, but for a few; the others may be slower */
#define KERNEL_TARGET
#define RIBBON_BITS 64
#include "probe/columns_template.h"
#define RIBBON_BITS 64
#include "probe/probe_template.h"

#undef KERNEL_TARGET
#define KERNEL_TARGET __attribute__((minsize))
#define RIBBON_BITS	  32
#include "probe/columns_template.h"
#define RIBBON_BITS 32
#include "probe/probe_template.h"
#define RIBBON_BITS 128
#include "probe/columns_template.h"
#define RIBBON_BITS 128
#include "probe/probe_template.h"

#define FOUR(function)	function, function, function, function
#define SEVEN(function) FOUR(function), function, function, function

#define PROBES(width) \
	{ \
		.system = find##width##_system, \
		.burr = {.first = {FOUR(burr##width##_first_ANY)}, \
				 .bumped = burr##width##_bumped, \
				 .last = {FOUR(burr##width##_last_ANY)}}, \
		.homogeneous = {.first = {FOUR(homog##width##_first_ANY)}}, \
		.map = {.first = {SEVEN(map##width##_first_ANY), column_get}, \
				.bumped = map##width##_bumped, \
				.last = {SEVEN(map##width##_last_ANY), column_last}}, \
	}

const RibbonProbes *
ribbon_probes(unsigned width)
{
	static const RibbonProbes probes[3] = {PROBES(32), PROBES(64), PROBES(128)};

	return &probes[ribbon_width_index(width)];
}

RibbonKernel
ribbon_kernel(void)
{
	return RIBBON_KERNEL_PORTABLE;
}
