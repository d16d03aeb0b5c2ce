/*
 * cut.h - where a bumped layer is cut into windows
 *
 * A large layer is filled window by window (window.h), several side by side.
 *
 *----------
 *	 slots	 |--- window 0 ---|--- window 1 ---|--- window 2 ---| ...
 *	 hashes	 |~~~~ of window 0 ~~|~~~~~ of window 1 ~~|~~~~~~ ...
 *----------
 *
 * Cuts lie where the layer's slots and its bucket scheme have them, whatever
 * the machine and the number of threads.  Windows begin at whole units of
 * thresholds and at whole ICML blocks, so that no two write to the same byte.
 * The keys below the upper threshold of a window's first bucket belong to the
 * window before.
 */
#ifndef RIBBON_CUT_H
#define RIBBON_CUT_H

#include "format/buckets.h"

#define RIBBON_CUT_LANES 4 /* windows side by side, at most */

/*
 * About the slots of all windows that are side by side.  A layer of fewer than
 * RIBBON_CUT_WHOLE slots is one window.  (A fuzzer has other sizes:
 * test/fuzz/windows.h.)
 */
#ifndef RIBBON_CUT_SLOTS
#define RIBBON_CUT_SLOTS ((uint64_t) 1 << 19)
#define RIBBON_CUT_WHOLE 131072
#endif

#define RIBBON_SEAM_BUCKETS 4 /* of a window, for keys of the one before */

/* A layer, and its windows. */
typedef struct RibbonCut
{
	const RibbonSystem *system;
	const RibbonBuckets *buckets;
	unsigned lanes;	   /* windows that are filled side by side, */
	uint64_t nwindows; /* a multiple of these */
} RibbonCut;

/*
 * Is a layer of so many slots one window, whose hashes are always in memory?
 */
extern bool ribbon_cut_is_whole(const RibbonBuckets *buckets, uint64_t nslots);

/* Cut a layer; the result refers to both. */
extern RibbonCut ribbon_cut(const RibbonSystem *system,
							const RibbonBuckets *buckets);

/*
 * The first bucket of window g, and its first slot; if g is the number of
 * windows, the number of buckets, and nslots.
 */
extern uint64_t ribbon_cut_bucket(const RibbonCut *cut, uint64_t g);
extern uint64_t ribbon_cut_begin(const RibbonCut *cut, uint64_t g);

/*
 * The least hash that may belong to window g.  Its hashes are those of its
 * slots, without the keys of its first bucket that belong to the previous
 * window, and with such keys of the next window's first bucket.
 */
extern uint64_t ribbon_cut_least_hash(const RibbonCut *cut, uint64_t g);

/* Buckets of a tail: so many that a body's keys do not reach its end. */
static inline uint64_t
ribbon_cut_tail_buckets(const RibbonCut *cut)
{
	return (cut->system->width >> cut->buckets->log2_size) + 2;
}

/* Slots of a seam: the first of a window, where the tail before may end. */
static inline uint64_t
ribbon_cut_seam(const RibbonCut *cut)
{
	return (uint64_t) RIBBON_SEAM_BUCKETS << cut->buckets->log2_size;
}

/*
 * The code of the threshold up to which keys of a window's first bucket belong
 * to the previous window: the highest but that which bumps all, or the only one
 * that is no exception.
 */
static inline unsigned
ribbon_cut_upper_code(const RibbonBuckets *buckets)
{
	return buckets->grouped ? 1 : 2;
}

#endif /* RIBBON_CUT_H */
