/*
 * ask_exact.h - is this key in an exact set?
 */
#ifndef RIBBON_ASK_EXACT_H
#define RIBBON_ASK_EXACT_H

#include "format/plane.h"

/* Set how an opened exact set is probed, whose planes are prepared. */
extern void ribbon_exact_prepare(RibbonFilter *filter);

/* ribbon_contains_batch of an exact set with this first plane. */
extern void ribbon_exact_ask(const RibbonPlane *plane, const uint64_t *hashes,
							 size_t n, bool *answers);

#endif /* RIBBON_ASK_EXACT_H */
