/*
 * probes.h - what to probe a filter with, and how to probe slices of it
 */
#ifndef RIBBON_FUZZ_PROBES_H
#define RIBBON_FUZZ_PROBES_H

#include "fuzz.h"

/* How many hashes: few most of the time, and seldom up to so many. */
extern size_t probes_number(Random *random, size_t most);

/* Hashes to probe with: any, and such whose hash in some layer is special. */
extern void probes_fill(Random *random, const RibbonPlane *plane,
						uint64_t *hashes, size_t n);

/*
 * Open a filter by slices, no other bytes within reach.  Of a filter that has
 * been opened, all must be as it is there.
 */
extern RibbonStatus probes_open_sliced(const uint8_t *bytes, size_t size,
									   RibbonFilter *sliced);
extern void probes_compare(const RibbonFilter *filter,
						   const RibbonFilter *sliced);

/*
 * Probe the filter that was opened so last.  Its slices must be within the
 * filter, and no byte beside them is within reach.
 */
extern bool probes_contains(const RibbonFilter *sliced, uint64_t hash);
extern bool probes_get(const RibbonFilter *sliced, uint64_t hash,
					   uint64_t *code);

/* What the library says of a filter, whose bytes are these, besides answers. */
extern void probes_check_statistics(const RibbonFilter *filter,
									const uint8_t *bytes);

#endif /* RIBBON_FUZZ_PROBES_H */
