/*
 * levels.h - a map whose values have codes: a plane for each level of them
 *
 *----------
 *	 all keys
 *	   |--------- plane 0: check bits, and the bits of level 0
 *	   |
 *	   |	or, with a filter in front:
 *	   |--------- plane 0: check bits, if there are any
 *	   |--------- filter of the keys without the dominant value
 *	 keys that pass it
 *	   |
 *	 keys whose codes go on: plane of level 1
 *	   |
 *	 keys whose codes go on: plane of level 2, and so on
 *----------
 */
#ifndef RIBBON_LEVELS_H
#define RIBBON_LEVELS_H

#include "construct/bytes.h"
#include "construct/codebook.h"

/*
 * Build a map of records, sorted and distinct, with the book's choice of a
 * filter in front; all planes are expected to take so many bytes.  book->codes
 * and what depends on it may change.  The records stay as they are.  *bytes,
 * behind headroom bytes, stays empty if the map cannot be built so, because the
 * filter lets too many keys pass, or an opened map has no room for as many
 * planes.  Errors: those of ribbon_build.
 */
extern RibbonStatus ribbon_levels_build(const RibbonEnv *env,
										const RibbonParams *params,
										RibbonCodebook *book,
										const RibbonSet *records,
										uint64_t expected, size_t headroom,
										RibbonBytes *bytes);

#endif /* RIBBON_LEVELS_H */
