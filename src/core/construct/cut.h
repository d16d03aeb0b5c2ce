/*
 * cut.h - where a bumped layer is cut into windows and stretches
 *
 * A large layer is filled window by window, and a window in stretches side by
 * side (window.h).
 *
 *----------
 *	 slots	   |------------- window 0 ------------|------------- window 1 ...
 *	 stretches |   0    |   1    |   2    |   3    |   0    |   1    |   2 ...
 *	 hashes	   |~~~~~~~~~~~ of window 0 ~~~~~~~~~~~~~~|~~~~~~~ of window 1 ...
 *----------
 *
 * Cuts lie where the layer's slots and its bucket scheme have them, whatever
 * the machine and the number of threads.  Stretches begin at whole units of
 * thresholds and at whole ICML blocks, so that no two windows write to the same
 * byte.  The keys below the upper threshold of a stretch's first bucket belong
 * to the stretch before it, and so to the window before.
 */
#ifndef RIBBON_CUT_H
#define RIBBON_CUT_H

#include "format/buckets.h"

#define RIBBON_WINDOW_STRETCHES 4 /* at most: one for each lane */

/*
 * The slots of a window, about.  A layer of fewer than RIBBON_WINDOW_STRETCHED
 * slots is one stretch, as is every window of buckets in groups.  (A fuzzer has
 * other sizes: test/fuzz/windows.h.)
 */
#ifndef RIBBON_WINDOW_SLOTS
#define RIBBON_WINDOW_SLOTS		((uint64_t) 1 << 19)
#define RIBBON_WINDOW_STRETCHED 131072
#endif

#define RIBBON_SEAM_BUCKETS 4 /* of a stretch, for keys of the one before */

/*
 * Is a layer of so many slots one window of one stretch, whose hashes are
 * always in memory?
 */
extern bool ribbon_cut_is_whole(const RibbonBuckets *buckets, uint64_t nslots);

/* The number of windows of a layer, and of stretches of each. */
extern uint64_t ribbon_cut_windows(const RibbonSystem *system);
extern unsigned ribbon_cut_stretches(const RibbonSystem *system,
									 const RibbonBuckets *buckets);

/*
 * The first bucket of stretch i, counted through the whole layer; if i is the
 * number of all stretches, the number of buckets.
 */
extern uint64_t ribbon_cut_stretch_bucket(const RibbonSystem *system,
										  const RibbonBuckets *buckets,
										  uint64_t i);

/*
 * The first bucket of window g, and its first slot; if g is the number of
 * windows, the number of buckets, and nslots.
 */
extern uint64_t ribbon_cut_bucket(const RibbonSystem *system,
								  const RibbonBuckets *buckets, uint64_t g);
extern uint64_t ribbon_cut_begin(const RibbonSystem *system,
								 const RibbonBuckets *buckets, uint64_t g);

/*
 * The hashes of window g are first <= hash <= last.  They are those of its
 * slots, without the keys of its first bucket that belong to the previous
 * window's last stretch, and with such keys of the next window's first bucket.
 */
extern void ribbon_cut_range(const RibbonSystem *system,
							 const RibbonBuckets *buckets, uint64_t g,
							 uint64_t *first, uint64_t *last);

/* Buckets of a tail: so many that a body's keys do not reach its end. */
static inline uint64_t
ribbon_cut_tail_buckets(const RibbonSystem *system,
						const RibbonBuckets *buckets)
{
	return (system->width >> buckets->log2_size) + 2;
}

/* Slots of a seam: the first of a stretch, where the tail before may end. */
static inline uint64_t
ribbon_cut_seam(const RibbonBuckets *buckets)
{
	return (uint64_t) RIBBON_SEAM_BUCKETS << buckets->log2_size;
}

/*
 * The code of the threshold up to which keys of a stretch's first bucket belong
 * to the previous stretch: the highest but that which bumps all, or the only
 * one that is no exception.
 */
static inline unsigned
ribbon_cut_upper_code(const RibbonBuckets *buckets)
{
	return buckets->grouped ? 1 : 2;
}

#endif /* RIBBON_CUT_H */
