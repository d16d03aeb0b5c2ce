/*
 * prepare.h - choose the functions that probe a plane
 *
 * For a plane whose header has been decoded.  They are set by the kernel in
 * use; nothing is allocated, and nothing can fail.
 */
#ifndef RIBBON_PREPARE_H
#define RIBBON_PREPARE_H

#include "format/plane.h"

/* Of a filter: its contains, batch and least_batch. */
extern void ribbon_prepare_filter(RibbonPlane *plane);

/* Of a map: its get, batch and least_batch. */
extern void ribbon_prepare_map(RibbonPlane *plane);

#endif /* RIBBON_PREPARE_H */
