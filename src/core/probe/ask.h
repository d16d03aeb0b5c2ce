/*
 * ask.h - what has one plane of a map stored for a number of keys?
 */
#ifndef RIBBON_ASK_H
#define RIBBON_ASK_H

#include "probe/probes.h"

/*
 * Get n <= RIBBON_BATCH codes, of the value bits that the plane has, from a
 * plane, one by one or, if there are enough for that, as a batch.  Sets
 * found[i], as far as the plane has check bits, and codes[i] for hashes[i].
 */
extern void ribbon_ask_get(const RibbonPlane *plane, bool singly,
						   const uint64_t *hashes, unsigned n, bool *found,
						   uint64_t *codes);

#endif /* RIBBON_ASK_H */
