/*
 * run.h - a run of buckets of a window, filled one after the other
 *
 * Each bucket is banded by a sweep (solve/sweep.h), which finds its threshold.
 * Sweeps of several windows, the lanes, take their steps in turn.
 */
#ifndef RIBBON_RUN_H
#define RIBBON_RUN_H

#include "construct/cut.h"
#include "set/set.h"
#include "solve/sweep.h"

typedef struct RibbonRun
{
	/* the window: */
	const RibbonCut *cut;
	RibbonExtent at;		/* where it lies */
	const uint64_t *hashes; /* or records, as the band has a supply */
	size_t nhashes;
	size_t stride;	 /* words of an element */
	RibbonBand band; /* slots at.begin .. at.seam_end - 1 of the system */
	uint8_t *codes;	 /* of thresholds, a byte each, from at.first_bucket on: the
					 * window's, and those of the next one's first unit */
	bool too_many;	 /* has a bucket more hashes than a sweep can take?  Then it
					 * is not filled, and the hashes are suspicious */
	/* the lane: */
	RibbonSweep *sweep;
	size_t next;		 /* index of the next bucket's first hash, */
	size_t end;			 /* and of the first one behind the run */
	uint64_t slot_limit; /* of the band: keys that get there do not fit */
	uint64_t bucket;	 /* the one that is being filled */
	bool busy;			 /* has its sweep begun? */
} RibbonRun;

/* A slot of the layer as one of the window's band. */
static inline uint64_t
ribbon_run_slot(const RibbonRun *run, uint64_t slot)
{
	return slot - run->at.begin;
}

/* The code of a bucket's threshold. */
static inline uint8_t *
ribbon_run_code(const RibbonRun *run, uint64_t bucket)
{
	return &run->codes[bucket - run->at.first_bucket];
}

/*
 * The index of the first of hashes low .. high - 1 that starts at start or
 * behind, or high.
 */
extern size_t ribbon_run_find(const RibbonRun *run, size_t low, size_t high,
							  uint64_t start);

/* How many buckets of this one's group have codes above 1: exceptions. */
extern unsigned ribbon_run_exceptions(const RibbonRun *run, uint64_t bucket);

/*
 * Prepare to fill the buckets of hashes begin .. end - 1.  Where a bucket's
 * code is not 0, it gets at least that threshold.
 */
extern void ribbon_run_begin(RibbonRun *run, size_t begin, size_t end,
							 uint64_t slot_limit);

/*
 * Fill what was prepared, runs[0..n) side by side; their sweeps are one array.
 * Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_run_fill(const RibbonEnv *env,
									RibbonRun *const *runs, unsigned n);

#endif /* RIBBON_RUN_H */
