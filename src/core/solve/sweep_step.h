/*
 * sweep_step.h - the state of a sweep, and the part of a step that kernels do
 *
 * sweep.h says what a sweep is.
 */
#ifndef RIBBON_SWEEP_STEP_H
#define RIBBON_SWEEP_STEP_H

#include "format/buckets.h"
#include "solve/band.h"

#define RIBBON_SWEEP_SLOTS 8	/* of one step */
#define RIBBON_SWEEP_KEYS  1024 /* that one sweep can take */
#define RIBBON_SWEEP_BATCH 64	/* equations that are solved for together */

/*
 * Slots of the largest buckets; and slots that a sweep of one can fill, and a
 * step more: rows have 128 bits at most.
 */
#define RIBBON_SWEEP_BUCKET_SLOTS 512
#define RIBBON_SWEEP_MAX_SLOTS \
	(RIBBON_SWEEP_BUCKET_SLOTS + 128 + RIBBON_SWEEP_SLOTS)

typedef struct RibbonSweep RibbonSweep;

/*
 * What a step stored of one batch of its equations, or one Line of tracks.  For
 * each slot + c whose bit is set in filled, byte c of low and bit c of high are
 * the position, in its bucket, of the key whose equation it got.
 */
typedef struct RibbonSweepPivots
{
	uint64_t low;
	uint32_t slot;
	uint8_t high;
	uint8_t filled;
} RibbonSweepPivots;

/*
 * Do a step, the next eight slots: equations that begin join, pivots are stored
 * and added, equations that are bumped are dropped, step and slot go on.  False
 * if the sweep has ended.
 */
typedef bool RibbonSweepAdvance(RibbonSweep *sweep);

/*
 * Make the rows, of row_bits bits, from number lowest on, for one ribbon width.
 * At first low has the equations' hashes, and extra their places in the step
 * where they begin, in the uppermost byte, and their results if these are
 * supplied.
 */
typedef void RibbonSweepMakeRows(RibbonSweep *sweep, unsigned row_bits,
								 bool supplied);

/*
 * Tracks (sweep_tracks.h); the stripes that a row of 128 bits takes, with up to
 * 7 bits more; stripes of rows, which are moved down when the last ones are in
 * use; and stripes of results and positions, which stay where they are.
 */
#define RIBBON_SWEEP_TRACKS		   256
#define RIBBON_SWEEP_ROW_STRIPES   (128 / 8 + 1)
#define RIBBON_SWEEP_STRIPES	   (2 * RIBBON_SWEEP_ROW_STRIPES - 1)
#define RIBBON_SWEEP_FIXED_STRIPES (RIBBON_MAX_COLUMNS / 8 + 2)

/* They begin at multiples of 64, track 0 so many bytes behind unused ones. */
#define RIBBON_SWEEP_ALIGN	64
#define RIBBON_SWEEP_STRIDE (RIBBON_SWEEP_TRACKS + RIBBON_SWEEP_ALIGN)

/* The active equations of a kernel that has them in tracks. */
typedef struct RibbonSweepTracks
{
	uint64_t live[RIBBON_SWEEP_TRACKS / 64];
	unsigned first;	 /* track in use */
	unsigned stripe; /* number of the step's first */
	unsigned result_bytes;
	uint8_t *stripes; /* track 0 of stripe 0, in room */
	uint8_t room[(RIBBON_SWEEP_STRIPES + RIBBON_SWEEP_FIXED_STRIPES) *
					 RIBBON_SWEEP_STRIDE +
				 2 * RIBBON_SWEEP_ALIGN];
} RibbonSweepTracks;

/*
 * Equations by number, which is their priority, the highest first:
 *
 *----------
 *	 0         lowest            first             first + nactive     KEYS
 *	 |  free   |  begin later    |  active         |  free             |
 *	           |  ..., 2nd next, |  none while     |
 *	           |  next step      |  in tracks      |
 *	                             <-----
 *	                  a step begins: first_of[step] becomes the first
 *----------
 *
 * Rows are aligned to steps: bit 0 is the first slot of the next step.  So a
 * row that begins later in the step has up to 7 bits more than w; these are in
 * the uppermost byte of extra, whose other bits are the result.
 */
typedef struct RibbonSweepRows
{
	size_t lowest;
	size_t first;
	size_t nactive; /* 0 while the active equations are in tracks */
	uint64_t low[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BATCH];
	uint64_t high[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BATCH]; /* w = 128 */
	uint64_t extra[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BATCH];
	uint16_t position[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BATCH]; /* in bucket */
	uint8_t pattern[RIBBON_SWEEP_KEYS + RIBBON_SWEEP_BATCH];   /* low byte */
	/* number of the first that begins in step i, or RIBBON_SWEEP_NONE */
	uint16_t first_of[RIBBON_SWEEP_MAX_SLOTS / RIBBON_SWEEP_SLOTS];
} RibbonSweepRows;

/* The sweep of one bucket. */
struct RibbonSweep
{
	/* these are set before it begins, and used until its end: */
	const RibbonBand *band;
	const RibbonBuckets *buckets; /* and thresholds, of keys that do not fit */
	uint64_t slot_limit; /* of the band: an equation that would have to be
						  * stored there or behind does not fit; UINT64_MAX: no
						  * limit */

	RibbonSweepAdvance *advance; /* becomes portable if tracks are too few */
	uint64_t slot;				 /* first of the next step */
	unsigned step;
	unsigned nsteps;	  /* steps in which keys may begin */
	unsigned code;		  /* of the threshold; 0 while all keys fit */
	unsigned npivots;	  /* that are in use */
	RibbonSweepRows rows; /* that have not begun; active ones, too */
	RibbonSweepPivots pivots[RIBBON_SWEEP_MAX_SLOTS];
	RibbonSweepTracks tracks; /* active ones, of a kernel that has them */
};

#define RIBBON_SWEEP_EXTRA_BITS \
	(UINT64_C(0xFF) << RIBBON_MAX_COLUMNS) /* not of the result */
#define RIBBON_SWEEP_NONE UINT16_MAX

/* The band's rows in the step's slots. */
static inline uint8_t *
ribbon_sweep_band_rows(const RibbonSweep *sweep, unsigned width)
{
	return (uint8_t *) sweep->band->coeff + sweep->slot * (width / 8);
}

/* A key at this position does not fit: set code to the least that bumps it. */
static inline void
ribbon_sweep_fail(RibbonSweep *sweep, unsigned position)
{
	while (sweep->buckets->threshold[sweep->code] <= position)
		sweep->code++;
}

/*
 * Set pattern for all equations.  Bytes behind the last one are read and
 * masked: they are 0 for memory checkers.
 */
static inline void
ribbon_sweep_note_patterns(RibbonSweep *sweep)
{
	RibbonSweepRows *rows = &sweep->rows;
	size_t end = rows->first + rows->nactive;

	for (size_t i = rows->lowest; i < end; i++)
		rows->pattern[i] = (uint8_t) rows->low[i];
	memset(rows->pattern + end, 0, sizeof(rows->pattern) - end);
}

#endif /* RIBBON_SWEEP_STEP_H */
