/*
 * exact.h - a filter that is right about every key of a universe
 *
 * Two levels: a BuRR filter of the n members with r columns, which N / 2^r of
 * the N other keys pass, and behind it one column of retrieval over all keys
 * that pass, members or not: the bit says which.  With K = N / n that takes
 *
 *	 r + 1 + K / 2^r bits per member, least at r = floor(log2 K),
 *
 * 8.08 for K = 69, where the least that any structure can do is log2 K + 1.44 =
 * 7.55.  A rate between two whole r never helps: both the bits and the keys
 * that pass are linear in the share of either.  For K below 2 one column over
 * all keys of the universe, 1 + K bits per member, is smaller.  For K below 1/2
 * the filter is of the others, and n and N change their places in all this.
 *
 * A plan is the number r, or one column.  Which one is smallest is computed
 * from the sizes that filters can be expected to have (size.h), which depend on
 * n and N alone; of small universes, all plans that come close to the least are
 * built, and the smallest is kept.  So the same sets give the same bytes.
 *
 * The universe is a sorted set of records (ribbon.h).  Two keys of one hash
 * could not be told apart by any plan; then all keys get other hashes, made of
 * both of theirs with a seed.  The first seed is a digest of all hashes, so
 * that nobody can choose keys that would collide under the next seed, too.
 */
#ifndef RIBBON_EXACT_H
#define RIBBON_EXACT_H

#include "construct/salt.h"

/* The most seeds that are tried; one is enough, but for 1 set in 2^60 or so. */
#define RIBBON_EXACT_SEEDS 8

#endif /* RIBBON_EXACT_H */
