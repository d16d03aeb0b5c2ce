/*
 * probe.h - does a system's stored row for this key match its result bits?
 *
 * One probe reads the key's w slots from two adjacent ICML blocks, column by
 * column: AND them with the coefficient row, take the parity, and compare with
 * the key's result bit.
 */
#ifndef RIBBON_PROBE_H
#define RIBBON_PROBE_H

#include "format/system.h"

/*
 * True if, of the slots that hash selects in the system, the columns that its
 * key checks equal result.  A system without slots holds zeros.
 */
extern bool ribbon_probe(const RibbonSystem *system, uint64_t hash,
						 uint32_t result);

/* The same when the caller knows where the hash starts. */
extern bool ribbon_probe_at(const RibbonSystem *system, uint64_t hash,
							uint64_t start, uint32_t result);

/*
 * Is the key in the set, of which this is the hash in the filter's layer first
 * (or behind the last bumped one)?
 */
extern bool ribbon_probe_from(const RibbonPlane *plane, int first,
							  uint64_t hash);

#endif /* RIBBON_PROBE_H */
