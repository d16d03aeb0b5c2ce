/*
 * window_buckets.h - the band of a window, and how its buckets are filled
 *
 * What a window is, and in which order its parts are filled: window.h.
 */
#ifndef RIBBON_WINDOW_BUCKETS_H
#define RIBBON_WINDOW_BUCKETS_H

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
	bool too_many;	 /* has a bucket more hashes than a sweep can take, or does
					 * an equation fit nowhere that is not to be bumped?  Then
					 * it is not filled, and the hashes are suspicious */

	/* buckets that are being filled, as below, one after the other: */
	RibbonSweep *sweep;
	size_t next;	 /* index of the next bucket's first hash, */
	size_t end;		 /* and of the first one behind these buckets */
	uint64_t bucket; /* the one that is being filled */

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
 * it gets at least that threshold.  Errors: RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_window_fill_buckets(const RibbonEnv *env,
											   RibbonWindow *window,
											   size_t begin, size_t end,
											   uint64_t slot_limit);

#endif /* RIBBON_WINDOW_BUCKETS_H */
