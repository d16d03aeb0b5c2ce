/*
 * place.h - where the ribbon systems of a filter lie among its bytes
 *
 *----------
 *	 header | thresholds of layers 0, 1 .. | slots of layers 0, 1 .. | zones
 *----------
 */
#ifndef RIBBON_PLACE_H
#define RIBBON_PLACE_H

#include "format/plane.h"

/*
 * From what the header says (kind, width, result bits, layers, zones and header
 * size of filter; of each system, nslots and seed) set the geometry of all
 * systems and filter->total_bytes.
 */
extern void ribbon_place_systems(RibbonPlane *plane);

/*
 * After that: set all pointers into the filter's bytes, which begin at bytes.
 */
extern void ribbon_place_bytes(RibbonPlane *plane, const uint8_t *bytes);

/*
 * Where system i of a plane begins of which not all bytes are in memory,
 * counted from the plane's first byte: thresholds, of a layer, and slots.
 */
extern uint64_t ribbon_place_thresholds_at(const RibbonPlane *plane, int i);
extern uint64_t ribbon_place_slots_at(const RibbonPlane *plane, int i);

#endif /* RIBBON_PLACE_H */
