/*
 * trial.h - a homogeneous system solved before its result bits are known
 *
 * The result bits that give the FPR depend on P (homog.h), which is counted for
 * each band (solve/span.h); so they differ from set to set.  But a column of
 * the solution does not depend on how many other columns there are.  So as soon
 * as slots are final they are solved, with as many columns in each block as the
 * filter may have in any.  That shows which few starts P depends on
 * (ribbon_rate_doubt), and the filter keeps those of the columns that it needs.
 *
 *----------
 *	 slots	  0 .. 63			64 .. 127			128 .. 191
 *	 trial	 |0 1 2 3 4 5 6 7 8|0 1 2 3 4 5 6 7 8|0 1 2 3 4 5 6 7 8|
 *	 filter	 |0 1 2 3 4 5 6 7|0 1 2 3 4 5 6 7|0 1 2 3 4 5 6 7 8|
 *----------
 *
 * If only two windows of the band are in memory (slide.h), only one window of
 * the trial is.  Then the trial gives P, and the filter is solved anew.
 */
#ifndef RIBBON_TRIAL_H
#define RIBBON_TRIAL_H

#include "construct/slide.h"
#include "solve/backsubst.h"

struct RibbonSpan; /* solve/span.h */

typedef struct RibbonTrial
{
	RibbonResultBits result_bits; /* that the filter is expected to have */
	RibbonSystem system; /* to solve: all slots, or a window and a block */
	RibbonBacksubst run;
	uint64_t nslots;	/* of the slide's system */
	uint8_t *window;	/* the slots of a window; NULL: those of the filter */
	uint64_t *doubtful; /* starts of the system (ribbon_rate_doubt) */
	struct RibbonSpan *span;
} RibbonTrial;

/* The trial's result bits, if the filter is expected to have result_bits. */
extern RibbonResultBits ribbon_trial_columns(RibbonResultBits result_bits);

/*
 * Begin a trial of the slide's system, for a filter that is expected to have
 * result_bits.  If slide->whole, slots has zeroed room for the system with
 * ribbon_trial_columns(result_bits), which the trial writes; otherwise it is
 * NULL.  ribbon_trial_free is to be called after a failure too.
 * Errors: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_trial_create(const RibbonEnv *env,
										RibbonTrial *trial,
										const RibbonSlide *slide,
										RibbonResultBits result_bits,
										uint8_t *slots);

/*
 * Band the slide's hashes and solve the trial.  *suspicious is set to whether
 * the hashes are; if not, *probability is set to ribbon_span_mean for nbits
 * result bits.  Errors: those of ribbon_slide_run.
 */
extern RibbonStatus ribbon_trial_run(RibbonTrial *trial, RibbonSlide *slide,
									 unsigned nbits, double *probability,
									 bool *suspicious);

/* Also for a zeroed trial. */
extern void ribbon_trial_free(const RibbonEnv *env, RibbonTrial *trial);

#endif /* RIBBON_TRIAL_H */
