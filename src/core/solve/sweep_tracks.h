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
 * with rows, as in sweep_portable.c.
 *
 * sweep_vector.c takes a step of them.  What a step does with tracks, beside
 * the bytes of stripes, is here: equations that begin get tracks (tracks_join),
 * and gaps between live tracks are closed (compact), or all become rows
 * (tracks_to_rows).  All of it is in line, so it is a header.
 */
#ifndef RIBBON_SWEEP_TRACKS_H
#define RIBBON_SWEEP_TRACKS_H

#include "solve/vector.h"
#include "solve/sweep.h"
#include "solve/sweep_equation.h"

#include <stddef.h>

#ifdef RIBBON_VECTOR_BYTES

#define TRACKS RIBBON_SWEEP_TRACKS
#define STRIDE RIBBON_SWEEP_STRIDE
#define LINE   64 /* tracks: a Line of bytes */
#define NLINES (TRACKS / LINE)

/* Stripe k of the step to come, or of results; the byte of track 0. */
KERNEL_INLINE uint8_t *
stripe(const RibbonSweep *s, unsigned k)
{
	return s->tracks.stripes + (s->tracks.stripe + k) * STRIDE;
}

KERNEL_INLINE uint8_t *
fixed_stripe(const RibbonSweep *s, unsigned k)
{
	return s->tracks.stripes + (RIBBON_SWEEP_STRIPES + k) * STRIDE;
}

#define RESULT(k)	(k)
#define POSITION(k) (7 + (k)) /* low and high byte */

/* Stripes of rows: w bits, and up to seven more, which are this byte. */
#define ROW_STRIPES(width) ((width) / 8 + 1)
#define LAST_BYTE(width)   ((width) == 32 ? 4 : 23)

/* Eight tracks from this one on, -8 or more, get equations i .. i + 7. */
KERNEL_INLINE void
fill_tracks(RibbonSweep *s, unsigned width, size_t i, ptrdiff_t track)
{
	/* the low bytes of eight positions, then their high bytes */
	const Vector halves = vector_repeat(UINT64_C(0x0E0C0A0806040200),
										UINT64_C(0x0F0D0B0907050301));
	Vector positions = vector_shuffle(vector_load(s->rows.position + i),
									  halves);
	uint8_t *rows = stripe(s, 0) + track;
	uint8_t *fixed = fixed_stripe(s, 0) + track;
	unsigned result_bytes = s->tracks.result_bytes;
	uint64_t bytes[24];

	line_store(bytes, line_transpose_bytes(line_load(s->rows.low + i)));
	if (width == 128)
		line_store(bytes + 8,
				   line_transpose_bytes(line_load(s->rows.high + i)));
	line_store(bytes + 16, line_transpose_bytes(line_load(s->rows.extra + i)));
	VECTOR_UNROLL
	for (unsigned k = 0; k < width / 8; k++)
		ribbon_store64(rows + k * STRIDE, bytes[k]);
	ribbon_store64(rows + width / 8 * STRIDE, bytes[LAST_BYTE(width)]);
	for (unsigned k = 0; k < result_bytes; k++)
		ribbon_store64(fixed + RESULT(k) * STRIDE, bytes[16 + k]);
	ribbon_store64(fixed + POSITION(0) * STRIDE, positions[0]);
	ribbon_store64(fixed + POSITION(1) * STRIDE, positions[1]);
}

KERNEL_INLINE unsigned
track_position(const RibbonSweep *s, unsigned track)
{
	return fixed_stripe(s, POSITION(0))[track] |
		(unsigned) fixed_stripe(s, POSITION(1))[track] << 8;
}

/* The first and the last live track; TRACKS if there is none. */
KERNEL_INLINE unsigned
first_live(const RibbonSweep *s)
{
	for (unsigned q = 0; q < NLINES; q++)
		if (s->tracks.live[q] != 0)
			return LINE * q + (unsigned) ribbon_ctz64(s->tracks.live[q]);
	return TRACKS;
}

KERNEL_INLINE unsigned
last_live(const RibbonSweep *s)
{
	for (unsigned q = NLINES; q-- > 0;)
		if (s->tracks.live[q] != 0)
			return LINE * q + 63 -
				(unsigned) __builtin_clzll(s->tracks.live[q]);
	return TRACKS;
}

KERNEL_INLINE unsigned
count_live(const RibbonSweep *s)
{
	unsigned n = 0;

	VECTOR_UNROLL
	for (unsigned q = 0; q < NLINES; q++)
		n += (unsigned) __builtin_popcountll(s->tracks.live[q]);
	return n;
}

/*
 * Tracks have become too few: make rows of them, and go on with these.  There
 * are as many free numbers below first + nactive as equations have joined.
 */
KERNEL_TARGET static __attribute__((noinline, cold)) void
tracks_to_rows(RibbonSweep *s, unsigned width)
{
	size_t to = s->rows.first;

	for (unsigned track = s->tracks.first; track < TRACKS; track++)
		if (s->tracks.live[track / 64] >> track % 64 & 1)
		{
			uint8_t bytes[24] = {0};

			for (unsigned k = 0; k < width / 8; k++)
				bytes[k] = stripe(s, k)[track];
			bytes[LAST_BYTE(width)] = stripe(s, width / 8)[track];
			for (unsigned k = 0; k < s->tracks.result_bytes; k++)
				bytes[16 + k] = fixed_stripe(s, RESULT(k))[track];
			s->rows.low[to] = ribbon_load64(bytes);
			s->rows.high[to] = ribbon_load64(bytes + 8);
			s->rows.extra[to] = ribbon_load64(bytes + 16);
			s->rows.pattern[to] = bytes[0];
			s->rows.position[to++] = (uint16_t) track_position(s, track);
		}
	s->rows.nactive = to - s->rows.first;
	s->advance = NULL;
	ribbon_sweep_note_patterns(s);
}

