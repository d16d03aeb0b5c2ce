/*
 * kernel_functions.h - make one function of a kernel for one variant
 *
 * AT and FIND define functions named <sort><w>_<step>_<shape>, which no search
 * finds: FIND(64, burr, first, UP_TO_8, find_first) is burr64_first_UP_TO_8 in
 * a debugger or a profile.  sort is burr, homog or map, and says what a plane
 * is; in a plane that is no map, code is NULL from here on.  The kernel of the
 * JavaScript package (clients/js/src/kernel.c) includes this, too.
 */
#ifndef RIBBON_KERNEL_FUNCTIONS_H
#define RIBBON_KERNEL_FUNCTIONS_H

#include "probe/kernel_layers.h"

#define IS_MAP_burr			 false
#define IS_MAP_homog		 false
#define IS_MAP_map			 true
#define IS_HOMOGENEOUS_burr	 false
#define IS_HOMOGENEOUS_homog true
#define IS_HOMOGENEOUS_map	 false

/* The RibbonVariant that a function passes; steps are its in_steps. */
#define VARIANT(w, sort, columns, steps) \
	{ \
		.width = w, .shape = RIBBON_##columns, \
		.homogeneous = IS_HOMOGENEOUS_##sort, .is_map = IS_MAP_##sort, \
		.in_steps = steps \
	}

/* A RibbonFindAt, for any shape. */
#define AT(w, sort) \
	static KERNEL_TARGET bool sort##w##_at(const RibbonSystem *system, \
										   uint64_t hash, uint64_t start, \
										   uint64_t *code) \
	{ \
		const RibbonVariant v = VARIANT(w, sort, ANY, false); \
\
		return find_at(system, hash, start, v, code); \
	}

/* A RibbonFind: function is a step of kernel_layers.h. */
#define FIND(w, sort, step, shape, function) \
	static KERNEL_TARGET bool \
		sort##w##_##step##_##shape(const RibbonPlane *plane, uint64_t hash, \
								   uint64_t *code) \
	{ \
		const RibbonVariant v = VARIANT(w, sort, shape, false); \
\
		return function(plane, hash, v, IS_MAP_##sort ? code : NULL); \
	}

#endif /* RIBBON_KERNEL_FUNCTIONS_H */
