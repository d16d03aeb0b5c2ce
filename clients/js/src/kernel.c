/*
 * kernel.c - the core's inner loops for WebAssembly
 *
 * It has an instruction that counts bits, as POPCNT does, and each module is to
 * be small: so there is one kernel, and of its variants only those that know
 * the ribbon width.  Keys are probed one by one, for there is no instruction to
 * load ahead.
 */
#include "base/kernel.h"
#include "format/icml.h"
#include "probe/probes.h"

/* w = 64 is what filters have, but for a few; the others may be slower */
#define FAST
#define SMALL __attribute__((minsize))

#define KERNEL_SIZE	 KERNEL_LEAST
#define CACHED_BYTES UINT64_MAX

#define TARGET32  SMALL
#define TARGET64  FAST
#define TARGET128 SMALL
#define BY_WIDTH  RIBBON_GLUE(TARGET, RIBBON_BITS, )

#define KERNEL_TARGET	BY_WIDTH
#define RIBBON_TEMPLATE "probe/columns_template.h"
#include "base/widths_template.h"

#undef KERNEL_TARGET
#define KERNEL_TARGET FAST
#include "probe/kernel_column.h"
#include "probe/kernel_slots.h"
#undef KERNEL_TARGET
#define KERNEL_TARGET	BY_WIDTH
#define RIBBON_TEMPLATE "probe/at_template.h"
#include "base/widths_template.h"

#undef KERNEL_TARGET
#define KERNEL_TARGET FAST
#include "probe/kernel_layers.h"
#undef KERNEL_TARGET
#define KERNEL_TARGET	BY_WIDTH
#define RIBBON_TEMPLATE "probe/kernel_template.h"
#include "base/widths_template.h"

const RibbonProbes *
ribbon_probes(unsigned width)
{
	return width == 32 ? &probes32_table :
		width == 64	   ? &probes64_table :
						 &probes128_table;
}

RibbonKernel
ribbon_kernel(void)
{
	return RIBBON_KERNEL_PORTABLE;
}
