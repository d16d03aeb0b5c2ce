/*
 * query.h - is this key in the set?
 */
#ifndef RIBBON_QUERY_H
#define RIBBON_QUERY_H

#include "format/plane.h"

/*
 * Choose how to probe a plane of a filter that has been decoded: its contains
 * and batch, by the kernel in use.
 */
extern void ribbon_query_prepare(RibbonPlane *plane);

/* The same for a plane of a map: its get and batch. */
extern void ribbon_query_prepare_plane(RibbonPlane *plane);

/* Ask a plane of a filter for n hashes, as a batch if that is faster. */
extern void ribbon_query_ask(const RibbonPlane *plane, const uint64_t *hashes,
							 size_t n, bool *answers);

/*
 * Get n <= RIBBON_BATCH codes from a plane of a map: one by one, or as a batch.
 */
extern void ribbon_query_get(const RibbonPlane *plane, bool singly,
							 const uint64_t *hashes, unsigned n, bool *found,
							 uint64_t *codes);

#endif /* RIBBON_QUERY_H */
