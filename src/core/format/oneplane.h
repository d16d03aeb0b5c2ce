/*
 * oneplane.h - a filter of one plane, whose bytes are all in one buffer
 *
 * Homogeneous filters are built this way, and all filters are shrunk this way.
 * The header of a BuRR filter is known only when it is built, so that needs an
 * output buffer (construct/output.h).
 */
#ifndef RIBBON_ONEPLANE_H
#define RIBBON_ONEPLANE_H

#include "format/plane.h"
#include "format/result_bits.h"

/*
 * Begin the bytes of a filter without values.  plane has all that its header
 * stores.  On RIBBON_OK *buffer, which the caller frees, has headroom bytes
 * that are not set, then the filter's plane->at + plane->total_bytes bytes: the
 * header, and zeros.  Of plane, the geometry of all systems, the sizes and the
 * pointers into the buffer are set.  Errors: RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_oneplane_create(const RibbonEnv *env,
										   RibbonPlane *plane, size_t headroom,
										   uint8_t **buffer);

/*
 * Give a homogeneous filter that was created with more result bits, and has
 * been solved, the result bits result_bits: moves its slots together within the
 * same buffer, and sets its geometry and sizes anew.  The header is still to be
 * encoded.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_oneplane_keep_bits(const RibbonEnv *env,
											  RibbonPlane *plane,
											  RibbonResultBits result_bits);

#endif /* RIBBON_ONEPLANE_H */
