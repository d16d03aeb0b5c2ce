/*
 * planes.h - from hashes to a plane, of filters, maps and exact sets
 *
 * A plane is a BuRR structure [BuRR 1.1, 7], or in a homogeneous filter one
 * system [RF 4, BuRR 5].
 *
 * How ribbon_burr_build (burr.c) builds a plane; steps further in are parts of
 * the ones above them:
 *
 *----------
 *	 step							paper					file
 *	 sorted, distinct hashes		BuRR 7, 7.3				set/set.h
 *	 slots, width, buckets			RF 5.1, BuRR 8			shape
 *	 layer 0, of 0.91 n slots		BuRR 1.1, 7				layer
 *	   cut into windows				BuRR 7.3				cut
 *	   one after the other			BuRR 7.3				fill
 *	   their hashes					BuRR 7.3				set/read.c
 *	   a window: body, then tail							window
 *	     its buckets, to the right	BuRR 1.1				window_buckets
 *	       a bucket is banded,		RF 3, BuRR 2			solve/sweep.h
 *	       some keys are bumped		BuRR 7.1				solve/sweep.h
 *	     solved, into ICML blocks	RF 3, 5.2				solve/backsubst.h
 *	 layer 1, of the bumped keys, and so on
 *	 last layer, of all that is left						last_layer
 *	   its zones: Standard Ribbon	RF 3.1, 5.4				zone
 *	 thresholds, slots										bytes
 *----------
 *
 * The words for parts of a layer, with the header that draws them:
 *
 *	 window		the slots that are in memory at a time (cut.h)
 *	 seam		the first slots of a window, which wait as equations for the
 *				window to their left (fill.h)
 *	 tail		the last few buckets of a window, which come after the next
 *				window's others; these are its body (window.h)
 *
 * A homogeneous filter goes through the same windows, and bumps nothing.  Its
 * rate is counted by solve/rate.h, and as many result bits are kept as it
 * takes.
 *
 * Keys may have been chosen to make a build hard: salt.h has the way of those.
 *
 * What is marked [tune] was found with test/bench/tune.c, which prints, among
 * others, the share of empty slots of layers, and P of homogeneous systems.
 */
#ifndef RIBBON_PLANES_H
#define RIBBON_PLANES_H

#include "construct/bytes.h"
#include "construct/shape.h"
#include "format/plane.h"
#include "set/set.h"
#include "solve/supply.h"

/*
 * The bytes that the body of a BuRR plane of nkeys distinct keys, with its own
 * byte, can be expected to take, as ribbon_expected_bytes; 0 without columns
 * (size.c).
 */
extern uint64_t ribbon_size_of_plane(const RibbonPlaneParams *params,
									 uint64_t nkeys);

/* Bytes to be left around a plane in its buffer, at least. */
typedef struct RibbonRoom
{
	uint64_t before;
	size_t behind;
} RibbonRoom;

/* A plane that is to be built. */
typedef struct RibbonPlaneJob
{
	RibbonPlaneParams params;	/* a slot has 1 .. RIBBON_MAX_COLUMNS columns */
	const RibbonSet *hashes;	/* or records, sorted, distinct, 1 or more */
	const RibbonSupply *supply; /* of records: their value bits; else NULL */
	RibbonRoom room;
	RibbonPlane *plane; /* an empty one, with nkeys set */
} RibbonPlaneJob;

/*
 * Build a BuRR plane [BuRR 1.1, 7]; or a homogeneous filter, of hashes alone.
 * On RIBBON_OK job->plane has what its header says, and *bytes, zeroed at
 * first, what stands behind the header.  The caller discards these, after a
 * failure too.  Errors: those of ribbon_build.
 */
extern RibbonStatus ribbon_burr_build(const RibbonEnv *env,
									  const RibbonPlaneJob *job,
									  RibbonBytes *bytes);
extern RibbonStatus ribbon_homog_build(const RibbonEnv *env,
									   const RibbonPlaneJob *job,
									   RibbonBytes *bytes);

#endif /* RIBBON_PLANES_H */
