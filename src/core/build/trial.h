/*
 * trial.h - a homogeneous system solved before its result bits are known
 *
 * How many result bits make up the FPR depends on P (homog.h), and P on the
 * whole band (span.h).  But more or fewer columns change none of the others.  So
 * as soon as slots are final they are solved with as many columns as there may
 * be in any block.  That solution tells which few starts P depends on, and the
 * filter keeps the columns that it turns out to need.
 *
 *----------
 *	 slots	  0 .. 63			64 .. 127			128 .. 191
 *	 trial	 |0 1 2 3 4 5 6 7 8|0 1 2 3 4 5 6 7 8|0 1 2 3 4 5 6 7 8|
 *	 filter	 |0 1 2 3 4 5 6 7|0 1 2 3 4 5 6 7|0 1 2 3 4 5 6 7 8|
 *----------
 *
 * Of a band of which two windows are in memory, so is of the trial: it tells P
 * and is forgotten.
 */
#ifndef RIBBON_TRIAL_H
#define RIBBON_TRIAL_H

#include "build/slide.h"
#include "solve/backsubst.h"

struct RibbonSpan; /* span.h */

typedef struct RibbonTrial
{
	RibbonResultBits result_bits; /* that the filter is expected to have */
	RibbonSystem system; /* all slots, or those of a window and a block */
	RibbonBacksubst run;
	uint64_t nslots;	/* of the slide's system */
	uint8_t *window;	/* the slots of a window; NULL: those of the filter */
	uint64_t *doubtful; /* starts of the system (ribbon_rate_doubt) */
	struct RibbonSpan *span;
} RibbonTrial;

/* As many columns in each block as a filter of these result bits may have. */
extern RibbonResultBits ribbon_trial_columns(RibbonResultBits result_bits);

/*
 * Begin one of the slide's system.  slots has room for all of its slots in
 * ribbon_trial_columns(result_bits), zeroed, if the slide's band is whole; it is
 * NULL if not.  ribbon_trial_free is right in any case.  RIBBON_OUT_OF_MEMORY,
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_trial_create(const RibbonEnv *env,
										RibbonTrial *trial,
										const RibbonSlide *slide,
										RibbonResultBits result_bits,
										uint8_t *slots);

/*
 * Band and solve.  If the hashes are not *suspicious, *probability is P for
 * non-members that check so many bits at most (ribbon_span_mean).  Errors are those
 * of ribbon_slide_run.
 */
extern RibbonStatus ribbon_trial_run(RibbonTrial *trial, RibbonSlide *slide,
									 unsigned nbits, double *probability,
									 bool *suspicious);

extern void ribbon_trial_free(const RibbonEnv *env, RibbonTrial *trial);

#endif /* RIBBON_TRIAL_H */
