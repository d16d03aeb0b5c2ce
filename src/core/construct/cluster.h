/*
 * cluster.h - are hashes spread as chance spreads them?
 *
 * The hashes of random keys are spread evenly: the distance from a hash to the
 * K-th hash behind it has a standard deviation of only 1/sqrt(K) of its mean.
 * Where distances are much less or greater, the keys were chosen for that (and
 * rows would start too densely there for banding).  To see that before banding
 * costs less than banding.
 */
#ifndef RIBBON_CLUSTER_H
#define RIBBON_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Is a range of hashes denser or thinner somewhere than chance explains?  The n
 * sorted hashes are all hashes of the range, which ends with last; the set has
 * ntotal hashes, spread over all 64-bit numbers.  Hash i is hashes[i * stride].
 * It is true somewhere in one of 40,000 random sets of 10^9 hashes, in windows
 * of 2^17 slots (cut.h); most of that is at their ends.
 */
extern bool ribbon_cluster_exists(const uint64_t *hashes, size_t stride,
								  size_t n, uint64_t last, uint64_t ntotal);

/*
 * A first look at n hashes that are sorted by cell, ribbon_mulhi(hash, ncells),
 * but in any order within a cell; ncells is n / 2 at least.  If it is false,
 * ribbon_cluster_exists would be false for the sorted hashes (with UINT64_MAX
 * and n).  It is true for one random set of a thousand hashes in ten or twenty
 * [tune].
 */
extern bool ribbon_cluster_is_possible(const uint64_t *hashes, size_t stride,
									   size_t n, uint64_t ncells);

#endif /* RIBBON_CLUSTER_H */
