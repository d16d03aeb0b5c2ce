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
 * and, where it is so,
 *
 *	 KERNEL_SMALL		 for CPUs that few machines have: fewer functions do
 *						 for more variants (kernel_template.h)
 *	 KERNEL_LEAST		 and KERNEL_SMALL: no batches either
 *	 KERNEL_ENDS		 it has end64_eight (at_template.h)
 *	 LANES, ...			 it has vectors: what kernel_lanes.h defines else
 *	 KERNEL_CUTS_ROWS	 and its own batch_put_row, batch_eight_columns, which
 *						 kernel_batch.h defines else
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
