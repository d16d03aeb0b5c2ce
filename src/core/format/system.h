/*
 * system.h - the geometry of one linear system within a filter
 *
 * A system is m slots of a result row each, and the rules that send a key's
 * hash to a starting position among them:
 *
 *	 homogeneous		 s = fastrange(hash, m - w + 1)
 *	 zone of the		 the same with smash [RF 3.1]: the first and the last
 *	 last layer			 position have w/2 - 1 extra shares each, which keeps the
 *						 diagonal of a square system inside the ribbon
 *	 bumped layer		 smash w/4: half of the slots that would stay empty at
 *						 the ends are filled
 *
 * Starting positions grow with the hash, so a run of hashes is a run of slots.
 * That is what makes fractional result bits cheap [RF 5.1]: the keys whose hash
 * is in the top "wide" 2048ths check one bit more, and only the blocks from
 * the first such key's starting position on store that column.
 */
#ifndef RIBBON_SYSTEM_H
#define RIBBON_SYSTEM_H

#include "base/hash.h"
#include "format/result_bits.h"
#include "ribbon.h"

#define RIBBON_NO_BLOCK UINT64_MAX /* wide_block of a system without one */

/*
 * Describe a bumped layer, or else a homogeneous system, of nslots slots.  This
 * and the next function leave slots and thresholds NULL.
 */
extern void ribbon_system_init(RibbonSystem *system, uint64_t nslots,
							   unsigned width, bool bumped,
							   RibbonResultBits result_bits);

/* Describe a zone of the last layer; nslots may be 0. */
extern void ribbon_system_init_zone(RibbonSystem *system, uint64_t nslots,
									unsigned width, unsigned seed,
									RibbonResultBits result_bits);

/* The same zone under another seed. */
extern void ribbon_system_set_seed(RibbonSystem *system, unsigned seed);

/* Where a hash's coefficient row begins, 0 .. nstarts - 1. */
static inline uint64_t
ribbon_system_start(const RibbonSystem *system, uint64_t hash)
{
	uint64_t u = ribbon_mulhi(hash, system->range);

	u = u < system->smash ? 0 : u - system->smash;
	return ribbon_min64(u, system->nstarts - 1);
}

/* The least hash that starts at this slot or behind, which is not the first. */
extern uint64_t ribbon_system_least_hash(const RibbonSystem *system,
										 uint64_t start);

/* How many result bits the key of this hash checks. */
static inline unsigned
ribbon_system_bits(const RibbonSystem *system, uint64_t hash)
{
	return system->result_bits + (hash > system->last_narrow);
}

/* Expected fraction of random hashes whose result bits all match by chance. */
extern double ribbon_system_fpr(const RibbonSystem *system);

#endif /* RIBBON_SYSTEM_H */
