/*
 * last_layer.h - the last layer of BuRR: all keys that are left, in zones
 *
 * It bumps nothing.  Its keys are rotated, divided among zones
 * (format/zones.h), and each zone is solved on its own (zone.c).
 */
#ifndef RIBBON_LAST_LAYER_H
#define RIBBON_LAST_LAYER_H

#include "construct/output.h"
#include "set/set.h"
#include "solve/supply.h"

/*
 * Build the last layer for the hashes, an array that is not changed.  Adds the
 * zones and their rotation to plane, and the slots to output.
 *
 * Errors: RIBBON_SUSPICIOUS (salt.h) if a zone has more keys than chance
 * explains, or cannot be solved; RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_last_layer_add(const RibbonEnv *env,
										  RibbonPlane *plane,
										  RibbonOutput *output,
										  const RibbonSet *hashes,
										  const RibbonSupply *supply);

/*
 * Solve a zone of ribbon width 64 or 128 with ncolumns for each key.  It has
 * nhashes keys; hashes are their rotated hashes, distinct, in any order, or if
 * supply is not NULL records of these.  Seeds and sizes are tried one after the
 * other; each try counts *tries down, and at 0 no more are made.
 *
 * On RIBBON_OK *system is set, its pointers to NULL, and its slots are added to
 * output.  Errors: RIBBON_SUSPICIOUS (salt.h) if no try succeeded, which is
 * rare unless keys were chosen for it; RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_zone_build(const RibbonEnv *env, unsigned width,
									  const RibbonSupply *supply,
									  const uint64_t *hashes, size_t nhashes,
									  unsigned ncolumns, unsigned *tries,
									  RibbonSystem *system,
									  RibbonOutput *output);

#endif /* RIBBON_LAST_LAYER_H */
