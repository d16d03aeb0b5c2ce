/*
 * sweep_tracks.h - the equations of a sweep, as stripes of bytes
 *
 * Each active equation has a track, and keeps it.  Stripe k has byte k of every
 * track's row, so the coefficients in the eight slots of a step are stripe 0,
 * and eight slots further, stripe 1 takes its place: no byte moves.
 *
 *----------
 *	 track			  0   ...  first		...			  255
 *	 stripe 0		   .   07  a1  00  3c  ...   these eight slots
 *	 stripe 1		   .   e2  15  88  91  ...   the next eight
 *	 ...
 *	 results		   .   5b  c4  07  2e  ...
 *	 live			   .   1   1   0   1		 0: stored, zero or bumped
 *----------
 *
 * Equations join below the first track, so tracks are in order of priority.
 *
 * Keys may be chosen so that tracks do not suffice.  Then the sweep goes on
 * with rows, as in plain C.
 *
 * sweep_vector_part.h takes a step of them.  What it does with tracks, beside
 * the bytes of stripes, is here: equations that begin get tracks (tracks_join),
 * and gaps between live tracks are closed (close_gaps), or all become rows
 * (tracks_to_rows).  All of it is in line, so it is a header.
 */
#ifndef RIBBON_SWEEP_TRACKS_H
#define RIBBON_SWEEP_TRACKS_H

#include "solve/band_vector.h"
#include "solve/solver.h"
#include "solve/sweep.h"

#include <stddef.h>

#ifdef RIBBON_VECTOR_BYTES

#define SLOTS  RIBBON_SWEEP_SLOTS
#define TRACKS RIBBON_SWEEP_TRACKS
#define STRIDE RIBBON_SWEEP_STRIDE
#define LINE   64 /* tracks: a Line of bytes */
#define NLINES (TRACKS / LINE)

/* The byte of track 0 in stripe k of the step. */
KERNEL_INLINE uint8_t *
stripe(const RibbonSweep *sweep, unsigned k)
{
	return sweep->tracks.stripes + (sweep->tracks.stripe + k) * STRIDE;
}

/*
 * The same in fixed stripe k.  The first ones have byte k of the results, the
 * last two the bytes of positions.
 */
KERNEL_INLINE uint8_t *
fixed_stripe(const RibbonSweep *sweep, unsigned k)
{
	return sweep->tracks.stripes + (RIBBON_SWEEP_STRIPES + k) * STRIDE;
}

#define POSITION_LOW  (RIBBON_MAX_COLUMNS / 8)
#define POSITION_HIGH (POSITION_LOW + 1)

/* Stripes of rows: w bits, and up to seven more, which are this byte. */
#define ROW_STRIPES(width) ((width) / 8 + 1)
#define LAST_BYTE(width)   ((width) == 32 ? 4 : 23)

/* No track is in use. */
KERNEL_INLINE void
tracks_begin(RibbonSweep *sweep)
{
	RibbonSweepTracks *tracks = &sweep->tracks;
	unsigned result_size = sweep->band->result_size;

	memset(tracks->live, 0, sizeof(tracks->live));
	tracks->first = TRACKS;
	tracks->stripe = 0;
	tracks->result_bytes = (unsigned) ribbon_min64(result_size,
												   RIBBON_MAX_COLUMNS / 8);
	tracks->stripes = tracks->room + 2 * RIBBON_SWEEP_ALIGN -
		(uintptr_t) tracks->room % RIBBON_SWEEP_ALIGN;
}

