/*
 * sort.h - order hashes, or records, by starting position
 *
 * Starting positions grow with the hash, so sorting hashes sorts a system's
 * keys, buckets them and brings duplicates together, whatever the system's
 * size.  A record of a map is two words, a hash and a value word
 * (ribbon.h); n counts records.
 */
#ifndef RIBBON_SORT_H
#define RIBBON_SORT_H

#include "base/alloc.h"

/*
 * Sort hashes[0..n) in ascending order.  It allocates n more hashes meanwhile.
 * Errors: RIBBON_OUT_OF_MEMORY; RIBBON_INTERRUPTED, and then hashes may be lost
 * or repeated.
 */
extern RibbonStatus ribbon_sort(const RibbonEnv *env, uint64_t *hashes,
								size_t n);

/* The same for records[0 .. 2 n), by their hashes. */
extern RibbonStatus ribbon_sort_records(const RibbonEnv *env, uint64_t *records,
										size_t n);

/*
 * Set *ndistinct to how many of hashes[0..n), from the first one on, are sorted
 * and distinct; n if all are.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_sort_distinct(const RibbonEnv *env,
										 const uint64_t *hashes, size_t n,
										 size_t *ndistinct);

/* The same for the hashes of records[0 .. 2 n). */
extern RibbonStatus ribbon_sort_distinct_records(const RibbonEnv *env,
												 const uint64_t *records,
												 size_t n, size_t *ndistinct);

/*
 * Drop repeated hashes from the sorted hashes[0..*n), and set *n to the number
 * that is left.  Errors: RIBBON_INTERRUPTED; then *n is unchanged, and the
 * array is of no use.
 */
extern RibbonStatus ribbon_sort_unique(const RibbonEnv *env, uint64_t *hashes,
									   size_t *n);

/*
 * The same for records, which are sorted by hash.  RIBBON_CONFLICT if two of a
 * hash have different value words; then conflict[0..1] is one of these, and
 * conflict[2..3] the other, and the array is of no use.
 */
extern RibbonStatus ribbon_sort_unique_records(const RibbonEnv *env,
											   uint64_t *records, size_t *n,
											   uint64_t conflict[4]);

/*
 * The same for records of an exact set (ribbon.h): of one hash there may be
 * several, in the order of their words.  RIBBON_CONFLICT if two differ only in
 * RIBBON_MEMBER.  Errors also: RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_sort_unique_exact(const RibbonEnv *env,
											 uint64_t *records, size_t *n,
											 uint64_t conflict[4]);

#endif /* RIBBON_SORT_H */
