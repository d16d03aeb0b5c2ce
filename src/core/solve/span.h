/*
 * span.h - how many non-members' equations follow from the keys' equations?
 *
 * A homogeneous filter says yes to a non-member whose row lies in the span of
 * the keys' rows.  The probability P of that is not left to a formula: it is
 * counted for the very band that was built.
 *
 * A random row with w' bits from slot s on, bit s set, is in the span if it is
 * one of the span's vectors that have that shape.  Bring the band's rows into
 * the form where not only all first bits but also all last bits differ (the
 * "minimal span form" of coding theory): then the vectors of the span that
 * live within slots s .. s+w'-1 are exactly the sums of those rows that do.
 * With d of them,
 *
 *		P(s) = 2^(d-1) / 2^(w'-1)	if slot s is filled, else 0
 *
 * and d is the number of rows that begin at or behind s, minus the number of
 * those that end behind s+w'-1.
 *
 * The w' - d dimensions that are left go to the r result bits.  If they are
 * more than r, and empty slots hold independent rows, exactly one non-member in
 * 2^r has result zero, those in the span among them.  So only what P(s) has in
 * excess of 2^-r counts.
 */
#ifndef RIBBON_SPAN_H
#define RIBBON_SPAN_H

#include "solve/band.h"

/*
 * A count that goes through the slots of a system from right to left, as far as
 * their rows are there.
 */
typedef struct RibbonSpan RibbonSpan;

/*
 * Begin one; ribbon_span_free(*span) is right in any case.
 * RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_span_create(const RibbonEnv *env,
									   const RibbonSystem *system,
									   RibbonSpan **span);

/*
 * Count slots from this one on, up to those that were counted before.  The band
 * has their rows.  RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_span_count(const RibbonEnv *env, RibbonSpan *span,
									  const RibbonBand *band, uint64_t begin);

/*
 * When all slots have been counted: the mean over the system's starting
 * positions of max(0, P(s) - 2^-r) / (1 - 2^-r).  With r = 64 this is P itself.
 */
extern double ribbon_span_mean(const RibbonSpan *span, unsigned result_bits);

extern void ribbon_span_free(const RibbonEnv *env, RibbonSpan *span);

/*
 * All of this for a band that is there as a whole: *probability is set on
 * RIBBON_OK.  Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_span_probability(const RibbonEnv *env,
											const RibbonBand *band,
											const RibbonSystem *system,
											unsigned result_bits,
											double *probability);

#endif /* RIBBON_SPAN_H */
