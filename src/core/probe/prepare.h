/*
 * prepare.h - choose the functions that probe a plane
 *
 * For a plane whose header has been decoded.  They are set by the kernel in
 * use; nothing is allocated, and nothing can fail.
 */
#ifndef RIBBON_PREPARE_H
#define RIBBON_PREPARE_H

#include "format/plane.h"

/*
 * Set find, batch and least_batch.  is_map: the plane is one of a map, or has
 * value bits.
 */
extern void ribbon_prepare(RibbonPlane *plane, bool is_map);

#endif /* RIBBON_PREPARE_H */
