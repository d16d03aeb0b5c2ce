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
 *	 somewhere							(cut.c) and for zones (zone.c)
 *	 a team of windows has too many		cut.c
 *	 a bucket has more than a sweep		layer.c, by too_many of window.h;
 *	 can take							slide.c
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
 * error does.  The whole plane, or homogeneous filter, begins again with all
 * hashes remixed:
 *
 *	 salted hash = ribbon_mix(hash ^ salt)
 *
 * The salt is the digest of all hashes in order (digest.c), so the same set
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
#include "set/set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A status within this folder: the hashes are suspicious.  ribbon_burr_build
 * and ribbon_homog_build salt them then, and never return it.
 */
#define RIBBON_SUSPICIOUS RIBBON_NSTATUS

/*
 * Choose the plane's first salt, or if it is salted its next one: set
 * plane->salted and plane->salt.  Set *salted, instead of what it is, to the
 * hashes under that salt; zeroed at first.
 *
 * Errors, here and below: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of
 * files.  ribbon_set_close is to be called after a failure too.
 */
extern RibbonStatus ribbon_salt_hashes(const RibbonEnv *env, RibbonPlane *plane,
									   const RibbonSet *hashes,
									   RibbonSet *salted);

/*
 * Set *records, instead of what it is, to those of an exact set under the seed
 * that follows *seed; sets *seed.  unseeded has the records under seed 0, of
 * which some have equal hashes.
 */
extern RibbonStatus ribbon_reseed_records(const RibbonEnv *env,
										  const RibbonSet *unseeded,
										  RibbonSet *records, uint32_t *seed);

/*
 * digest.c: BLAKE2b of hashes, a 64-bit digest
 *
 * BLAKE2b [RFC 7693] without a key, with a digest of eight bytes.  The message
 * is the hashes, eight bytes each, little-endian.  To find hashes that have a
 * given digest takes some 2^64 tries; the mixing functions of base/hash.h can
 * be inverted.  The digest of a set is its salt.
 */

#define RIBBON_DIGEST_BLOCK 16 /* hashes: 128 bytes */

typedef struct RibbonDigest
{
	uint64_t state[8];					 /* h of the RFC */
	uint64_t block[RIBBON_DIGEST_BLOCK]; /* hashes not yet compressed */
	unsigned nblock;
	uint64_t nbytes; /* compressed */
} RibbonDigest;

/* Begin a message. */
extern void ribbon_digest_init(RibbonDigest *digest);

/* Append a hash.  The result depends on their order. */
extern void ribbon_digest_add(RibbonDigest *digest, uint64_t hash);

/* The digest of all that was added.  *digest cannot be used any more. */
extern uint64_t ribbon_digest_end(RibbonDigest *digest);

/*
 * cluster.c: are hashes spread as chance spreads them?
 *
 * The hashes of random keys are spread evenly: the distance from a hash to the
 * K-th hash behind it has a standard deviation of only 1/sqrt(K) of its mean.
 * Where distances are much less or greater, the keys were chosen for that (and
 * rows would start too densely there for banding).  To see that before banding
 * costs less than banding.
 */

/*
 * Is a range of hashes denser or thinner somewhere than chance explains?  The n
 * sorted hashes are all hashes of the range, which ends with last; the set has
 * ntotal hashes, spread over all 64-bit numbers.  Hash i is hashes[i * stride].
 * Of random sets of up to 10^9 hashes it is true for one in 10^5.
 */
extern bool ribbon_is_clustered(const uint64_t *hashes, size_t stride, size_t n,
								uint64_t last, uint64_t ntotal);

/*
 * A first look at n hashes that are sorted by cell, ribbon_mulhi(hash, ncells),
 * but in any order within a cell; ncells is n / 2 at least.  If it is false,
 * ribbon_is_clustered would be false for the sorted hashes (with UINT64_MAX and
 * n).  It is true for one random set of a thousand hashes in ten or twenty
 * [tune].
 */
extern bool ribbon_may_cluster(const uint64_t *hashes, size_t stride, size_t n,
							   uint64_t ncells);

#endif /* RIBBON_SALT_H */
