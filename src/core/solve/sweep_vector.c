/*
 * sweep_vector.c - the steps of a sweep, with vectors of bytes
 *
 * Equations are in tracks (sweep_tracks.h), of which 64 are a Line.  Stripe 0,
 * transposed, is the eight masks of eliminate.h.  Solved and transposed back,
 * they give each track a byte that says which of the eight rows to add.  For
 * each stripe, the bytes of these rows have 16 sums of rows 0 - 3 and 16 of
 * rows 4 - 7; a shuffle looks up one for each track.
 */
#include "solve/eliminate.h"
#include "solve/solver.h"
#include "solve/sweep_tracks.h"

#ifdef RIBBON_VECTOR_BYTES

/* The band's equations in the eight slots, by byte; which slots have one. */
KERNEL_INLINE unsigned
load_band(const RibbonSweep *s, unsigned width, uint64_t *bytes)
{
	unsigned filled = 0;

	for (unsigned c = 0; c < SLOTS; c++)
	{
		Equation e = band_equation(s, width, c);

		bytes[c] = e.low;
		bytes[8 + c] = e.high;
		bytes[16 + c] = e.extra;
		filled |= (unsigned) (e.low != 0) << c;
	}
	VECTOR_UNROLL
	for (unsigned i = 0; i < 24; i += 8)
		line_store(bytes + i, line_transpose_bytes(line_of_words(bytes + i)));
	return filled;
}

/* Is any of the eight slots filled? */
KERNEL_INLINE bool
any_filled(const RibbonSweep *s, unsigned width)
{
	const uint8_t *rows = (const uint8_t *) s->band->coeff +
		s->slot * (width / 8);
	Vector any = vector_load(rows);

	VECTOR_UNROLL
	for (unsigned i = RIBBON_VECTOR_BYTES; i < width; i += RIBBON_VECTOR_BYTES)
		any |= vector_load(rows + i);
	any = vector_or_across(any);
	return (any[0] | any[1]) != 0;
}

/* What a Line's equations have in common while a step adds rows to them. */
typedef struct Adding
{
	Line low; /* the low and high four bits of each track's set of rows */
	Line high;
	Line at; /* the tracks of the pivots, by slot, for vector_shuffle */
} Adding;

/* The bytes of the pivots' tracks, in every word: byte c that of slot c. */
KERNEL_INLINE Vector
pivot_bytes(const Adding *a, Line x, unsigned from)
{
	Vector sum = vector_shuffle(x.v[from], a->at.v[from]);

	VECTOR_UNROLL
	for (unsigned v = from + 1; v < VECTORS; v++)
		sum |= vector_shuffle(x.v[v], a->at.v[v]);
	return vector_or_across(sum);
}

/*
 * Add rows in one stripe, of tracks from vector from on.  old: their bytes in
 * the slots that the band has.  Returns the bytes of the pivots after that, and
 * adds the tracks' bytes to *any, by OR.
 */
KERNEL_INLINE uint64_t
add_in_stripe(uint8_t *tracks, const Adding *a, unsigned from, uint64_t old,
			  Line *any)
{
	Line x;
	Vector low, high;

	VECTOR_UNROLL
	for (unsigned v = from; v < VECTORS; v++)
		x.v[v] = vector_load(tracks + v * sizeof(Vector));
	vector_sums(pivot_bytes(a, x, from) | vector_all(old), &low, &high);
	VECTOR_UNROLL
	for (unsigned v = from; v < VECTORS; v++)
	{
		x.v[v] ^= vector_shuffle(low, a->low.v[v]) ^
			vector_shuffle(high, a->high.v[v]);
		any->v[v] |= x.v[v];
		vector_store(tracks + v * sizeof(Vector), x.v[v]);
	}
	return pivot_bytes(a, x, from)[0];
}

/*
 * Word c of high and low, 128 bits, by slot number c down; the lower half.
 */
KERNEL_INLINE Line
align(Line low, Line high)
{
	static const uint64_t slots[8] = {0, 1, 2, 3, 4, 5, 6, 7};

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
	{
		Vector c = vector_load(slots + v * VECTOR_WORDS);

		low.v[v] = low.v[v] >> c | high.v[v] << 1 << (vector_all(63) - c);
	}
	return low;
}

