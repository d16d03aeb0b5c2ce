/*
 * slide.h - a system is filled and solved, window by window, from right to left
 *
 * It goes so for a bumped layer and for a homogeneous system.  In memory is one
 * window (window.h), or one for each thread.  Its band ends with the seam: the
 * first slots of the window to its right, which wait as equations, because keys
 * of this window may be stored there.
 *
 *----------
 *	 slots           begin               end          seam_end
 *	 window g          |------------------|~~~~~~~~~~~~|
 *	 window g + 1                         |------------+------ ...
 *	 solved with g            <-----------+----------->|  solved before
 *	                          | seam of window g, kept for window g - 1
 *----------
 *
 * So with window g the slots from its own seam on are solved, up to where the
 * windows to its right have been.  In a layer a seam is short, since a key that
 * would be stored behind it is bumped.  In a homogeneous system, which bumps
 * nothing, it is all of the next window: where this overflows, hashes are
 * suspicious.
 *
 * Each thread fills the body of a window, which reaches into no seam.  What
 * waits for the window to the right, the tail, is filled by the caller's thread
 * then.  How far an equation goes in a homogeneous system is not known before,
 * so its windows are all tail: one is in memory, and one thread fills it.
 */
#ifndef RIBBON_SLIDE_H
#define RIBBON_SLIDE_H

#include "construct/intake.h"
#include "construct/window.h"
#include "solve/backsubst.h"

/* A window in memory, and room for its hashes. */
typedef struct RibbonPart
{
	RibbonWindow window;
	RibbonSetRange range;
} RibbonPart;

typedef struct RibbonSlide
{
	const RibbonEnv *env;
	RibbonCut cut;
	RibbonIntake intake;
	RibbonPart *parts;
	unsigned nparts;
	uint64_t last; /* number of the window in parts[0]; parts[1] has the one to
					* its left, and so on */
	int layer;	   /* for RibbonEnv.progress */
	bool filled;   /* has the only window got all hashes? */
	bool again;	   /* has ribbon_slide_run ended before? */
} RibbonSlide;

/*
 * Begin to fill a system with all hashes, or records if there is a supply.
 * What is pointed to is used until ribbon_slide_free, which is to be called
 * after a failure too; accept_clustered: see ribbon_intake.  Errors:
 * RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_slide_create(const RibbonEnv *env,
										RibbonSlide *slide,
										const RibbonCut *cut,
										const RibbonSet *hashes,
										const RibbonSupply *supply,
										bool accept_clustered);
extern void ribbon_slide_free(RibbonSlide *slide);

/*
 * Called with a window that has been filled and solved, before its seam is
 * handed on.  A status other than RIBBON_OK ends ribbon_slide_run.
 */
typedef RibbonStatus (*RibbonSlideTake)(void *arg, RibbonWindow *window);

/*
 * Fill all windows, and solve them as task says, of which band, begin and end
 * are set.  take may be NULL.  Once more solves the same hashes, perhaps for
 * other result bits; they are banded again unless there is one window.  After a
 * failure the slide is only to be freed.  Errors: RIBBON_SUSPICIOUS (salt.h) if
 * a bucket has more hashes than a sweep can take, if a homogeneous system's
 * equation fits nowhere, and as intake.h says; RIBBON_INTERRUPTED, those of
 * files and of take.
 */
extern RibbonStatus ribbon_slide_run(RibbonSlide *slide, RibbonBacksubst *task,
									 RibbonSlideTake take, void *arg);

#endif /* RIBBON_SLIDE_H */
