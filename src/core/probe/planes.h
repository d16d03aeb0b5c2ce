/*
 * planes.h - how the planes of an opened filter are probed
 *
 * A plane is probed by functions of the kernel in use, which are chosen once,
 * when it is opened (prepare.c).  Many keys are probed as batches (batches.c).
 * A filter, a map or an exact set puts the answers of its planes together
 * (filter.c, coded.c).
 *
 * All arrays are the caller's.  Nothing is allocated, and nothing can fail.
 */
#ifndef RIBBON_PLANES_H
#define RIBBON_PLANES_H

#include "format/codes.h"
#include "format/plane.h"

/*
 * Choose the functions that probe a plane whose header has been decoded.
 * is_map: the plane is one of a map, or has value bits.
 */
extern void ribbon_prepare(RibbonPlane *plane, bool is_map);

/*
 * Look up n hashes in a prepared plane, as batches if that is faster.  Sets
 * answers[i] to whether hashes[i] is in it; and codes[i], if it is, to the
 * value bits.  For a plane of a filter, codes is NULL.
 */
extern void ribbon_batches_find(const RibbonPlane *plane,
								const uint64_t *hashes, size_t n, bool *answers,
								uint64_t *codes);

/* A RibbonFind of a plane whose bytes are fetched, and that has systems. */
extern bool ribbon_sliced_find(const RibbonPlane *plane, uint64_t hash,
							   uint64_t *code);

/* A RibbonFilter's get, of a map whose codes are not plain. */
extern bool ribbon_coded_get(const RibbonPlane *first, uint64_t hash,
							 uint64_t *code);

/*
 * The same for n <= RIBBON_BATCH hashes that have been looked up in the first
 * plane: codes[i] is what it has stored, and becomes the code if found[i].
 */
extern void ribbon_coded_finish(const RibbonPlane *first,
								const uint64_t *hashes, unsigned n,
								const bool *found, uint64_t *codes);

/* Set contains and get of an opened filter whose planes are prepared. */
extern void ribbon_filter_prepare(RibbonFilter *filter);

#endif /* RIBBON_PLANES_H */
