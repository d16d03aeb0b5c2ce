/*
 * last_layer.h - the last layer of BuRR: all keys that are left, in zones
 *
 * It bumps nothing.  Its keys are rotated, divided among zones
 * (format/zones.h), and each zone is solved on its own (zone.h).
 */
#ifndef RIBBON_LAST_LAYER_H
#define RIBBON_LAST_LAYER_H

#include "construct/hashes.h"
#include "construct/output.h"
#include "format/plane.h"

/*
 * Build the last layer of a filter for the hashes, an array that is not
 * changed, and add it to filter and output: the zones, their rotation and
 * slots.  *suspicious is set to whether the hashes are, since a zone is
 * overfull or cannot be solved; then what was added is of no use.
 *
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_last_layer_add(const RibbonEnv *env,
										  RibbonPlane *plane,
										  RibbonOutput *output,
										  const RibbonHashes *hashes,
										  bool *suspicious);

#endif /* RIBBON_LAST_LAYER_H */
