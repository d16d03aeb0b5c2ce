/*
 * zone.h - a zone of the last layer: so few keys that one ribbon system has all
 */
#ifndef RIBBON_ZONE_H
#define RIBBON_ZONE_H

#include "construct/bytes.h"
#include "format/system.h"
#include "solve/supply.h"

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

#endif /* RIBBON_ZONE_H */
