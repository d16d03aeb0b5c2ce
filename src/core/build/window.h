/*
 * window.h - some 500,000 slots of a bumped layer, to be filled on their own
 *
 * A large layer is filled and solved window by window, so that only one of them
 * (or one for each thread) is in memory as a band, and so that it fits a cache.
 * Within a window, each bucket is banded by a sweep (sweep.h), whose steps
 * depend on one another; so it is cut into stretches of buckets that are
 * filled side by side, a step of each in turn, which keeps the CPU busy.
 *
 *----------
 *	 |---- stretch 0 ----|---- stretch 1 ----|---- stretch 2 ----| ...
 *	 |   body     | tail |   body     | tail |   body     | tail |
 *	      1          2        1          2        1          2
 *----------
 *
 * What is bumped depends on what was inserted before, so the order must not
 * depend on the number of lanes or threads or their speed.  It is this: first
 * all bodies, which cannot reach into each other, then all tails.  A tail's
 * keys overflow into the next stretch, which may be the next window's, as any
 * bucket's do into the next one.  To leave slots for them there, the keys below
 * the upper threshold of a stretch's first bucket are not the body's but come
 * last in the tail before it, which bumps them as far as it must.  (BuRR 7.3,
 * to build in parallel, bumps all of them.)  How many slots stay empty at the
 * end of a tail depends on what flows into its last buckets, so it is filled
 * several times, with less or more of its first bucket bumped, and the best is
 * kept.
 *
 * Windows are solved from right to left.  The band of one covers, behind its
 * own slots, the first ones of the next window, its seam: these come with the
 * rows that the next window has left there.
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

#include "solve/sweep.h"

#define RIBBON_WINDOW_STRETCHES 4 /* one for each lane */

/*
 * Layers of fewer slots are one body; their hashes are always in memory.  (A
 * fuzzer has windows of other sizes: test/fuzz/windows.h.)
 */
#ifndef RIBBON_WINDOW_SLOTS
#define RIBBON_WINDOW_SLOTS		((uint64_t) 1 << 19)
#define RIBBON_WINDOW_STRETCHED 131072
#endif

/* A lane fills a run of buckets, one after the other. */
typedef struct RibbonLane
{
	uint64_t bucket;	 /* being filled */
	uint64_t slot_limit; /* of the band; at it an insertion has failed */
	size_t next_key;	 /* the next bucket's hashes begin here */
	size_t end_key;		 /* and the run's end here */
	bool busy;			 /* is the bucket's sweep on its way? */
} RibbonLane;

/* Hashes by index: the body is [body, tail), the tail [tail, end). */
typedef struct RibbonStretch
{
	bool last; /* of the layer */
	size_t body;
	size_t tail;
	size_t end;
	uint64_t tail_bucket; /* the tail's first */
	uint64_t end_bucket;
	uint64_t slot_limit; /* of the tail's insertions */
	unsigned end_code;	 /* of the end bucket, before the tail */
} RibbonStretch;

typedef struct RibbonWindow
{
	const RibbonEnv *env; /* of the thread at work */
	const RibbonSystem *system;
	const RibbonBuckets *buckets;
	uint8_t *thresholds; /* the layer's */
	RibbonBand band;	 /* of slots begin .. seam_end - 1 */
	uint64_t begin;
	uint64_t end;
	uint64_t seam_end;
	const uint64_t *hashes; /* sorted */
	size_t nhashes;
	unsigned nstretches;
	RibbonStretch stretches[RIBBON_WINDOW_STRETCHES];
	RibbonLane lanes[RIBBON_WINDOW_STRETCHES];
	RibbonSweep *sweeps; /* of the lanes */
	RibbonBand saved;	 /* the slots before a tail is filled */
	RibbonStatus status; /* of what a lane had to do itself */
} RibbonWindow;

/* How many windows a layer has. */
extern uint64_t ribbon_window_count(const RibbonSystem *system);

/* Where window g begins, and window g - 1 ends. */
extern uint64_t ribbon_window_begin(const RibbonSystem *system,
									const RibbonBuckets *buckets, uint64_t g);

/*
 * The hashes of window g: first <= hash <= last.  (Some of the next window's
 * first bucket are among them.)
 */
extern void ribbon_window_range(const RibbonSystem *system,
								const RibbonBuckets *buckets, uint64_t g,
								uint64_t *first, uint64_t *last);

/*
 * Memory for any one of a layer's windows; ribbon_window_free is right in any
 * case.  RIBBON_OUT_OF_MEMORY.
 */
extern RibbonStatus ribbon_window_create(const RibbonEnv *env,
										 RibbonWindow *window,
										 const RibbonSystem *system,
										 const RibbonBuckets *buckets,
										 uint8_t *thresholds);
extern void ribbon_window_free(const RibbonEnv *env, RibbonWindow *window);

/*
 * Fill window g with the hashes of its range, all but the last tail; windows can
 * do this at the same time.
 */
extern RibbonStatus ribbon_window_fill(const RibbonEnv *env,
									   RibbonWindow *window, uint64_t g,
									   const uint64_t *hashes, size_t nhashes);

/* Keep the first slots of a window, for the one before it to get as its seam. */
extern void ribbon_window_keep_seam(const RibbonWindow *window,
									RibbonBand *seam);

/* Fill the last tail, reaching into the seam, which has these slots. */
extern RibbonStatus ribbon_window_finish(const RibbonEnv *env,
										 RibbonWindow *window,
										 const RibbonBand *seam);

/* Slots of a seam, unless the layer ends before. */
extern uint64_t ribbon_window_seam(const RibbonBuckets *buckets);

#endif /* RIBBON_WINDOW_H */
