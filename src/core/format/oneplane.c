/*
 * oneplane.c - a filter of one plane, whose bytes are all in one buffer
 */
#include "format/oneplane.h"

#include "base/alloc.h"
#include "format/format.h"
#include "format/icml.h"
#include "format/place.h"

RibbonStatus
ribbon_oneplane_create(const RibbonEnv *env, RibbonPlane *plane,
					   size_t headroom, uint8_t **buffer)
{
	uint8_t header[RIBBON_MAX_HEADER];
	size_t size = ribbon_format_encode(plane, header);
	RibbonStatus status;

	plane->at = ribbon_format_encode_head(plane, NULL, NULL, header);
	plane->header_bytes = size - (size_t) plane->at;
	ribbon_place_systems(plane);

	*buffer = ribbon_alloc(env, headroom + plane->at + plane->total_bytes);
	if (*buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	memcpy(*buffer + headroom, header, size);
	ribbon_place_bytes(plane, *buffer + headroom + plane->at);
	status = ribbon_zero(env, *buffer + headroom + size,
						 plane->total_bytes - plane->header_bytes);
	if (status != RIBBON_OK)
		ribbon_free(env, *buffer);
	return status;
}

RibbonStatus
ribbon_oneplane_keep_bits(const RibbonEnv *env, RibbonPlane *plane,
						  RibbonResultBits result_bits)
{
	RibbonSystem solved = plane->systems[0];
	const uint8_t *bytes = plane->bytes;

	/* the header's size stays, so slots begin where they did */
	ribbon_plane_set_check(plane, result_bits);
	ribbon_place_systems(plane);
	ribbon_place_bytes(plane, bytes);
	return ribbon_icml_keep_columns(env, &solved, &plane->systems[0]);
}
