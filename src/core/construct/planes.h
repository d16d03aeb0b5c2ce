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
 *	 slots, width, buckets			RF 5.1, BuRR 8			params
 *	 layer 0, of 0.91 n slots		BuRR 1.1, 7				layer
 *	   cut into windows				BuRR 7.3				cut
 *	   one after the other			BuRR 7.3				slide
 *	   their hashes					BuRR 7.3				intake, set/read.c
 *	   a window: body, then tail							window
 *	     its buckets, to the right	BuRR 1.1				run
 *	       a bucket is banded,		RF 3, BuRR 2			solve/sweep.h
 *	       some keys are bumped		BuRR 7.1				solve/sweep.h
 *	     solved, into ICML blocks	RF 3, 5.2				solve/backsubst.h
 *	 layer 1, of the bumped keys, and so on
 *	 last layer, of all that is left						last_layer
 *	   its zones: Standard Ribbon	RF 3.1, 5.4				zone
 *	 header, thresholds, slots								output, bytes
 *----------
 *
 * The words for parts of a layer are explained by cut.h, slide.h and window.h,
 * to be read in this order.
 *
 * A homogeneous filter goes through the same windows, and bumps nothing.  Its
 * rate is counted by format/rate.h, and as many result bits are kept as it
 * takes.
 *
 * Keys may have been chosen to make a build hard: salt.h has the way of those.
 */
#ifndef RIBBON_PLANES_H
#define RIBBON_PLANES_H

#include "construct/bytes.h"
#include "format/format.h"
#include "set/set.h"
#include "solve/supply.h"

/* Where a plane is to be in its buffer, and what is to stand before it. */
typedef struct RibbonRoom
{
	size_t head;		/* bytes in front that are left to the caller */
	size_t tail;		/* bytes behind, likewise */
	bool has_head;		/* write head and dictionary in front of the header?
						 * Else that begins with its own byte */
	RibbonPlane *plane; /* unless NULL: is set to the plane that was built, for
						 * the caller to write its header, and no header is */
} RibbonRoom;

/*
 * Build a BuRR filter [BuRR 1.1, 7] of sorted, distinct hashes, one at least.
 * params has been checked, and its width is not RIBBON_DEFAULT_WIDTH.
 *
 * Of records it is a plane of a map: with value bits as their supply says, and
 * check bits for params->fpr, which may be 1 (no check bits).  A slot then has
 * one bit at least, and RIBBON_MAX_COLUMNS at most.  Of hashes supply is NULL.
 *
 * On RIBBON_OK *bytes is set, and has a buffer that the caller frees.  Errors:
 * those of ribbon_build.
 */
extern RibbonStatus ribbon_burr_build(const RibbonEnv *env,
									  const RibbonParams *params,
									  const RibbonSet *hashes,
									  const RibbonSupply *supply,
									  const RibbonRoom *room,
									  RibbonBytes *bytes);

/*
 * Build a homogeneous filter of sorted, distinct hashes, one at least.  params
 * has been checked, and its width is not RIBBON_DEFAULT_WIDTH.  On RIBBON_OK
 * *bytes has the filter, behind headroom bytes, in a buffer that the caller
 * frees.  Errors: those of ribbon_build.
 */
extern RibbonStatus ribbon_homog_build(const RibbonEnv *env,
									   const RibbonParams *params,
									   const RibbonSet *hashes, size_t headroom,
									   RibbonBytes *bytes);

#endif /* RIBBON_PLANES_H */
