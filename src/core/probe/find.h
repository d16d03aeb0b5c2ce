/*
 * find.h - look up hashes near a layer's end
 */
#ifndef RIBBON_FIND_H
#define RIBBON_FIND_H

#include "format/plane.h"

/*
 * Look up a hash that has come to layer first of the plane, 0 .. nlayers, where
 * nlayers stands for the last layer.  code is NULL for a plane of a filter.
 */
extern bool ribbon_find_from(const RibbonPlane *plane, int first, uint64_t hash,
							 uint64_t *code);

#endif /* RIBBON_FIND_H */
