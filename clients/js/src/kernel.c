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
#include "format/icml.h"
#include "probe/probes.h"

/* w = 64 is what filters have, but for a few; the others may be slower */
#define FAST
#define SMALL __attribute__((minsize))

#define KERNEL_TARGET FAST
#define RIBBON_BITS	  64
#include "probe/columns_template.h"
#define RIBBON_BITS 64
#include "probe/end_template.h"

#undef KERNEL_TARGET
#define KERNEL_TARGET SMALL
#define RIBBON_BITS	  32
#include "probe/columns_template.h"
#define RIBBON_BITS 32
#include "probe/end_template.h"
#define RIBBON_BITS 128
#include "probe/columns_template.h"
#define RIBBON_BITS 128
#include "probe/end_template.h"

#undef KERNEL_TARGET
#define KERNEL_TARGET FAST
#include "probe/kernel_column.h"
#include "probe/kernel_functions.h"

#define FUNCTIONS(w) \
	AT(w, burr) \
	AT(w, homog) \
	AT(w, map) \
	FIND(w, burr, first, ANY, find_first) \
	FIND(w, burr, bumped, ANY, find_bumped) \
	FIND(w, burr, last, ANY, find_last) \
	FIND(w, homog, first, ANY, find_only) \
	FIND(w, map, first, ANY, find_first) \
	FIND(w, map, bumped, ANY, find_bumped) \
	FIND(w, map, last, ANY, find_last)

FUNCTIONS(64)
#undef KERNEL_TARGET
#define KERNEL_TARGET SMALL
FUNCTIONS(32)
FUNCTIONS(128)

#define FOUR(function)	function, function, function, function
#define SEVEN(function) FOUR(function), function, function, function

#define PROBES(w) \
	{ \
		.burr = {.at = burr##w##_at, \
				 .first = {FOUR(burr##w##_first_ANY)}, \
				 .bumped = burr##w##_bumped_ANY, \
				 .last = {FOUR(burr##w##_last_ANY)}}, \
		.homogeneous = {.at = homog##w##_at, \
						.first = {FOUR(homog##w##_first_ANY)}}, \
		.map = \
			{.at = map##w##_at, \
			 .first = \
				 {SEVEN(map##w##_first_ANY), [RIBBON_COLUMN] = column_first}, \
			 .bumped = map##w##_bumped_ANY, \
			 .last = \
				 {SEVEN(map##w##_last_ANY), [RIBBON_COLUMN] = column_last}}, \
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
