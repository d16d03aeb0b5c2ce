/*
 * exact_form.h - which exact set takes the fewest bytes
 *
 * An exact set is a filter that is right about every key of a universe.
 * A BuRR filter of the n members has r columns, and N / 2^r of the N other
 * keys pass it.  Behind it is one column of retrieval over all keys that pass,
 * members or not: the bit says which.  With K = N / n that takes
 *
 *	 r + 1 + K / 2^r bits per member, least at r = floor(log2 K),
 *
 * 8.08 for K = 69, where the least that any structure can do is log2 K + 1.44 =
 * 7.55.  A rate between two whole r never helps: both the bits and the keys
 * that pass are linear in the share of either.  For K below 2 one column over
 * all keys of the universe, 1 + K bits per member, is smaller.  For K below 1/2
 * the filter is of the others, and n and N change their places in all this.
 *
 * With a rate f for keys outside the universe, the filter is always of the
 * members.  The column says yes to half of the keys outside that reach it, so
 * that with a filter of the rate g in front the rate is g / 2.  Thus g = 2 f,
 * or less where that is smaller, down to 2^-31: the mask (format/format.h) must
 * be a bit that the filter does not check.  With g = 2 f a member costs as much
 * as in a filter at f alone, and any other key 2 f bits.  If it is likely that
 * no other key passes a filter at f, that is tried first, for it needs no
 * column.
 *
 * A form is the filter's result bits; none stand for one column over all keys.
 * Which form is smallest is computed from the sizes that filters can be
 * expected to have (construct/size.c), which depend on n and N alone; of small
 * universes, all forms that come close to the least are built, and the smallest
 * is kept.  So the same sets give the same bytes.
 */
#ifndef RIBBON_EXACT_FORM_H
#define RIBBON_EXACT_FORM_H

#include "format/result_bits.h"
#include "ribbon_core.h"

/*
 * Of filters without regard to a rate, those are looked at that have floor(log2
 * K) result bits, one less, or up to so many more; and one by the rate.
 */
#define RIBBON_MORE_EXACT_BITS 5
#define RIBBON_MAX_EXACT_FORMS (RIBBON_MORE_EXACT_BITS + 3)

/* The two sides of a universe, on which sizes depend. */
typedef struct RibbonSides
{
	const RibbonParams *params;
	RibbonResultBits rate; /* of params->fpr */
	uint64_t nrare;		   /* keys of the filter */
	uint64_t nmost;		   /* the other keys of the universe */
} RibbonSides;

/*
 * Keys that can be expected to pass the filter: the rare ones, and some others;
 * and the bytes that a column over nkeys can be expected to take.
 */
extern uint64_t ribbon_exact_expect_passed(const RibbonSides *sides,
										   RibbonResultBits form);
extern uint64_t ribbon_exact_expect_column(const RibbonSides *sides,
										   uint64_t nkeys);

/*
 * Does a filter with these result bits, which npassed other keys pass, need a
 * column behind it: for these, or for the rate?
 */
extern bool ribbon_exact_needs_column(const RibbonSides *sides,
									  RibbonResultBits form, uint64_t npassed);

/* Is a filter at the rate worth a try, without a column? */
extern bool ribbon_exact_try_filter(const RibbonSides *sides);

/* Set forms to those that are to be built; returns how many they are. */
extern unsigned ribbon_exact_forms(const RibbonSides *sides,
								   RibbonResultBits
									   forms[RIBBON_MAX_EXACT_FORMS]);

#endif /* RIBBON_EXACT_FORM_H */
