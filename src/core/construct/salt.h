/*
 * salt.h - other hashes for the keys of a set, against chosen keys
 *
 * The hash of a key is no secret, so keys can be chosen whose hashes cluster in
 * one place of a filter.  The filter would still be correct, but large, or it
 * would have a false-positive rate that is too high, or take long to build.  So
 * each step of a build looks whether its hashes are what chance explains:
 *
 *----------
 *	 suspicious if						is seen by
 *	 they are too dense or too thin		cluster.c, before banding: for windows
 *	 somewhere							(fill.c) and for zones (zone.c)
 *	 a window has too many				fill.c
 *	 a bucket has more than a sweep		window_buckets.c
 *	 can take
 *	 a layer bumps too many, or leaves	layer.c, burr.c
 *	 too many slots empty
 *	 a zone has too many, or cannot		last_layer.c, zone.c
 *	 be solved
 *	 a homogeneous filter would be too	homog.c
 *	 large, or its rows depend on one
 *	 another too often
 *----------
 *
 * What sees it returns RIBBON_SUSPICIOUS, which ends what is being built as an
 * error does, and is never returned from this folder.  The whole plane, or
 * homogeneous filter, begins again with all hashes remixed:
 *
 *	 salted hash = ribbon_hash_salted(hash, salt)
 *
 * The salt is the digest of all hashes in order (digest.h), so the same set
 * still gives the same bytes.  Keys that cluster under a given salt are easy to
 * find, but a set that contains them and has that salt takes 2^64 tries.  If
 * the salted hashes are suspicious too, by chance, the next salt is the digest
 * of this one.  Layers accept salted hashes that cluster.
 *
 * Keys of an exact set may have been chosen to have the same hash.  Then all
 * keys get other hashes, made from their two hashes and a seed
 * (ribbon_hash_with_seed).  The seed is a digest, too.
 */
#ifndef RIBBON_SALT_H
#define RIBBON_SALT_H

#include "format/plane.h"
#include "set/read.h"

/* A number that neither RibbonStatus nor RIBBON_TOO_MANY has. */
#define RIBBON_SUSPICIOUS ((RibbonStatus) (RIBBON_TOO_MANY + 1))

/*
 * Builds a plane of these hashes, which are salted if the plane is.  After
 * RIBBON_SUSPICIOUS nothing is left of it.
 */
typedef RibbonStatus (*RibbonSaltAttempt)(void *arg, const RibbonSet *hashes);

/*
 * Call attempt(arg, hashes), and as long as it returns RIBBON_SUSPICIOUS, with
 * the hashes under the next salt, which plane->salted and plane->salt say.
 * Errors: those of attempt; RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of
 * files.
 */
extern RibbonStatus ribbon_salt_build(const RibbonEnv *env, RibbonPlane *plane,
									  const RibbonSet *hashes,
									  RibbonSaltAttempt attempt, void *arg);

/*
 * Set *seed to the seed that follows it, and *records to those of an exact set
 * under that; what *records was is closed.  unseeded has them under seed 0,
 * some with equal hashes.  Errors: as above, but for attempt's;
 * ribbon_set_close is to be called after a failure too.
 */
extern RibbonStatus ribbon_salt_reseed(const RibbonEnv *env,
									   const RibbonSet *unseeded,
									   RibbonSet *records, uint32_t *seed);

#endif /* RIBBON_SALT_H */
