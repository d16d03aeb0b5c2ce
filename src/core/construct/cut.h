/*
 * cut.h - where a large system is cut into windows
 *
 * A window is what is in memory at a time: its band fits a cache, whatever the
 * size of the set.  Windows are filled from the last one to the first.
 *
 *----------
 *	 slots	 |--- window 0 ---|--- window 1 ---|--- window 2 ---| ...
 *	 hashes	 |~~~~ of window 0 ~~|~~~~~ of window 1 ~~|~~~~~~ ...
 *----------
 *
 * Cuts lie where the system's slots and its buckets have them, whatever the
 * machine and the number of threads.  All windows begin at whole ICML blocks.
 *
 * A bumped layer's windows (window.h) begin at whole units of thresholds, too,
 * so that no two write to the same byte.  The keys below the upper threshold of
 * a window's first bucket belong to the window before.
 *
 * In a homogeneous system a window has the hashes that start in its slots, and
 * its seam is the next window.  With its hashes it fits the second cache.
 */
#ifndef RIBBON_CUT_H
#define RIBBON_CUT_H

#include "format/buckets.h"

/*
 * The most slots of a window; and of one whose buckets are in groups: there are
 * fewer tails so, where exceptions are most frequent.  A layer of fewer slots
 * is one window.  (A fuzzer has other sizes: test/fuzz/windows.h.)
 */
#ifndef RIBBON_CUT_SLOTS
#define RIBBON_CUT_SLOTS   UINT64_C(131072)
#define RIBBON_CUT_GROUPED UINT64_C(524288)
#endif

/* Of a layer whose buckets are not in groups, windows come in so many. */
#define RIBBON_CUT_TOGETHER 4

#define RIBBON_SEAM_BUCKETS 4 /* of a window, for keys of the one before */

/* A system, and its windows. */
typedef struct RibbonCut
{
	const RibbonSystem *system;
	const RibbonBuckets *buckets;
	bool bumps; /* a layer's? */
	uint64_t nwindows;
	uint64_t unit; /* windows begin at multiples of so many buckets */
	unsigned skip; /* slots of a window whose keys the one before has */
} RibbonCut;

/* Where a window lies. */
typedef struct RibbonExtent
{
	uint64_t begin; /* its slots are begin .. end - 1 */
	uint64_t end;
	uint64_t seam_end; /* end .. seam_end - 1 are its seam in the next one */
	uint64_t first_bucket;
	uint64_t tail_bucket; /* the tail's first one (window.h) */
	uint64_t end_bucket;  /* the next window's first one */
} RibbonExtent;

/* The last window has no seam. */
static inline bool
ribbon_extent_is_last(const RibbonExtent *extent)
{
	return extent->seam_end == extent->end;
}

/*
 * Is a layer of so many slots one window, whose hashes are always in memory?
 */
extern bool ribbon_cut_is_whole(const RibbonBuckets *buckets, uint64_t nslots);

/* Cut a layer, or a homogeneous system; the result refers to these. */
extern RibbonCut ribbon_cut_layer(const RibbonSystem *system,
								  const RibbonBuckets *buckets);
extern RibbonCut ribbon_cut_homogeneous(const RibbonSystem *system);

/* The most slots of a window and its seam. */
extern uint64_t ribbon_cut_most_slots(const RibbonCut *cut);

/* Where window g lies. */
extern RibbonExtent ribbon_cut_extent(const RibbonCut *cut, uint64_t g);

/*
 * The least hash that may belong to window g.  Its hashes are those of its
 * slots, but for the first cut->skip of them, and of so many slots of the next
 * window.
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
