/*
 * find.h - take a key's result bits apart; look up hashes near a layer's end
 *
 * A lookup reads the key's w slots from two adjacent ICML blocks.  Of each
 * column it takes the parity of slots AND coefficient row: a result bit.  Check
 * bits are compared with those of the key; value bits are its code.
 */
#ifndef RIBBON_FIND_H
#define RIBBON_FIND_H

#include "format/system.h"

/*
 * Take apart the nbits result bits of a hash; further bits of result are
 * ignored.  Returns whether the check bits are those of print, the fingerprint
 * (homogeneous filters: 0), and sets *code to the value bits; of a filter 0.
 */
static inline __attribute__((always_inline)) bool
ribbon_find_parts(const RibbonSystem *system, uint32_t print, unsigned nbits,
				  uint64_t result, uint64_t *code)
{
	unsigned nchecks = system->check_bits;
	unsigned nvalues = system->value_bits;
	uint64_t wrong = (result ^ print) & ((UINT64_C(1) << nchecks) - 1);
	/* one more check bit may be behind the value */
	uint64_t last = (result >> nvalues ^ print) >> nchecks &
		(nbits - nvalues - nchecks);

	*code = result >> nchecks & ((UINT64_C(1) << nvalues) - 1);
	return (wrong | last) == 0;
}

/*
 * Look up a hash that has come to layer first of the plane, 0 .. nlayers, where
 * nlayers stands for the last layer.  code is NULL for a plane of a filter.
 */
extern bool ribbon_find_from(const RibbonPlane *plane, int first, uint64_t hash,
							 uint64_t *code);

#endif /* RIBBON_FIND_H */