/* Eight tracks from this one on, -8 or more, get equations i .. i + 7. */
KERNEL_INLINE void
fill_tracks(RibbonSweep *sweep, unsigned width, size_t i, ptrdiff_t track)
{
	/* the low bytes of eight positions, then their high bytes */
	const Vector halves = vector_repeat(UINT64_C(0x0E0C0A0806040200),
										UINT64_C(0x0F0D0B0907050301));
	Vector positions = vector_shuffle(vector_load(sweep->rows.position + i),
									  halves);
	uint8_t *rows = stripe(sweep, 0);
	uint8_t *fixed = fixed_stripe(sweep, 0) + track;
	unsigned result_bytes = sweep->tracks.result_bytes;
	uint64_t bytes[24];

	line_store(bytes, line_transpose_bytes(line_load(sweep->rows.low + i)));
	if (width == 128)
		line_store(bytes + 8,
				   line_transpose_bytes(line_load(sweep->rows.high + i)));
	line_store(bytes + 16,
			   line_transpose_bytes(line_load(sweep->rows.extra + i)));
	/* the next step begins with this stripe */
	put_tracks(rows, track, bytes[0]);
	RIBBON_UNROLL_8
	for (unsigned k = 1; k < 4; k++)
		ribbon_store64(rows + track + k * STRIDE, bytes[k]);
	for (unsigned four = 4; four < width / 8; four += 4)
	{
		RIBBON_UNROLL_8
		for (unsigned k = four; k < four + 4; k++)
			ribbon_store64(rows + track + k * STRIDE, bytes[k]);
	}
	ribbon_store64(rows + track + width / 8 * STRIDE, bytes[LAST_BYTE(width)]);
	for (unsigned k = 0; k < result_bytes; k++)
		ribbon_store64(fixed + k * STRIDE, bytes[16 + k]);
	ribbon_store64(fixed + POSITION_LOW * STRIDE, positions[0]);
	ribbon_store64(fixed + POSITION_HIGH * STRIDE, positions[1]);
}

KERNEL_INLINE unsigned
track_position(const RibbonSweep *sweep, unsigned track)
{
	return fixed_stripe(sweep, POSITION_LOW)[track] |
		(unsigned) fixed_stripe(sweep, POSITION_HIGH)[track] << 8;
}

/* The first and the last live track; TRACKS if there is none. */
KERNEL_INLINE unsigned
first_live(const RibbonSweep *sweep)
{
	for (unsigned line = 0; line < NLINES; line++)
		if (sweep->tracks.live[line] != 0)
			return LINE * line +
				(unsigned) ribbon_ctz64(sweep->tracks.live[line]);
	return TRACKS;
}

KERNEL_INLINE unsigned
last_live(const RibbonSweep *sweep)
{
	for (unsigned line = NLINES; line-- > 0;)
		if (sweep->tracks.live[line] != 0)
			return LINE * line + 63 -
				(unsigned) __builtin_clzll(sweep->tracks.live[line]);
	return TRACKS;
}

KERNEL_INLINE unsigned
count_live(const RibbonSweep *sweep)
{
	unsigned n = 0;

	RIBBON_UNROLL_8
	for (unsigned line = 0; line < NLINES; line++)
		n += (unsigned) __builtin_popcountll(sweep->tracks.live[line]);
	return n;
}

/*
 * Tracks have become too few: make rows of them, and go on with these.  There
 * are as many free numbers below first + nactive as equations have joined.
 */
static KERNEL_TARGET __attribute__((noinline, cold)) void
tracks_to_rows(RibbonSweep *sweep, unsigned width)
{
	RibbonSweepRows *rows = &sweep->rows;
	const RibbonSweepTracks *tracks = &sweep->tracks;
	size_t to = rows->first;

	for (unsigned track = tracks->first; track < TRACKS; track++)
		if (tracks->live[track / 64] >> track % 64 & 1)
		{
			uint8_t bytes[24] = {0};

			for (unsigned k = 0; k < width / 8; k++)
				bytes[k] = stripe(sweep, k)[track];
			bytes[LAST_BYTE(width)] = stripe(sweep, width / 8)[track];
			for (unsigned k = 0; k < tracks->result_bytes; k++)
				bytes[16 + k] = fixed_stripe(sweep, k)[track];
			rows->low[to] = ribbon_load64(bytes);
			rows->high[to] = ribbon_load64(bytes + 8);
			rows->extra[to] = ribbon_load64(bytes + 16);
			rows->position[to++] = (uint16_t) track_position(sweep, track);
		}
	rows->nactive = to - rows->first;
	ribbon_sweep_note_patterns(sweep);
	sweep->advance = ribbon_solver_portable.advance;
}

