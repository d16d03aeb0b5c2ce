/*
 * homog.h - homogeneous ribbon: every key's result is zero [RF 4, BuRR 5]
 *
 * If the result of each equation is zero, the system always has a solution, so
 * nothing is bumped.  The solution Z = 0 would say yes to every non-member.  So
 * free variables get independent rows, and there must be enough of them: a
 * non-member whose equation follows from the keys' equations is a false
 * positive whatever r is.  With P the probability of that,
 *
 *		FPR = P + (1 - P) 2^-r									[RF lemma 4.2]
 *
 * if the free variables are random.  With the independent rows of
 * solve/backsubst.h the FPR is lower, most of all in small sets.  The rate of
 * the finished filter is counted (format/rate.h).
 */
#ifndef RIBBON_HOMOG_H
#define RIBBON_HOMOG_H

#include "construct/bytes.h"
#include "set/set.h"

/*
 * Build a homogeneous filter of sorted, distinct hashes, one at least.  params
 * has been checked, and its width is not RIBBON_DEFAULT_WIDTH.  On RIBBON_OK
 * *bytes has the filter, behind headroom bytes, in a buffer that the caller
 * frees.  Errors: those of ribbon_build.
 */
extern RibbonStatus ribbon_homog_build(const RibbonEnv *env,
									   const RibbonParams *params,
									   const RibbonSet *hashes, size_t headroom,
									   RibbonBytes *bytes);

#endif /* RIBBON_HOMOG_H */
