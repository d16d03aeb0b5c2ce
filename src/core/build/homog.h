/*
 * homog.h - homogeneous ribbon: every key's result is zero [RF 4, BuRR 5]
 *
 * If all equations say "= 0" no system is ever unsolvable, nothing is bumped
 * and nothing retried.  The trivial solution would answer yes to everybody, so
 * empty slots get rows of their own, and there must be enough of them: a
 * non-member whose equation follows from the keys' equations is a false positive
 * whatever the columns say.  With P the probability of that,
 *
 *		FPR = P + (1 - P) 2^-r									[RF lemma 4.2]
 *
 * for random rows in empty slots.  Independent rows (backsubst.h) do better
 * than random ones, above all in small sets; span.h says how much.  That holds
 * for most sets.  For this one, rate.h counts what has come out.
 */
#ifndef RIBBON_HOMOG_H
#define RIBBON_HOMOG_H

#include "build/hashes.h"

/*
 * Build a homogeneous filter of at least one hash.  params has been checked and
 * names a width; the hashes may be overwritten.  Results and errors are
 * ribbon_build's.
 */
extern RibbonStatus ribbon_homog_build(const RibbonEnv *env,
									   const RibbonParams *params,
									   RibbonHashes *hashes, size_t headroom,
									   uint8_t **bytes, size_t *nbytes);

#endif /* RIBBON_HOMOG_H */