/* The numbers of the bits set in m, in order, in the last bytes of a word. */
/* clang-format off */
#define PUSH(m, b, x) \
	((x) >> 8 * ((m) >> (b) & 1) | (uint64_t) ((m) >> (b) & 1) * (b) << 56)
#define BITS_OF(m) \
	PUSH(m, 7, PUSH(m, 6, PUSH(m, 5, PUSH(m, 4, \
	PUSH(m, 3, PUSH(m, 2, PUSH(m, 1, PUSH(m, 0, UINT64_C(0)))))))))
#define BITS_OF_4(m)  BITS_OF(m), BITS_OF((m) + 1), BITS_OF((m) + 2), BITS_OF((m) + 3)
#define BITS_OF_16(m) BITS_OF_4(m), BITS_OF_4((m) + 4), BITS_OF_4((m) + 8), BITS_OF_4((m) + 12)
#define BITS_OF_64(m) BITS_OF_16(m), BITS_OF_16((m) + 16), BITS_OF_16((m) + 32), BITS_OF_16((m) + 48)
/* clang-format on */
static const uint64_t bits_of[256] = {BITS_OF_64(0), BITS_OF_64(64),
									  BITS_OF_64(128), BITS_OF_64(192)};

/* Move the live tracks of a stripe's Line, eight at a time. */
KERNEL_INLINE void
move_tracks(uint8_t *tracks, unsigned q, Line from, const unsigned *to)
{
	uint64_t moved[8];
	Line x = line_load(tracks + LINE * q);

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = vector_shuffle(x.v[v], from.v[v]);
	line_store(moved, x);
	VECTOR_UNROLL
	for (unsigned g = 8; g-- > 0;)
		ribbon_store64(tracks + to[g], moved[g]);
}

/* Move the live tracks up, so that none between them and the last is not. */
KERNEL_INLINE void
compact(RibbonSweep *s, unsigned width)
{
	uint8_t *rows = stripe(s, 0);
	uint8_t *fixed = fixed_stripe(s, 0);
	unsigned result_bytes = s->tracks.result_bytes;
	unsigned end = TRACKS;

	for (unsigned q = NLINES; q-- > s->tracks.first / LINE;)
	{
		uint64_t live = s->tracks.live[q];
		uint64_t words[8];
		unsigned to[8];
		Line from;

		for (unsigned g = 8; g-- > 0;)
		{
			unsigned group = (unsigned) (live >> 8 * g) & 0xFF;

			/* a shuffle is within 16 bytes */
			words[g] = bits_of[group] + g % 2 * UINT64_C(0x0808080808080808);
			to[g] = end - 8;
			end -= (unsigned) __builtin_popcount(group);
		}
		from = line_load(words);
		/* the last stripe is zero: equations in it have joined just now */
		for (unsigned k = 0; k < width / 8; k++)
			move_tracks(rows + k * STRIDE, q, from, to);
		for (unsigned k = 0; k < result_bytes; k++)
			move_tracks(fixed + RESULT(k) * STRIDE, q, from, to);
		move_tracks(fixed + POSITION(0) * STRIDE, q, from, to);
		move_tracks(fixed + POSITION(1) * STRIDE, q, from, to);
	}
	s->tracks.first = end;
	for (unsigned q = 0; q < NLINES; q++)
		s->tracks.live[q] = end >= LINE * (q + 1) ? 0 :
			end <= LINE * q						  ? UINT64_MAX :
													UINT64_MAX << end % LINE;
}

/* Vectors that the steps of so many tracks take; half a Line may do. */
KERNEL_INLINE unsigned
vectors_of(unsigned ntracks)
{
	return (ntracks + 31) / 32;
}

/* Equations that begin in the step to come get tracks. */
KERNEL_INLINE void
tracks_join(RibbonSweep *s, unsigned width)
{
	unsigned n, used, live;

	if (s->step >= s->nsteps || s->rows.first_of[s->step] == RIBBON_SWEEP_NONE)
		return;
	n = (unsigned) (s->rows.first - s->rows.first_of[s->step]);
	used = TRACKS - s->tracks.first;
	live = count_live(s);
	if (vectors_of(live + n) < vectors_of(used + n) && live < used)
		compact(s, width);
	while (n > 0)
	{
		unsigned now = n < 8 ? n : 8;
		unsigned track = s->tracks.first - now;
		uint64_t bits = ribbon_low_mask(now);

		/* fill_tracks takes eight equations, of which some may not count */
		if (RIBBON_UNLIKELY(s->tracks.first < n || s->rows.first < 8))
		{
			tracks_to_rows(s, width);
			return;
		}
		fill_tracks(s, width, s->rows.first - 8,
					(ptrdiff_t) s->tracks.first - 8);
		s->tracks.live[track / LINE] |= bits << track % LINE;
		if ((s->tracks.first - 1) / LINE != track / LINE)
			s->tracks.live[track / LINE + 1] |= bits >> (LINE - track % LINE);
		s->tracks.first = track;
		s->rows.first -= now;
		n -= now;
	}
}

#endif /* RIBBON_VECTOR_BYTES */

#endif /* RIBBON_SWEEP_TRACKS_H */
