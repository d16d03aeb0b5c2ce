/*
 * sweep_vector.c - the steps of a sweep, for AVX2 and NEON
 */
#include "solve/sweep_planes.h"

#ifdef RIBBON_VECTOR_BYTES

#define ADVANCE(width) \
	RIBBON_VECTOR_TARGET bool \
		ribbon_sweep##width##_advance(RibbonSweep *sweep) \
	{ \
		return planes_advance(sweep, width); \
	}

ADVANCE(32)
ADVANCE(64)
ADVANCE(128)

#endif
