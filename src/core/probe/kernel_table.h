/*
 * kernel_table.h - the functions of a kernel, and its table
 *
 * Each kernel_*.c includes this file at its end.  Before, it defines
 *
 *	 KERNEL_TARGET		 the target attribute of its functions
 *	 CACHED_BYTES		 see RibbonProbes
 *	 KERNEL_PROBES		 the name of its table
 *	 probe<w>_columns	 for w = 32, 64, 128; see probes.h
 *
 * and, if it is for CPUs that few machines have, KERNEL_SMALL: then fewer
 * functions do for more variants (kernel_template.h); or, if it has vectors,
 * what kernel_lanes.h defines else.
 */
#ifndef RIBBON_KERNEL_TABLE_H
#define RIBBON_KERNEL_TABLE_H

#include "probe/kernel_slots.h"

#define RIBBON_TEMPLATE "probe/at_template.h"
#include "base/widths_template.h"

#ifndef LANES
#include "probe/kernel_lanes.h"
#endif
#include "probe/kernel_batch.h"
#include "probe/kernel_column.h"
#include "probe/kernel_layers.h"

#define RIBBON_TEMPLATE "probe/kernel_template.h"
#include "base/widths_template.h"

const RibbonProbes *const KERNEL_PROBES[3] = {&probes32_table, &probes64_table,
											  &probes128_table};

#endif /* RIBBON_KERNEL_TABLE_H */
