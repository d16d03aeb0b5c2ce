/*
 * slide.h - a homogeneous system's band, filled from right to left
 *
 * Nothing is bumped, and which slots are filled does not depend on the order in
 * which hashes are inserted.  So they are inserted window by window, from the
 * last window of slots to the first.  Equations for which window g has no empty
 * slot are stored in empty slots of window g + 1, but never behind it:
 *
 *----------
 *	 slots       begin                 middle                end
 *	 hashes start   |----- window g ------|
 *	 their rows    |=====================|>>>>>              |
 *	                                     |--- window g+1 ----|  is final then
 *----------
 *
 * When window g has been filled, window g+1 is final, and the caller takes it.
 * If the caller cannot make a filter of all windows, it runs the slide again.
 *
 * Two windows of the band are in memory.  In each run all hashes are banded,
 * unless there is one window, which stays as it is.
 *
 * Hashes are suspicious if an equation would have to be stored behind window
 * g + 1, or as intake.h says.
 */
#ifndef RIBBON_SLIDE_H
#define RIBBON_SLIDE_H

#include "construct/intake.h"
#include "solve/sweep.h"

typedef struct RibbonSlide
{
	const RibbonEnv *env;
	RibbonCut cut;
	RibbonIntake intake;
	bool filled;		  /* has the only window got all hashes? */
	bool again;			  /* has ribbon_slide_run ended before? */
	RibbonSetRange range; /* hashes of a window */
	RibbonBand memory;	  /* of two windows, or the only one */
	RibbonBand band;	  /* the part of memory from window g on */
	const uint64_t *next; /* hash of the window to be banded, up to end */
	const uint64_t *end;
	RibbonSweep *sweep; /* NULL: so few hashes that its rows might be short */
	bool overflowed;	/* has an equation left the band, or a sweep no room? */
} RibbonSlide;

/*
 * Begin to band the hashes of a system.  Both are used until ribbon_slide_free,
 * which is to be called after a failure too.  Errors: RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_slide_create(const RibbonEnv *env,
										RibbonSlide *slide,
										const RibbonSystem *system,
										const RibbonSet *hashes);

/*
 * Called with slots begin .. end - 1 of the system, which will not change any
 * more; band has them until the call returns.  A status other than RIBBON_OK
 * ends ribbon_slide_run.
 */
typedef RibbonStatus RibbonSlideTake(const RibbonEnv *env, void *arg,
									 const RibbonBand *band, uint64_t begin,
									 uint64_t end);

/*
 * Band all hashes, or if the only window is filled, leave that as it is; and
 * call take for each window of slots, from right to left.
 * After a failure the slide is not to be used any more but by
 * ribbon_slide_free.  Errors: RIBBON_SUSPICIOUS (salt.h), RIBBON_INTERRUPTED,
 * those of files and of take.
 */
extern RibbonStatus ribbon_slide_run(RibbonSlide *slide, RibbonSlideTake *take,
									 void *arg);

extern void ribbon_slide_free(const RibbonEnv *env, RibbonSlide *slide);

#endif /* RIBBON_SLIDE_H */