/* Store the pivots in the band; bytes has their bytes, slot by slot. */
KERNEL_INLINE void
store_pivots(RibbonSweep *s, unsigned width, unsigned track,
			 const uint64_t *pivots, const uint64_t *bytes)
{
	Line low = line_transpose_bytes(line_of_words(bytes));
	Line extra = line_transpose_bytes(line_of_words(bytes + 16));
	Line over = extra;
	const RibbonBand band = *s->band; /* no store changes it */
	const uint8_t *position = fixed_stripe(s, POSITION(0)) + track;
	uint64_t *pivot_slot = s->pivot_slot + s->npivots;
	uint32_t *pivot_position = s->pivot_position + s->npivots;
	uint64_t first_slot = s->slot;
	uint64_t rows[16], results[8];
	unsigned n = 0;

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
	{
		over.v[v] = extra.v[v] >> RIBBON_MAX_COLUMNS;
		extra.v[v] ^= over.v[v] << RIBBON_MAX_COLUMNS;
	}
	if (width == 128)
	{
		Line high = line_transpose_bytes(line_of_words(bytes + 8));

		line_store(rows, align(low, high));
		line_store(rows + 8, align(high, over));
	}
	else
		line_store(rows, align(low, over));
	line_store(results, extra);
	VECTOR_UNROLL
	for (unsigned c = 0; c < SLOTS; c++)
		if (RIBBON_LIKELY(pivots[c] != 0))
		{
			uint64_t slot = first_slot + c;
			size_t at = (size_t) ribbon_ctz64(pivots[c]);

			if (width == 32)
				((uint32_t *) band.coeff)[slot] = (uint32_t) rows[c];
			else if (width == 64)
				((uint64_t *) band.coeff)[slot] = rows[c];
			else
				((RibbonRow128 *) band.coeff)[slot] =
					(RibbonRow128){rows[c], rows[8 + c]};
			ribbon_band_set_result(&band, slot, results[c]);
			pivot_slot[n] = slot;
			pivot_position[n++] = position[at] | position[at + STRIDE] << 8;
		}
	s->npivots += n;
}

/* The low four bits of each byte. */
KERNEL_INLINE Line
low_halves(Line x)
{
	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] &= vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
	return x;
}

/* The high four. */
KERNEL_INLINE Line
high_halves(Line x)
{
	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] >>= 4;
	return low_halves(x);
}

/*
 * Which of the eight rows to add to each track: coefficients are stripe 0, live
 * the tracks that count, filled the slots that the band has, whose bytes are
 * patterns.  pivots, which is zero, gets the track that each slot's row is of.
 */
KERNEL_INLINE Line
solve(Line coefficients, uint64_t live, unsigned filled, uint64_t patterns,
	  uint64_t *pivots)
{
	uint64_t masks[8];
	Line x;

	if (filled == 0xFF)
	{
		Line low = low_halves(coefficients), high = high_halves(coefficients);
		Vector low_sums, high_sums;

		/* the rows to add for a coefficient in slot c alone: byte c */
		vector_sums(vector_invert(vector_all(patterns)), &low_sums, &high_sums);
		VECTOR_UNROLL
		for (unsigned v = 0; v < VECTORS; v++)
			x.v[v] = vector_shuffle(low_sums, low.v[v]) ^
				vector_shuffle(high_sums, high.v[v]);
		return x;
	}
	line_to_masks(coefficients, masks);
	VECTOR_UNROLL
	for (unsigned c = 0; c < SLOTS; c++)
		masks[c] &= live;
	if (RIBBON_LIKELY(filled == 0))
		ribbon_eliminate(masks, 0, 0, pivots);
	else
		ribbon_eliminate(masks, filled, patterns, pivots);
	return line_of_masks(line_of_words(masks));
}

/*
 * at has the pivots' tracks, byte c that of slot c: 64 where there is no pivot,
 * which no 16 tracks have.
 */
KERNEL_INLINE Adding
adding_of(Line sets, uint64_t at)
{
	/* the first of 16 tracks, in each byte */
	static const uint64_t tracks_of_words[8] = {0,
												0,
												UINT64_C(0x1010101010101010),
												UINT64_C(0x1010101010101010),
												UINT64_C(0x2020202020202020),
												UINT64_C(0x2020202020202020),
												UINT64_C(0x3030303030303030),
												UINT64_C(0x3030303030303030)};
	Adding a = {low_halves(sets), high_halves(sets), sets};

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
	{
		a.at.v[v] = (vector_all(at) ^
					 vector_load(tracks_of_words + v * VECTOR_WORDS)) +
			vector_all(UINT64_C(0x7070707070707070));
		a.at.v[v] &= vector_all(UINT64_C(0x8F8F8F8F8F8F8F8F));
	}
	return a;
}

/*
 * The step for the Line q of tracks, of which those below vector from are not
 * in use.  False if an equation contradicts those above it: then no track
 * behind it is live.
 */
