/*
 * salt.h - remix the hashes of a set with a salt, against chosen keys
 *
 * The hash of a key is no secret, so keys can be chosen whose hashes cluster in
 * one place of a filter.  The filter would still be correct, but large, or it
 * would have a false-positive rate that is too high.  A build that finds the
 * hashes suspicious begins again with all hashes remixed:
 *
 *	 salted hash = ribbon_mix(hash ^ salt)
 *
 * The salt is the digest of all hashes in order (digest.h), so the same set
 * still gives the same bytes.  Keys that cluster under a given salt are easy to
 * find, but a set that contains them and has that salt takes 2^64 tries.  If
 * the salted hashes are suspicious too, by chance, the next salt is the digest
 * of this one.
 */
#ifndef RIBBON_SALT_H
#define RIBBON_SALT_H

#include "construct/hashes.h"
#include "format/plane.h"

/*
 * Choose the filter's first salt, or if it is salted its next one: set
 * filter->salted and filter->salt.  Replace the sorted hashes, which are those
 * under the old salt if there was one, by those under the new salt, sorted.  An
 * array that hashes owns is overwritten; an array or a store of the caller's is
 * left as it is, and hashes gets its own array or store.
 *
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of stores.
 * ribbon_hashes_free is to be called after a failure too.
 */
extern RibbonStatus ribbon_salt_hashes(const RibbonEnv *env, RibbonPlane *plane,
									   RibbonHashes *hashes);

#endif /* RIBBON_SALT_H */
