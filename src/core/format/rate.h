/*
 * rate.h - to how many non-members does this very solution say yes?
 *
 * span.h tells how many non-members' equations follow from the keys'.  What a
 * homogeneous filter says to the others depends on the solution: that empty
 * slots hold independent rows does not mean that every window of w' slots has
 * enough of them.  So the finished filter's rate is counted.
 *
 * A non-member that starts at slot s has bit s set and the w' - 1 bits behind it
 * at random.  Its result is zero if those behind add up to result row Z[s]:
 *
 *		P(zero | s) = 2^-rank(Z[s+1] .. Z[s+w'-1])	 if Z[s] is in their span,
 *					  else 0
 *
 * A column of ICML is one bit of all these rows, so the rank is that of the r
 * column words, cut to the window: an elimination among r words.
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