KERNEL_INLINE bool
step_line(RibbonSweep *s, unsigned width, unsigned q, unsigned from)
{
	static const uint64_t none[24];
	const uint64_t *old = none;
	uint64_t of_band[24], bytes[24], pivots[8] = {0};
	unsigned result_bytes = s->tracks.result_bytes;
	uint64_t others = s->tracks.live[q], at = 0, nonzero, fails;
	unsigned filled = 0;
	uint8_t *first = stripe(s, 0) + LINE * q;
	uint8_t *fixed = fixed_stripe(s, 0) + LINE * q;
	Line any = line_zero(), any_result = line_zero(), x = line_zero();
	Adding a;

	VECTOR_UNROLL
	for (unsigned v = from; v < VECTORS; v++)
		x.v[v] = vector_load(first + v * sizeof(Vector));
	if (any_filled(s, width))
	{
		filled = load_band(s, width, of_band);
		old = of_band;
	}
	x = solve(x, s->tracks.live[q], filled, old[0], pivots);
	VECTOR_UNROLL
	for (unsigned c = 0; c < SLOTS; c++)
	{
		at |= ctz_or_64(pivots[c]) << 8 * c;
		others ^= pivots[c];
	}
	a = adding_of(x, at);

	/* the bytes that no stripe has */
	line_store(bytes + 16, line_zero());
	if (width == 32)
		line_store(bytes, line_zero());
	for (unsigned k = 0; k < width / 8; k++)
		bytes[k] = add_in_stripe(first + k * STRIDE, &a, from, old[k], &any);
	bytes[LAST_BYTE(width)] = add_in_stripe(first + width / 8 * STRIDE, &a,
											from, old[LAST_BYTE(width)], &any);
	for (unsigned k = 0; k < result_bytes; k++)
		bytes[16 + k] = add_in_stripe(fixed + RESULT(k) * STRIDE, &a, from,
									  old[16 + k], &any_result);
	if (at != UINT64_C(0x4040404040404040))
		store_pivots(s, width, LINE * q, pivots, bytes);

	nonzero = line_nonzero(any);
	s->tracks.live[q] = others & nonzero;
	fails = others & ~nonzero & line_nonzero(any_result);
	if (RIBBON_LIKELY(fails == 0))
		return true;
	ribbon_sweep_fail(s,
					  track_position(s,
									 LINE * q +
										 (unsigned) ribbon_ctz64(fails)));
	s->tracks.live[q] &= ribbon_low_mask((unsigned) ribbon_ctz64(fails));
	return false;
}

/* Drop equations of keys that are bumped, and those behind the limit. */
KERNEL_TARGET static __attribute__((noinline)) void
drop_tracks(RibbonSweep *s)
{
	unsigned threshold = s->buckets->threshold[s->code];
	unsigned first;

	/* keys of the lowest priority have the lowest positions */
	for (unsigned last = last_live(s);
		 last < TRACKS && track_position(s, last) < threshold;
		 last = last_live(s))
		s->tracks.live[last / LINE] ^= UINT64_C(1) << last % LINE;
	first = first_live(s);
	if (RIBBON_LIKELY(s->slot < s->slot_limit) || first == TRACKS)
		return;
	ribbon_sweep_fail(s, track_position(s, first));
	memset(s->tracks.live, 0, sizeof(s->tracks.live));
}

/* ribbon_sweep_advance, for one ribbon width. */
KERNEL_INLINE bool
tracks_advance(RibbonSweep *s, unsigned width)
{
	unsigned q;
	bool fits = true;

	if (RIBBON_UNLIKELY(s->step == 0))
		tracks_join(s, width);
	if (s->advance == NULL)
		return ribbon_sweep_advance(s);
	if (RIBBON_UNLIKELY(s->code > 0 || s->slot >= s->slot_limit))
		drop_tracks(s);
	for (q = s->tracks.first / LINE; q < NLINES; q++)
	{
		if (!fits)
			s->tracks.live[q] = 0;
		if (s->tracks.live[q] != 0)
			fits = s->tracks.live[q] << LINE / 2 == 0 ?
				step_line(s, width, q, VECTORS / 2) :
				step_line(s, width, q, 0);
		/* the stripe that the next step ends with */
		line_store(stripe(s, ROW_STRIPES(width)) + LINE * q, line_zero());
	}
	s->step++;
	s->slot += SLOTS;
	if (++s->tracks.stripe == RIBBON_SWEEP_STRIPES - RIBBON_SWEEP_ROW_STRIPES)
	{
		memmove(s->tracks.stripes, stripe(s, 0), ROW_STRIPES(width) * STRIDE);
		s->tracks.stripe = 0;
	}
	if (count_live(s) == 0)
	{
		s->tracks.first = TRACKS;
		if (s->rows.first <= s->rows.lowest)
			return false;
	}
	tracks_join(s, width);
	return true;
}

/* RibbonSweepAdvance */
#define ADVANCE(width) \
	KERNEL_TARGET bool ribbon_sweep##width##_advance(RibbonSweep *sweep) \
	{ \
		return tracks_advance(sweep, width); \
	}

ADVANCE(32)
ADVANCE(64)
ADVANCE(128)

#endif /* RIBBON_VECTOR_BYTES */
