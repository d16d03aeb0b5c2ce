/*
 * derive.h - sets made of sets
 *
 * The memory is env's; ribbon_set_close is to be called after a failure, too.
 */
#ifndef RIBBON_DERIVE_H
#define RIBBON_DERIVE_H

#include "set/read.h"

/*
 * So many elements, or fewer, are always in an array, if a set is made of
 * another.  (Tests set other values.)
 */
#ifndef RIBBON_SET_IN_MEMORY
#define RIBBON_SET_IN_MEMORY ((uint64_t) 1 << 20)
#endif

/*
 * Begin a set of at most so many elements beside another one: in its file, if
 * it is in one and they are more than RIBBON_SET_IN_MEMORY; else in an array.
 * They are added by ribbon_set_collect: RIBBON_TOO_MANY if they are more.
 */
extern RibbonStatus ribbon_set_begin(const RibbonEnv *env, RibbonSet *set,
									 const RibbonSet *beside,
									 RibbonElementKind kind, uint64_t most);

/* Seal it.  With few elements it becomes an array. */
extern RibbonStatus ribbon_set_finish(RibbonSet *set);

/* Set *loaded to an array of all elements of a sealed set in a file. */
extern RibbonStatus ribbon_set_load(const RibbonEnv *env, const RibbonSet *set,
									RibbonSet *loaded);

/*
 * Called with some elements of a set, n <= RIBBON_DERIVED_AT_ONCE; writes those
 * that it makes of them to out, as many or fewer, and returns how many.
 */
#define RIBBON_DERIVED_AT_ONCE 1024

typedef size_t (*RibbonDerive)(void *arg, const uint64_t *elements, size_t n,
							   uint64_t *out);

/*
 * Make a sealed set of what derive makes of the elements of another set, at
 * most so many.  It takes the place of *to, a set or zeroed, which is closed.
 */
extern RibbonStatus ribbon_set_derive(const RibbonEnv *env,
									  const RibbonSet *from,
									  RibbonDerive derive, void *arg,
									  RibbonElementKind kind, uint64_t most,
									  RibbonSet *to);

#endif /* RIBBON_DERIVE_H */
