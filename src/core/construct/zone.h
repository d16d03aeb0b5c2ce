/*
 * zone.h - solve a zone of the last layer: Standard Ribbon with smash, retried
 *
 * The last layer bumps nothing.  With w = 64 and smash w/2 - 1, a square system
 * (as many slots as keys) of up to about a thousand keys has a solution for one
 * hash function in four or so [RF 3.1, 5.4].  So the 16 seeds are tried, then
 * the same with one slot more, and so on.  A set of a thousand keys then takes
 * its result bits and little more.
 *
 * With more keys a solution soon gets rare, so these are cut into zones
 * (format/zones.h) that are solved on their own.
 */
#ifndef RIBBON_ZONE_H
#define RIBBON_ZONE_H

#include "construct/output.h"
#include "solve/supply.h"

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

#endif /* RIBBON_ZONE_H */
