/*
 * probe.h - does a region's stored row for this key match its result bits?
 *
 * One probe reads the key's w slots from two adjacent ICML blocks, column by
 * column: shift the two words together, AND with the coefficient row, take the
 * parity, and compare with the key's result bit.
 */
#ifndef RIBBON_PROBE_H
#define RIBBON_PROBE_H

#include "region.h"

/*
 * True if, of the slots that word selects in the region, the columns that its
 * key checks equal result.  A region without slots holds zeros.
 */
extern bool ribbon_probe(const RibbonRegion *region, uint64_t word,
						 uint32_t result);

/* The same when the caller knows where the word starts. */
extern bool ribbon_probe_at(const RibbonRegion *region, uint64_t word,
							uint64_t start, uint32_t result);

/*
 * The same, for starting positions in the region's last two blocks, where one
 * of them may be short and reading whole words could leave the value.
 */
extern bool ribbon_probe_end(const RibbonRegion *region, uint64_t word,
							 uint64_t start, uint32_t result);

/* Must this start go to ribbon_probe_end? */
static inline bool
ribbon_probe_is_end(const RibbonRegion *region, uint64_t start)
{
	return (start / region->width + 2) * region->width > region->nslots;
}

#endif /* RIBBON_PROBE_H */
