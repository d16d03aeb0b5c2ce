/*
 * rate.h - the exact false-positive rate of a solved homogeneous system
 *
 * solve/span.h counts how many non-members' equations follow from the keys'.
 * What a homogeneous filter says to the other non-members depends on the
 * solution Z: free variables get independent rows, but that does not mean that
 * the rows of any w' successive slots have full rank.  So the rate of the
 * finished filter is counted.
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

#include "base/alloc.h"
#include "format/system.h"

/*
 * Mark the starts s = begin .. end - 1, in a bit of each, where the rows behind
 * s are not known to have full rank in all columns of a system, which has as
 * many in each block.  Bits of other starts stay as they are; the rows behind
 * end have been solved.  Few starts are doubtful, and whatever depends on ranks
 * below the number of columns depends on these alone.  RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_rate_doubt(const RibbonEnv *env,
									  const RibbonSystem *system,
									  uint64_t begin, uint64_t end,
									  uint64_t *doubtful);

/*
 * Set *rate to the share of all hashes to which a solved homogeneous system,
 * whose slots are set, says yes if result_bits of its columns are checked.
 * doubtful has the starts that ribbon_rate_doubt marked when the system had
 * these columns, and perhaps more; it may be NULL.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_rate_count(const RibbonEnv *env,
									  const RibbonSystem *system,
									  RibbonResultBits result_bits,
									  const uint64_t *doubtful, double *rate);

/*
 * The rate of a filter that says yes with probability P whatever r is, and else
 * by the chance of the result bits.
 */
static inline double
ribbon_rate_of(double probability, double chance)
{
	return probability + (1 - probability) * chance;
}

/*
 * Set *probability to the P for which ribbon_rate_of gives the rate of
 * ribbon_rate_count; to 0 if that is not above the chance of the result bits.
 */
extern RibbonStatus ribbon_rate_excess(const RibbonEnv *env,
									   const RibbonSystem *system,
									   RibbonResultBits result_bits,
									   const uint64_t *doubtful,
									   double *probability);

#endif /* RIBBON_RATE_H */
