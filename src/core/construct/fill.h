/*
 * fill.h - a system is filled and solved, window by window, from right to left
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
#ifndef RIBBON_FILL_H
#define RIBBON_FILL_H

#include "construct/window.h"
#include "solve/backsubst.h"

typedef struct RibbonFill
{
	const RibbonEnv *env;
	RibbonCut cut;
	const RibbonSet *hashes;
	bool accept_clustered; /* nothing is suspicious */
	uint64_t most_hashes;  /* of a window, by chance */
	uint64_t nread;		   /* hashes so far */
	RibbonWindow *windows; /* nheld of them, in memory */
	unsigned nheld;
	uint64_t last; /* number of windows[0]; windows[1] is the one to its left,
					* and so on */
	int layer;	   /* for RibbonEnv.progress */
	bool again;	   /* has ribbon_fill_solve ended before? */
} RibbonFill;

/*
 * Begin to fill a system with all hashes, or records if there is a supply.
 * What is pointed to is used until ribbon_fill_free, which is to be called
 * after a failure too.  Errors: RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_fill_create(const RibbonEnv *env, RibbonFill *fill,
									   const RibbonCut *cut,
									   const RibbonSet *hashes,
									   const RibbonSupply *supply,
									   bool accept_clustered);
extern void ribbon_fill_free(RibbonFill *fill);

/*
 * Called with a window that has been filled and solved, before its seam is
 * handed on.  A status other than RIBBON_OK ends ribbon_fill_solve.
 */
typedef RibbonStatus (*RibbonFillTake)(void *arg, RibbonWindow *window);

/*
 * Fill all windows, and solve them.  task has system, slots and free_row; band,
 * begin and end are set here.  take may be NULL.  Once more solves the same
 * hashes, perhaps for other result bits; they are banded again unless there is
 * one window.  After a failure the fill is only to be freed.
 *
 * Errors: RIBBON_SUSPICIOUS (salt.h) if a bucket has more hashes than a sweep
 * can take, if a homogeneous system's equation fits nowhere, and unless
 * accept_clustered if a window has too many hashes, or if they cluster
 * (cluster.h): in an array, too, since bytes must not depend on where hashes
 * were.  RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED, those of files and of take.
 */
extern RibbonStatus ribbon_fill_solve(RibbonFill *fill, RibbonBacksubst *task,
									  RibbonFillTake take, void *arg);

#endif /* RIBBON_FILL_H */
