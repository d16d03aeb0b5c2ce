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

#include "words.h"

/*
 * Salt the filter, and collect the salted hashes, in order, in *salted: that is
 * hashes itself if it is an array.  ribbon_words_free(salted) is right in any
 * case.  Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of stores.
 */
extern RibbonStatus ribbon_salt_words(const RibbonEnv *env,
									  RibbonFilter *filter,
									  const RibbonWords *hashes,
									  RibbonWords *salted);

#endif /* RIBBON_SALT_H */
