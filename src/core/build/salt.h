/*
 * salt.h - start again from hashes that nobody could aim at anything
 *
 * Keys can be chosen so that their hashes, which anybody can compute, crowd
 * one place of a filter.  It would still be right, but large or wrong too
 * often about non-members.  A build that notices remixes all hashes with a salt
 * computed from the set itself, so that the same set still gives the same bytes.
 *
 * The salt is a digest (digest.h): keys that would crowd under some salt are
 * soon found, but a set of which they are a part, and whose salt that is, takes
 * 2^64 tries.  Chance can make a salt bad, too; then the next one is the
 * digest of this one.
 */
#ifndef RIBBON_SALT_H
#define RIBBON_SALT_H

#include "build/hashes.h"

/*
 * Salt the filter, or salt it anew, and replace the hashes, which are sorted, by
 * those under the new salt, in order: in their array if it is their own, or else in
 * a new one, or a new store, that is.  Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of
 * stores; ribbon_hashes_free is right in any case.
 */
extern RibbonStatus ribbon_salt_hashes(const RibbonEnv *env,
									   RibbonFilter *filter,
									   RibbonHashes *hashes);

#endif /* RIBBON_SALT_H */
