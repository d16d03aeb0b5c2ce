/*
 * span.h - P: how many non-members' equations follow from the keys' equations
 *
 * A homogeneous filter says yes to a non-member whose row lies in the span of
 * the keys' rows [RF 4.1, lemma 4.2].  The probability P of that is not
 * computed from a formula, but counted for the band that was built.
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
 *
 * To count slot s from slot s + 1 takes one insertion, 38 ns.  But P(s) exceeds
 * 2^-r at few starts s.  The w' - d dimensions are also those of all solutions,
 * cut to slots s .. s+w'-1, so they are at least the rank of the columns of any
 * one solution there.  Where the columns of a solution have full rank, r or
 * more, P(s) has no excess (ribbon_rate_doubt in format/rate.h).  Of random
 * sets of w = 64, one start in 1,300 is left to be counted at 2^-8, one in 430
 * at 1 %.
 */
#ifndef RIBBON_SPAN_H
#define RIBBON_SPAN_H

#include "solve/band.h"

/*
 * The state of a count, which goes through a system's slots from right to left.
 */
typedef struct RibbonSpan RibbonSpan;

/*
 * Begin a count of a homogeneous system's slots; system is used until
 * ribbon_span_free(*span), which is to be called after a failure too.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_span_create(const RibbonEnv *env,
									   const RibbonSystem *system,
									   RibbonSpan **span);

/*
 * Count those starts s = begin .. end - 1 whose bit s - first is set in the
 * bitmap starts, or all of them if starts is NULL.  end is nslots in the first
 * call, and then the previous call's begin; the band has the rows of slots
 * begin .. end - 1.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_span_count(const RibbonEnv *env, RibbonSpan *span,
									  const RibbonBand *band, uint64_t begin,
									  uint64_t end, const uint64_t *starts,
									  uint64_t first);

/*
 * When all slots have been counted: the mean over the system's starting
 * positions of max(0, P(s) - 2^-r) / (1 - 2^-r), where it is 0 for those that
 * were not to be counted.  With r = 64 this is P itself.
 */
extern double ribbon_span_mean(const RibbonSpan *span, unsigned result_bits);

/* span may be NULL. */
extern void ribbon_span_free(const RibbonEnv *env, RibbonSpan *span);

#endif /* RIBBON_SPAN_H */
