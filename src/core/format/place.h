/*
 * place.h - where the systems of a filter lie among its bytes
 *
 *----------
 *	 header | thresholds of layers 0, 1 .. | slots of layers 0, 1 .. | zones
 *----------
 */
#ifndef RIBBON_PLACE_H
#define RIBBON_PLACE_H

#include "ribbon.h"

/*
 * Given what the header says (filter->header_bytes, and of each system nslots
 * and seed), set the geometry of all systems and filter->total_bytes.
 */
extern void ribbon_place_systems(RibbonFilter *filter);

/* After that: the filter's bytes are here. */
extern void ribbon_place_bytes(RibbonFilter *filter, const uint8_t *bytes);

#endif /* RIBBON_PLACE_H */
