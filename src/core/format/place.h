/*
 * place.h - where the ribbon systems of a plane lie among its bytes
 *
 *----------
 *	 header | thresholds of layers 0, 1 .. | slots of layers 0, 1 .. | zones
 *----------
 */
#ifndef RIBBON_PLACE_H
#define RIBBON_PLACE_H

#include "format/plane.h"

/*
 * Set the geometry of all systems, and plane->total_bytes, from what the header
 * says: kind, width, result bits, layers, zones, header_bytes, and nslots and
 * seed of each system.
 */
extern void ribbon_place_systems(RibbonPlane *plane);

/*
 * After ribbon_place_systems: set all pointers into the plane's bytes, which
 * begin at bytes.
 */
extern void ribbon_place_bytes(RibbonPlane *plane, const uint8_t *bytes);

/*
 * Where the thresholds, or the slots, of system i begin, counted from the
 * plane's first byte.  For planes whose bytes are not all in memory.
 */
extern uint64_t ribbon_place_thresholds_at(const RibbonPlane *plane,
										   unsigned i);
extern uint64_t ribbon_place_slots_at(const RibbonPlane *plane, unsigned i);

#endif /* RIBBON_PLACE_H */
