/*
 * window.h - some 2^19 slots of a bumped layer, filled independently of others
 *
 * A large layer is filled and solved window by window.  Only one window (or one
 * for each thread) is in memory as a band, and its band fits a cache.  Within a
 * window, each bucket is banded by a sweep (solve/sweep.h), whose steps depend
 * on one another.  So a window is cut into stretches of buckets that are filled
 * side by side, one by each lane, a step of each in turn.
 *
 *----------
 *	 |---- stretch 0 ----|---- stretch 1 ----|---- stretch 2 ----| ...
 *	 |   body     | tail |   body     | tail |   body     | tail |
 *	      1          2        1          2        1          2
 *----------
 *
 * Which keys are bumped depends on what was inserted before them.  So the order
 * is fixed, whatever the number of threads and their speed: first all bodies,
 * none of which reaches into the next stretch, then all tails.  Keys of a tail
 * may be stored in the first buckets of the next stretch, which may be in the
 * next window, as keys of each bucket may in the next bucket.  To leave slots
 * for them, the keys below the upper threshold of a stretch's first bucket do
 * not belong to its body.  They come last in the tail of the previous stretch,
 * which bumps those that do not fit.  (BuRR 7.3 bumps all keys that start in w
 * slots between the parts that are solved in parallel.) How many slots stay
 * empty at the end of a tail depends on how many keys reach its last buckets.
 * So a tail is filled with each threshold of its first bucket but the highest,
 * and the one that leaves fewest slots empty is kept.
 *
 * Windows are finished and solved from right to left.  The band of a window
 * has, behind the window's own slots, the first slots of the next window, its
 * seam: they get the rows that the next window's keys have stored there.
 *
 *----------
 *	 slots     begin                             end       seam_end
 *	 window g    |------------------------------- | ~~~~~~~~~ |
 *	 window g+1                                   |-----------+--------- ...
 *	                  solved with window g  <-----------------|---> already
 *----------
 */
#ifndef RIBBON_WINDOW_H
#define RIBBON_WINDOW_H

#include "construct/cut.h"
#include "solve/sweep.h"

/* A lane fills a run of buckets, one after the other. */
typedef struct RibbonLane
{
	uint64_t bucket;	 /* the one that is being filled */
	uint64_t slot_limit; /* of the band: keys that get there do not fit */
	size_t next_key;	 /* index of the next bucket's first hash */
	size_t end_key;		 /* index of the run's end */
	bool busy;			 /* has the bucket's sweep begun? */
} RibbonLane;

/* The body has hashes [body, tail) by index, the tail [tail, end). */
typedef struct RibbonStretch
{
	bool last; /* of the layer */
	size_t body;
	size_t tail;
	size_t end;
	uint64_t tail_bucket; /* the tail's first bucket */
	uint64_t end_bucket;  /* the next stretch's first bucket */
	uint64_t slot_limit;  /* of the band, for the tail's keys */
	unsigned end_code; /* threshold of end_bucket before the tail is filled */
} RibbonStretch;

typedef struct RibbonWindow
{
	const RibbonEnv *env; /* of the thread that works on it */
	const RibbonSystem *system;
	const RibbonBuckets *buckets;
	uint8_t *codes;	 /* of thresholds, a byte each, from first_bucket on: the
					  * window's, and the first unit's of the next window */
	RibbonBand band; /* of slots begin .. seam_end - 1 of the system */
	uint64_t first_bucket;
	uint64_t begin;
	uint64_t end;
	uint64_t seam_end;
	const uint64_t *hashes; /* sorted; or records, as the band has a supply */
	size_t stride;			/* words of an element */
	size_t nhashes;
	unsigned nstretches;
	RibbonStretch stretches[RIBBON_WINDOW_STRETCHES];
	RibbonLane lanes[RIBBON_WINDOW_STRETCHES];
	RibbonSweep *sweeps; /* of the lanes */
	RibbonBand saved;	 /* the tail's slots before it is filled */
	RibbonStatus status; /* of insertions one by one in next_bucket */
} RibbonWindow;

/*
 * Get memory for one window at a time, any of a layer's.  supply is that of the
 * results, NULL for fingerprints of hashes.  Errors: RIBBON_OUT_OF_MEMORY.
 * ribbon_window_free is to be called after a failure too.
 */
extern RibbonStatus ribbon_window_create(const RibbonEnv *env,
										 RibbonWindow *window,
										 const RibbonSystem *system,
										 const RibbonBuckets *buckets,
										 const RibbonSupply *supply);
extern void ribbon_window_free(const RibbonEnv *env, RibbonWindow *window);

/*
 * Fill window g, all but its last tail, with nhashes hashes, which are those of
 * ribbon_cut_range and stay until ribbon_window_finish.  Several windows of a
 * layer may be filled at the same time.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_window_fill(const RibbonEnv *env,
									   RibbonWindow *window, uint64_t g,
									   const uint64_t *hashes, size_t nhashes);

/*
 * After ribbon_window_thresholds: copy the rows and results of the first
 * ribbon_cut_seam() slots, for the previous window's seam, to the band seam;
 * and the codes of the first unit of buckets to codes, which has room for
 * RIBBON_GROUP_BUCKETS.
 */
extern void ribbon_window_keep_seam(const RibbonWindow *window,
									RibbonBand *seam, uint8_t *codes);

/*
 * Fill the last tail.  seam and codes are what the next window's
 * ribbon_window_keep_seam copied; the last window of a layer does not read
 * them.  The window can be solved then.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_window_finish(const RibbonEnv *env,
										 RibbonWindow *window,
										 const RibbonBand *seam,
										 const uint8_t *codes);

/*
 * After ribbon_window_finish: write the window's thresholds to the layer's; and
 * once more those of the first unit of the next window, whose first bucket the
 * tail may have raised.
 */
extern void ribbon_window_thresholds(RibbonWindow *window, uint8_t *thresholds);

#endif /* RIBBON_WINDOW_H */
