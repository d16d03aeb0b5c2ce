/*
 * planes.h - filters that no build made: a header, and bytes behind it
 */
#ifndef RIBBON_TEST_PLANES_H
#define RIBBON_TEST_PLANES_H

#include "format/format.h"
#include "format/place.h"
#include "built.h"

/* A filter with this header, and zeros behind it. */
static inline Built
planes_create(RibbonPlane *plane)
{
	Built made = {RIBBON_OK, NULL, 0, {0}};
	uint8_t header[RIBBON_MAX_HEADER];
	size_t nheader = ribbon_format_encode(plane, 1, header);

	plane->at = ribbon_format_encode_head(plane, 1, NULL, NULL, header);
	plane->header_bytes = nheader - (size_t) plane->at;
	ribbon_place_systems(plane);
	made.nbytes = (size_t) (plane->at + plane->total_bytes);
	made.bytes = calloc(1, made.nbytes);
	CHECK(made.bytes != NULL, "no memory");
	memcpy(made.bytes, header, nheader);
	built_open(&made);
	CHECK(made.status == RIBBON_OK, "open");
	return made;
}

#endif /* RIBBON_TEST_PLANES_H */
