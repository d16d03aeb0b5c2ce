/*
 * coded.h - a map's value whose code is as long as it is rare (format/codes.h)
 */
#ifndef RIBBON_CODED_H
#define RIBBON_CODED_H

#include "format/codes.h"

/* A RibbonFilter's get, of a map with such codes. */
extern bool ribbon_coded_get(const RibbonPlane *first, uint64_t hash,
							 uint64_t *code);

/*
 * The same for n <= RIBBON_BATCH hashes that the first plane has been asked
 * for: codes[i] is what it has stored, and becomes the code if found[i].
 */
extern void ribbon_coded_finish(const RibbonPlane *first,
								const uint64_t *hashes, unsigned n,
								const bool *found, uint64_t *codes);

#endif /* RIBBON_CODED_H */
