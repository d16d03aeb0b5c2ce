/*
 * last_layer.h - the last layer of BuRR: all keys that are left, in zones
 *
 * It bumps nothing.  Its keys are rotated, divided among zones
 * (format/zones.h), and each zone is solved on its own (zone.h).
 */
#ifndef RIBBON_LAST_LAYER_H
#define RIBBON_LAST_LAYER_H

#include "construct/bytes.h"
#include "format/plane.h"
#include "set/set.h"
#include "solve/supply.h"

/*
 * Build the last layer for the hashes, an array that is not changed.  Adds the
 * zones and their rotation to plane, and their slots to slots.
 *
 * Errors: RIBBON_SUSPICIOUS (salt.h) if a zone has more keys than chance
 * explains, or cannot be solved; RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_last_layer_add(const RibbonEnv *env,
										  RibbonPlane *plane,
										  RibbonBytes *slots,
										  const RibbonSet *hashes,
										  const RibbonSupply *supply);

#endif /* RIBBON_LAST_LAYER_H */
