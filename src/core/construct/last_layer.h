/*
 * last_layer.h - the last layer of BuRR: all keys that are left, in zones
 *
 * It bumps nothing.  Its keys are rotated, divided among zones
 * (format/zones.h), and each zone, of so few keys that one ribbon system has
 * all, is solved on its own (zone.c).
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

/* A zone to be solved.  The memory is the caller's. */
typedef struct RibbonZone
{
	unsigned width;	   /* 64 or 128 */
	unsigned ncolumns; /* for each key */
	const RibbonSupply *supply;
	const uint64_t *hashes; /* rotated, distinct, in any order; records of these
							 * if there is a supply */
	size_t nhashes;
	unsigned tries; /* a seed and a size each, that may still be made */
} RibbonZone;

/*
 * Solve a zone: seeds and sizes are tried one after the other.
 *
 * On RIBBON_OK *system has its slots and seed, for the zone's header, and the
 * slots are added to slots; what else a probe needs ribbon_place_systems sets.
 * Errors: RIBBON_SUSPICIOUS (salt.h) if no try succeeded, which is rare unless
 * keys were chosen for it; RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_zone_build(const RibbonEnv *env, RibbonZone *zone,
									  RibbonSystem *system, RibbonBytes *slots);

/*
 * How many more slots than keys a zone of so many has, in the first tries; of
 * records, with values, or of hashes alone.
 */
extern uint64_t ribbon_zone_spare(unsigned width, unsigned ncolumns,
								  bool of_records, uint64_t nkeys);

#endif /* RIBBON_LAST_LAYER_H */
