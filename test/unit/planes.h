/*
 * planes.h - filters that nobody has built: a header, and bytes behind it
 */
#ifndef RIBBON_TEST_PLANES_H
#define RIBBON_TEST_PLANES_H

#include "format/oneplane.h"
#include "testing.h"

/* A filter with this header, and zeros behind it. */
static inline Built
planes_create(RibbonPlane *plane)
{
	Built made = {RIBBON_OK, NULL, 0, {0}};

	CHECK(ribbon_oneplane_create(&ribbon_malloc_env, plane, 0, &made.bytes) ==
			  RIBBON_OK,
		  "create");
	made.nbytes = (size_t) (plane->at + plane->total_bytes);
	built_open(&made);
	CHECK(made.status == RIBBON_OK, "open");
	return made;
}

#endif /* RIBBON_TEST_PLANES_H */
