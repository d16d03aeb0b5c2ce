/*
 * rate.h - the exact false-positive rate of a solved homogeneous system
 *
 * Every key's result is zero, so a homogeneous filter says yes to a non-member
 * whose row lies in the span of the keys' rows [RF 4.1, lemma 4.2].  What it
 * says to other non-members depends on the solution Z: one in 2^r is to be a
 * false positive, but rows of w' successive slots may lack rank.  So the rate
 * of the finished filter is counted, and P is defined by it: the probability of
 * a yes whatever r is, beside the chance of the result bits.
 *
 * A non-member that starts at slot s has coefficient 1 there and w' - 1 random
 * coefficients behind it.  Its result is zero if the rows that these select add
 * up to Z[s]:
 *
 *		P(zero | s) = 2^-rank(Z[s+1] .. Z[s+w'-1])	 if Z[s] is in their span,
 *					  else 0
 *
 * The rank of these w' - 1 rows is that of their r columns, and ICML stores
 * columns: so it takes an elimination among r runs of w' - 1 bits.
 */
#ifndef RIBBON_RATE_H
#define RIBBON_RATE_H

#include "base/env.h"
#include "format/system.h"

/*
 * Set *rate to the share of all hashes to which a solved homogeneous system,
 * whose slots are set, says yes if result_bits of its columns are checked.
 * Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_rate_count(const RibbonEnv *env,
									  const RibbonSystem *system,
									  RibbonResultBits result_bits,
									  double *rate);

/*
 * Set *probability to the P for which ribbon_dependence_rate gives the rate of
 * ribbon_rate_count; to 0 if that is not above the chance of the result bits.
 */
extern RibbonStatus ribbon_rate_excess(const RibbonEnv *env,
									   const RibbonSystem *system,
									   RibbonResultBits result_bits,
									   double *probability);

#endif /* RIBBON_RATE_H */
