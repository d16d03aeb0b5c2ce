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
 * The share of all words to which a homogeneous system, solved and in its
 * place, says yes if words check so many of its columns.  doubtful has the
 * starts that ribbon_rate_doubt marked when the system had these columns, and
 * perhaps more; NULL if they are not known.  RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_rate_count(const RibbonEnv *env,
									  const RibbonSystem *system,
									  RibbonResultBits result_bits,
									  const uint64_t *doubtful, double *rate);

/*
 * The rate if a word says yes with probability P whatever its result bits are,
 * and else by their chance.
 */
static inline double
ribbon_rate_of(double probability, double chance)
{
	return probability + (1 - probability) * chance;
}

/*
 * ribbon_rate_count as the P of a header: 0 if the rate is not above the
 * columns' own.
 */
extern RibbonStatus ribbon_rate_excess(const RibbonEnv *env,
									   const RibbonSystem *system,
									   RibbonResultBits result_bits,
									   const uint64_t *doubtful,
									   double *probability);

#endif /* RIBBON_RATE_H */
