/*
 * slide.h - a homogeneous system's band, filled from right to left
 *
 * Nothing is bumped, and which slots are filled does not depend on the order in
 * which hashes are inserted.  So the hashes of one window of slots after the
 * other are, from the last window to the first.  What does not fit flows to the
 * right, into slots of the next window that are still empty, and no further:
 *
 *----------
 *	 slots       begin                 middle                end
 *	 hashes start   |----- window g ------|
 *	 their rows    |=====================|>>>>>              |
 *	                                     |--- window g+1 ----|  is final then
 *----------
 *
 * When window g has been filled, window g+1 is final, and the caller takes what
 * has become of it: first for a trial (trial.h), and once more if the filter
 * cannot be made of that.
 *
 * The hashes of a store have two windows in memory, and are banded both times.
 * Hashes in an array have the whole band, and are banded once, unless there are
 * many of them and rows are wider than a hash.
 *
 * Hashes that fill a window so that some flow through all of it are no accident,
 * and neither are those that are too many for one, or crowd a place of it
 * (cluster.h): they are suspicious.
 * Where hashes are does not matter to that: an array's are refused for it, too.
 */
#ifndef RIBBON_SLIDE_H
#define RIBBON_SLIDE_H

#include "build/hashes.h"
#include "solve/sweep.h"

typedef struct RibbonSlide
{
	const RibbonEnv *env;
	const RibbonSystem *system;
	const RibbonHashes *hashes;
	bool whole;			  /* the memory is of all slots */
	bool filled;		  /* which are final */
	unsigned nruns;		  /* that have come to their end */
	uint64_t most_hashes; /* of a window, by chance */
	uint64_t *room;		  /* for as many, from a store */
	RibbonBand memory;	  /* of all slots, or of two windows */
	RibbonBand band;	  /* the part of it at work, from window g on */
	/* lanes that band a run of the window's hashes each, [next, end) */
	const uint64_t *next[RIBBON_SWEEP_LANES];
	const uint64_t *end[RIBBON_SWEEP_LANES];
	RibbonSweep *sweeps; /* NULL if the hashes are few */
	bool overflowed;	 /* the band at work */
	RibbonStatus status; /* of what a lane had to do itself */
} RibbonSlide;

/*
 * Begin to band a system's hashes; both stay where they are.  ribbon_slide_free is
 * right in any case.  RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_slide_create(const RibbonEnv *env,
										RibbonSlide *slide,
										const RibbonSystem *system,
										const RibbonHashes *hashes);

/* Take slots begin .. end - 1, which are final, from the band. */
typedef RibbonStatus RibbonSlideTake(const RibbonEnv *env, void *arg,
									 const RibbonBand *band, uint64_t begin,
									 uint64_t end);

/* Slots of the largest window. */
extern uint64_t ribbon_slide_most_slots(const RibbonSlide *slide);

/*
 * Go through all slots, from right to left.  *suspicious is set if more hashes cluster in
 * one place than chance explains; then the slide is not to be used any more.
 * Errors: RIBBON_INTERRUPTED, those of stores and of take.
 */
extern RibbonStatus ribbon_slide_run(RibbonSlide *slide, RibbonSlideTake *take,
									 void *arg, bool *suspicious);

extern void ribbon_slide_free(const RibbonEnv *env, RibbonSlide *slide);

#endif /* RIBBON_SLIDE_H */
