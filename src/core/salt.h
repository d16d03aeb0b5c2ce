/*
 * salt.h - start again from hashes that nobody could aim at anything
 *
 * Keys can be chosen so that their hashes, which anybody can compute, crowd
 * one place of a filter.  It would still be right, but large or wrong too
 * often about strangers.  A build that notices remixes all hashes with a salt
 * computed from the set itself: nobody can choose keys by a salt that depends
 * on all of them, and the same set still gives the same bytes.
 */
#ifndef RIBBON_SALT_H
#define RIBBON_SALT_H

#include "alloc.h"

/*
 * Salt the filter and its sorted hashes, which are sorted again.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_salt_hashes(const RibbonEnv *env,
									   RibbonFilter *filter, uint64_t *hashes,
									   size_t nhashes);

#endif /* RIBBON_SALT_H */
