/*
 * kernel_table.h - the functions of a kernel, and its table
 *
 * Each kernel_*.c includes this file at its end.  Before, it defines functions
 * probe<w>_columns for w = 32, 64 and 128 (probes.h), and what tells it from
 * the others.  (That of clients/js has another target for each width.  So it
 * includes these parts by itself.)
 *
 *----------
 *                   portable popcnt AVX2      AVX-512      NEON clients/js
 *  KERNEL_TARGET             popcnt avx2, ... avx512f, ...      by width
 *  KERNEL_SIZE      SMALL    SMALL  FULL      FULL         FULL LEAST
 *  CACHED_BYTES     2 MB     1 MB   2 MB      8 MB         2 MB all
 *  LANES                            4         8
 *  KERNEL_CUTS_ROWS                 yes
 *  KERNEL_ENDS                                yes
 *----------
 *
 *	 KERNEL_TARGET		the target attribute of its functions
 *	 KERNEL_PROBES		the name of its table
 *	 KERNEL_SIZE		FULL: functions for all shapes.  SMALL, for CPUs that
 *						few machines have: for any number of columns, with or
 *						without check bits, and for filters of at most eight
 *						columns.  LEAST: with check bits
 *	 CACHED_BYTES		see RibbonProbes
 *	 LANES				hashes that batches compute with at once; without
 *						vectors of words there are no batches
 *	 KERNEL_CUTS_ROWS	it has its own batch_put_row and batch_eight_columns,
 *						which kernel_batch.h defines else
 *	 KERNEL_ENDS		it has end64_eight (at_template.h)
 */
#ifndef RIBBON_KERNEL_TABLE_H
#define RIBBON_KERNEL_TABLE_H

#include "probe/kernel_slots.h"

#define RIBBON_TEMPLATE "probe/at_template.h"
#include "base/widths_template.h"

#include "probe/kernel_column.h"
#include "probe/kernel_layers.h"

#define RIBBON_TEMPLATE "probe/kernel_template.h"
#include "base/widths_template.h"

const RibbonProbes *const KERNEL_PROBES[3] = {&probes32_table, &probes64_table,
											  &probes128_table};

#endif /* RIBBON_KERNEL_TABLE_H */
