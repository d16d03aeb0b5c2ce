/*
 * derive.h - passes over a set of hashes, and sets made from a set
 *
 * Salted hashes are made from hashes (salt.h), and the set of a plane behind
 * another one from the records that come to it (exact.c, levels.c).  Errors of
 * all functions: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, RIBBON_BAD_STORE,
 * those of stores.
 */
#ifndef RIBBON_DERIVE_H
#define RIBBON_DERIVE_H

#include "construct/hashes.h"

/*
 * Called with a part of some hashes, n elements at a time, in order; n is 0 or
 * more, RIBBON_PART_HASHES at most as a rule.
 */
#define RIBBON_PART_HASHES 65536

typedef RibbonStatus (*RibbonTakePart)(void *arg, const uint64_t *part,
									   size_t n);

/*
 * Go through all hashes, in order, and call take for each part; a status other
 * than RIBBON_OK ends it.  Equal hashes, which only records of an exact set can
 * have (exact_plan.h), are in one part, however many they are.
 */
extern RibbonStatus ribbon_hashes_each(const RibbonEnv *env,
									   const RibbonHashes *hashes,
									   RibbonTakePart take, void *arg);

/*
 * Called with some elements of a set, n <= RIBBON_DERIVED_AT_ONCE; writes those
 * that it makes of them to out, as many or fewer, and returns how many.
 */
#define RIBBON_DERIVED_AT_ONCE 1024

typedef size_t (*RibbonDerive)(void *arg, const uint64_t *elements, size_t n,
							   uint64_t *out);

/*
 * Set to, which has a supply, to what derive makes of the elements of from: at
 * most capacity elements; if there are more, to only counts them.  If they are
 * in ascending order, they can be read then; else an array is still to be
 * sorted.  The caller frees to, after a failure too.
 */
extern RibbonStatus ribbon_hashes_derive(const RibbonEnv *env,
										 const RibbonHashes *from,
										 RibbonDerive derive, void *arg,
										 uint64_t capacity, RibbonHashes *to);

/*
 * A RibbonDerive: of records, those that the filter says yes to, which is not
 * asked about those whose value words have (word & mask) == sure: they pass.
 */
typedef struct RibbonPassing
{
	const RibbonFilter *filter;
	uint64_t mask;
	uint64_t sure;
} RibbonPassing;

extern size_t ribbon_pass_records(void *arg, const uint64_t *records, size_t n,
								  uint64_t *passed);

#endif /* RIBBON_DERIVE_H */