/*
 * Move the live tracks up, so that none between them and the last is not.  A
 * group's live tracks end where those of the next one begin; what it stores
 * below them, the group before it overwrites.  (One function for all widths.)
 */
static KERNEL_TARGET __attribute__((noinline)) void
close_gaps(RibbonSweep *sweep, unsigned width)
{
	RibbonSweepTracks *tracks = &sweep->tracks;
	uint8_t *rows = stripe(sweep, 0);
	uint8_t *fixed = fixed_stripe(sweep, 0);
	unsigned result_bytes = tracks->result_bytes;
	unsigned end = TRACKS;

	for (unsigned line = NLINES; line-- > tracks->first / LINE;)
	{
		Move move = move_of(tracks->live[line], end);

		/* the last stripe is zero: equations in it have joined just now */
		for (unsigned k = 0; k < width / 8; k++)
			move_tracks(rows + k * STRIDE, line, &move);
		for (unsigned k = 0; k < result_bytes; k++)
			move_tracks(fixed + k * STRIDE, line, &move);
		move_tracks(fixed + POSITION_LOW * STRIDE, line, &move);
		move_tracks(fixed + POSITION_HIGH * STRIDE, line, &move);
		end -= (unsigned) __builtin_popcountll(tracks->live[line]);
	}
	tracks->first = end;
	for (unsigned line = 0; line < NLINES; line++)
	{
		unsigned begin = LINE * line;

		tracks->live[line] = end >= begin + LINE ? 0 :
			end <= begin						 ? UINT64_MAX :
												   UINT64_MAX << end % LINE;
	}
}

/* Vectors, or halves of a Line, that the steps of so many tracks take. */
KERNEL_INLINE unsigned
vectors_of(unsigned ntracks)
{
	const unsigned size = VECTORS == 1 ? LINE : LINE / 2;

	return (ntracks + size - 1) / size;
}

/*
 * Equations that begin in this step get tracks.  False if there are not
 * enough: then all have become rows.
 */
KERNEL_INLINE bool
tracks_join(RibbonSweep *sweep, unsigned width)
{
	RibbonSweepRows *rows = &sweep->rows;
	RibbonSweepTracks *tracks = &sweep->tracks;
	unsigned nbegin, used;

	if (sweep->step >= sweep->nsteps ||
		rows->first_of[sweep->step] == RIBBON_SWEEP_NONE)
		return true;
	nbegin = (unsigned) (rows->first - rows->first_of[sweep->step]);
	used = TRACKS - tracks->first;
	if (vectors_of(count_live(sweep) + nbegin) < vectors_of(used + nbegin))
		close_gaps(sweep, width);
	while (nbegin > 0)
	{
		unsigned now = nbegin < 8 ? nbegin : 8;
		unsigned track = tracks->first - now;
		uint64_t bits = ribbon_low_mask(now);

		/* fill_tracks takes eight equations, of which some may not count */
		if (RIBBON_UNLIKELY(tracks->first < nbegin || rows->first < 8))
		{
			tracks_to_rows(sweep, width);
			return false;
		}
		fill_tracks(sweep, width, rows->first - 8,
					(ptrdiff_t) tracks->first - 8);
		tracks->live[track / LINE] |= bits << track % LINE;
		if ((tracks->first - 1) / LINE != track / LINE)
			tracks->live[track / LINE + 1] |= bits >> (LINE - track % LINE);
		tracks->first = track;
		rows->first -= now;
		nbegin -= now;
	}
	return true;
}

#endif /* RIBBON_VECTOR_BYTES */

#endif /* RIBBON_SWEEP_TRACKS_H */
