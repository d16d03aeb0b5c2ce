/*
 * probe.h - does a region's stored row for this key match its result bits?
 *
 * One probe reads the key's w slots from two adjacent ICML blocks, column by
 * column: AND them with the coefficient row, take the parity, and compare with
 * the key's result bit.
 */
#ifndef RIBBON_PROBE_H
#define RIBBON_PROBE_H

#include "format/region.h"

/*
 * True if, of the slots that word selects in the region, the columns that its
 * key checks equal result.  A region without slots holds zeros.
 */
extern bool ribbon_probe(const RibbonRegion *region, uint64_t word,
						 uint32_t result);

/* The same when the caller knows where the word starts. */
extern bool ribbon_probe_at(const RibbonRegion *region, uint64_t word,
							uint64_t start, uint32_t result);

#endif /* RIBBON_PROBE_H */
