/*
 * kernel_table.h - the functions of a kernel, for each variant, and its table
 *
 * Each kernel_*.c includes this file at its end.  Before, it defines
 *
 *	 KERNEL_TARGET		 the target attribute of its functions
 *	 CACHED_BYTES		 see RibbonProbes
 *	 KERNEL_PROBES		 the name of its table
 *	 probe<w>_columns	 for w = 32, 64, 128; see probes.h
 *
 * and, if it looks up several hashes of a batch in one vector,
 *
 *	 KERNEL_VECTORS(w)	 is it so for this ribbon width?
 *	 vector_system		 as batch_system, for these widths
 *	 vector_column		 as column_batch
 */
#ifndef RIBBON_KERNEL_TABLE_H
#define RIBBON_KERNEL_TABLE_H

#include "probe/kernel_slots.h"

#define RIBBON_BITS 32
#include "probe/end_template.h"
#define RIBBON_BITS 64
#include "probe/end_template.h"
#define RIBBON_BITS 128
#include "probe/end_template.h"

#include "probe/kernel_batch.h"
#include "probe/kernel_column.h"
#include "probe/kernel_functions.h"

#ifdef KERNEL_VECTORS
#define HAS_VECTORS true
#else
#define HAS_VECTORS		  false
#define KERNEL_VECTORS(w) false
#define vector_system	  batch_system
#define vector_column	  column_batch
#endif

/* A RibbonFindBatch, as FIND of kernel_functions.h. */
#define BATCH(w, kind, step, shape, steps) \
	static KERNEL_TARGET void \
		kind##w##_##step##_##shape(const RibbonPlane *plane, \
								   const RibbonSystem *system, \
								   RibbonBatch *batch) \
	{ \
		const RibbonVariant v = VARIANT(w, kind, shape, steps); \
\
		if (KERNEL_VECTORS(w) && !steps) \
			vector_system(plane, system, batch, v); \
		else \
			batch_system(plane, system, batch, v); \
	}

/* All of a shape: of planes with layers, and of homogeneous filters. */
#define LAYERED(w, kind, shape) \
	FIND(w, kind, first, shape, find_first) \
	FIND(w, kind, last, shape, find_last) \
	BATCH(w, kind, batch, shape, false)
#define SINGLE(w, kind, shape) \
	FIND(w, kind, first, shape, find_only) \
	BATCH(w, kind, batch, shape, false)

/* Do something for each shape, in the order of RibbonShape. */
#define CHECKED(of, w, kind) \
	of(w, kind, UNIFORM_8) of(w, kind, UP_TO_8) of(w, kind, UP_TO_16) \
		of(w, kind, ANY)
#define UNCHECKED(of, w, kind) \
	of(w, kind, UNCHECKED_8) of(w, kind, UNCHECKED_16) \
		of(w, kind, UNCHECKED_ANY)

/* Bumped keys are few: any shape will do. */
#define FUNCTIONS(w) \
	AT(w, burr) \
	AT(w, homog) \
	AT(w, map) \
	CHECKED(LAYERED, w, burr) \
	FIND(w, burr, bumped, ANY, find_bumped) \
	BATCH(w, burr, batch_in_steps, ANY, true) \
	CHECKED(SINGLE, w, homog) \
	BATCH(w, homog, batch_in_steps, ANY, true) \
	CHECKED(LAYERED, w, map) \
	UNCHECKED(LAYERED, w, map) \
	FIND(w, map, bumped, ANY, find_bumped)

#define FIRST(w, kind, shape)	kind##w##_first_##shape,
#define LAST(w, kind, shape)	kind##w##_last_##shape,
#define BATCHES(w, kind, shape) kind##w##_batch_##shape,

#define PROBES(w) \
	{ \
		.burr = {.at = burr##w##_at, \
				 .first = {CHECKED(FIRST, w, burr)}, \
				 .bumped = burr##w##_bumped_ANY, \
				 .last = {CHECKED(LAST, w, burr)}, \
				 .batch = {CHECKED(BATCHES, w, burr)}, \
				 .batch_in_steps = burr##w##_batch_in_steps_ANY}, \
		.homogeneous = {.at = homog##w##_at, \
						.first = {CHECKED(FIRST, w, homog)}, \
						.batch = {CHECKED(BATCHES, w, homog)}, \
						.batch_in_steps = homog##w##_batch_in_steps_ANY}, \
		.map = {.at = map##w##_at, \
				.first = {CHECKED(FIRST, w, map) UNCHECKED(FIRST, w, map) \
							  column_first}, \
				.bumped = map##w##_bumped_ANY, \
				.last = {CHECKED(LAST, w, map) UNCHECKED(LAST, w, map) \
							 column_last}, \
				.batch = {CHECKED(BATCHES, w, map) UNCHECKED(BATCHES, w, map) \
							  vector_column}}, \
		.has_vectors = KERNEL_VECTORS(w), .column_vectors = HAS_VECTORS, \
		.cached_bytes = CACHED_BYTES, \
	}

FUNCTIONS(32)
FUNCTIONS(64)
FUNCTIONS(128)

const RibbonProbes KERNEL_PROBES[3] = {PROBES(32), PROBES(64), PROBES(128)};

#endif /* RIBBON_KERNEL_TABLE_H */
