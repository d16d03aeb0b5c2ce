/*
 * window.h - a part of a system, whose band is in memory
 *
 * A system is filled window by window (fill.h).  Within a window, each bucket
 * is banded by a sweep (solve/sweep.h).  In a homogeneous system that is all:
 * what its slots do not take is stored in its seam, which is the next window.
 *
 * A window of a bumped layer has two parts:
 *
 *----------
 *	 |---- window 0 -----|---- window 1 -----|---- window 2 -----| ...
 *	 |   body     | tail |   body     | tail |   body     | tail |
 *	      1          2        1          2        1          2
 *----------
 *
 * Which keys are bumped depends on what was inserted before them.  So the order
 * is fixed, whatever the number of threads and their speed: a window's body,
 * which does not reach into the next window, and its tail when the next
 * window's body has been filled.  Keys of a tail may be stored in the first
 * buckets of the next window, its seam.  To leave slots for them, the keys
 * below the upper threshold of a window's first bucket do not belong to its
 * body.  They come last in the tail of the previous window, which bumps those
 * that do not fit.  (BuRR 7.3 bumps all keys that start in w slots between the
 * parts that are solved in parallel.)
 *
 * How many slots stay empty at the end of a tail depends on how many keys reach
 * its last buckets.  So a tail is filled with each threshold of its first
 * bucket but the highest, and the one that leaves fewest slots empty is kept.
 */
#ifndef RIBBON_WINDOW_H
#define RIBBON_WINDOW_H

#include "construct/cut.h"
#include "set/read.h"
#include "solve/sweep.h"

typedef struct RibbonWindow
{
	const RibbonCut *cut;
	uint64_t number;
	RibbonExtent at;	  /* where it lies */
	RibbonSetRange range; /* its hashes; records if there is a supply */
	size_t tail; /* the body has hashes before this index, the tail others */
	const RibbonSupply *supply; /* of results; NULL: of fingerprints */
	size_t stride;				/* words of an element */
	RibbonBand band; /* slots at.begin .. at.seam_end - 1 of the system */
	uint8_t *codes;	 /* of thresholds, a byte each, from at.first_bucket on: the
					 * window's, and those of the next one's first unit */
	size_t *ends;	 /* of as many buckets that have hashes: the index of the
					 * first hash of the next one, once they are filled */
	RibbonSweep *sweep; /* of one bucket at a time */

	/* before the tail is filled, as it may be several times: */
	RibbonBand saved; /* the tail's slots */
	uint8_t end_code; /* that of at.end_bucket */
} RibbonWindow;

/* A slot of the layer as one of the window's band. */
static inline uint64_t
ribbon_window_slot(const RibbonWindow *window, uint64_t slot)
{
	return slot - window->at.begin;
}

/* The code of a bucket's threshold. */
static inline uint8_t *
ribbon_window_code(const RibbonWindow *window, uint64_t bucket)
{
	return &window->codes[bucket - window->at.first_bucket];
}

/* The index of the first hash behind a bucket's: it has some, and is filled. */
static inline size_t *
ribbon_window_end(const RibbonWindow *window, uint64_t bucket)
{
	return &window->ends[bucket - window->at.first_bucket];
}

/*
 * Get memory for one window at a time, any of a layer's.  supply is that of the
 * results, NULL for fingerprints of hashes.  Errors: RIBBON_OUT_OF_MEMORY.
 * ribbon_window_free is to be called after a failure too.
 */
extern RibbonStatus ribbon_window_create(const RibbonEnv *env,
										 RibbonWindow *window,
										 const RibbonCut *cut,
										 const RibbonSupply *supply);
extern void ribbon_window_free(const RibbonEnv *env, RibbonWindow *window);

/*
 * Begin window g, whose hashes (ribbon_cut_least_hash) are in range.  The band
 * is empty then, but for a seam that has been handed on to it.  Errors:
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_window_begin(const RibbonEnv *env,
										RibbonWindow *window, uint64_t g);

/*
 * Fill the body.  Several threads may fill windows of a layer at the same time.
 * Errors, here and below: RIBBON_INTERRUPTED; RIBBON_SUSPICIOUS (salt.h) if a
 * bucket has more hashes than a sweep can take, or an equation fits nowhere
 * that is not to be bumped.
 */
extern RibbonStatus ribbon_window_fill_body(const RibbonEnv *env,
											RibbonWindow *window);

/*
 * Fill the tail, when the next window has handed its seam on.  The window can
 * be solved then.
 */
extern RibbonStatus ribbon_window_fill_tail(const RibbonEnv *env,
											RibbonWindow *window);

/*
 * Of a layer, after ribbon_window_fill_tail: write the window's thresholds to
 * the layer's; and once more those of the first unit of the next window, whose
 * first bucket the tail may have raised.
 */
extern void ribbon_window_thresholds(RibbonWindow *window, uint8_t *thresholds);

/*
 * Hand the seam, slots and the first unit's codes, on to the window to the
 * left: to is that window, or if it has not begun, the memory that it will
 * have, which may be this one's.
 */
extern void ribbon_window_hand_on(const RibbonWindow *window, RibbonWindow *to);

/*
 * window_buckets.c, for window.c
 */

/*
 * The index of the first of hashes low .. high - 1 that starts at start or
 * behind, or high.
 */
extern size_t ribbon_window_find(const RibbonWindow *window, size_t low,
								 size_t high, uint64_t start);

/* How many buckets of this one's group have codes above 1: exceptions. */
extern unsigned ribbon_window_exceptions(const RibbonWindow *window,
										 uint64_t bucket);

/*
 * Fill the buckets of hashes begin .. end - 1.  Where a bucket's code is not 0,
 * it gets at least that threshold.
 */
extern RibbonStatus ribbon_window_fill_buckets(const RibbonEnv *env,
											   RibbonWindow *window,
											   size_t begin, size_t end,
											   uint64_t slot_limit);

#endif /* RIBBON_WINDOW_H */
