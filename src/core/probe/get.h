/*
 * get.h - what does a plane of a map have stored for this key?
 *
 * As probe.h, but the columns of the value are given back, not compared.
 */
#ifndef RIBBON_GET_H
#define RIBBON_GET_H

#include "format/system.h"

/*
 * Take apart the columns that are stored for a hash, of which those from the
 * first nbits on are not its own: is the key in the map, as far as the check
 * bits tell, and with which code?
 */
static inline bool
ribbon_get_parts(const RibbonSystem *system, uint64_t hash, unsigned nbits,
				 uint64_t columns, uint64_t *code)
{
	unsigned nchecks = system->check_bits;
	unsigned nvalues = system->value_bits;
	uint64_t print = ribbon_hash_fingerprint(hash);
	uint64_t wrong = (columns ^ print) & ((UINT64_C(1) << nchecks) - 1);
	/* one more check bit may be behind the value */
	uint64_t last = (columns >> nvalues ^ print) >> nchecks &
		(nbits - nvalues - nchecks);

	*code = columns >> nchecks & ((UINT64_C(1) << nvalues) - 1);
	return (wrong | last) == 0;
}

/* The same with the slots of a system, when the caller knows the start. */
extern bool ribbon_get_at(const RibbonSystem *system, uint64_t hash,
						  uint64_t start, uint64_t *code);

/*
 * Get the code of the key of which this is the hash in the plane's layer first
 * (or behind the last bumped one).
 */
extern bool ribbon_get_from(const RibbonPlane *plane, int first, uint64_t hash,
							uint64_t *code);

#endif /* RIBBON_GET_H */
