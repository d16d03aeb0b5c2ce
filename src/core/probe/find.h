/*
 * find.h - what has a plane stored for this key?
 *
 * One lookup reads the key's w slots from two adjacent ICML blocks, column by
 * column: AND them with the coefficient row, take the parity.  Check bits are
 * compared with the key's, value bits are its code.  Where code is NULL there
 * are none: it is a filter's plane.
 */
#ifndef RIBBON_FIND_H
#define RIBBON_FIND_H

#include "format/system.h"

/*
 * Take apart the bits of a hash's columns.  Bits from nbits on are not the
 * key's.  Returns whether the check bits are those of the hash, and sets *code.
 */
static inline bool
ribbon_find_parts(const RibbonSystem *system, uint64_t hash, unsigned nbits,
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

/*
 * True if, of the slots that hash selects in the system of a filter, the
 * columns that its key checks equal result.  A system without slots holds
 * zeros.
 */
extern bool ribbon_find(const RibbonSystem *system, uint64_t hash,
						uint32_t result);

/*
 * Look up a hash that has come to layer first of the plane; nlayers stands for
 * the last layer.
 */
extern bool ribbon_find_from(const RibbonPlane *plane, int first, uint64_t hash,
							 uint64_t *code);

#endif /* RIBBON_FIND_H */
