/*
 * kernel_functions.h - make one function of a kernel for one variant
 *
 * FIND defines a function <kind><w>_<step>_<shape>, and AT <kind><w>_at.  No
 * search finds these names: FIND(64, burr, first, UP_TO_8, find_first) is
 * burr64_first_UP_TO_8 in a debugger or a profile.
 *
 *	 kind	 what a plane is: burr, homog or map; if it is no map, code is NULL
 *			 from here on
 *	 w		 its ribbon width
 *	 step	 what is done: a member of RibbonPlaneProbes (probes.h)
 *	 shape	 a RibbonShape without its prefix (variant.h)
 *
 * The kernel of the JavaScript package (clients/js/src/kernel.c) includes this,
 * too.
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
#define VARIANT(w, kind, its_shape, steps) \
	{ \
		.width = w, .shape = RIBBON_##its_shape, \
		.homogeneous = IS_HOMOGENEOUS_##kind, .is_map = IS_MAP_##kind, \
		.in_steps = steps \
	}

/* A RibbonFindAt, for any shape. */
#define AT(w, kind) \
	static KERNEL_TARGET bool kind##w##_at(const RibbonSystem *system, \
										   uint64_t hash, uint64_t start, \
										   uint64_t *code) \
	{ \
		const RibbonVariant v = VARIANT(w, kind, ANY, false); \
\
		return find_at(system, hash, start, v, code); \
	}

/* A RibbonFind: function is a step of kernel_layers.h. */
#define FIND(w, kind, step, shape, function) \
	static KERNEL_TARGET bool \
		kind##w##_##step##_##shape(const RibbonPlane *plane, uint64_t hash, \
								   uint64_t *code) \
	{ \
		const RibbonVariant v = VARIANT(w, kind, shape, false); \
\
		return function(plane, hash, v, IS_MAP_##kind ? code : NULL); \
	}

#endif /* RIBBON_KERNEL_FUNCTIONS_H */
