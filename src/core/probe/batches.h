/*
 * batches.h - probe a plane for many hashes: as batches, or one by one
 *
 * Planes are prepared (prepare.h).  All arrays are the caller's; nothing is
 * allocated, and nothing can fail.
 */
#ifndef RIBBON_BATCHES_H
#define RIBBON_BATCHES_H

#include "format/plane.h"

/*
 * Are these n hashes in a plane of a filter?  They are probed as batches if
 * that is faster.
 */
extern void ribbon_batches_contain(const RibbonPlane *plane,
								   const uint64_t *hashes, size_t n,
								   bool *answers);

/*
 * Get n <= RIBBON_BATCH codes from a plane of a map: one by one, or as a batch.
 */
extern void ribbon_batches_get(const RibbonPlane *plane, bool singly,
							   const uint64_t *hashes, unsigned n, bool *found,
							   uint64_t *codes);

#endif /* RIBBON_BATCHES_H */
