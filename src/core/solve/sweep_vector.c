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
load_band(const RibbonSweep *sweep, unsigned width, uint64_t *bytes)
{
	const RibbonBand *band = sweep->band;
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t over = rows_to_bytes(ribbon_sweep_band_rows(sweep, width), width,
								  bytes);
	uint64_t filled = word_diagonal(bytes[0]);

	results_to_bytes(band, sweep->slot, filled, sweep->tracks.result_bytes,
					 bytes + 16);
	bytes[LAST_BYTE(width)] = over;
	return (unsigned) ((filled & UINT64_C(0x8040201008040201)) * each >> 56);
}

/* Is any of the eight slots filled? */
KERNEL_INLINE bool
any_filled(const RibbonSweep *sweep, unsigned width)
{
	const uint8_t *rows = ribbon_sweep_band_rows(sweep, width);
	Vector any = vector_load(rows);

	RIBBON_UNROLL_8
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
pivot_bytes(const Adding *adding, Line bytes, unsigned from)
{
	Vector sum = vector_shuffle(bytes.v[from], adding->at.v[from]);

	RIBBON_UNROLL_8
	for (unsigned v = from + 1; v < VECTORS; v++)
		sum |= vector_shuffle(bytes.v[v], adding->at.v[v]);
	return vector_or_across(sum);
}

/*
 * Add rows in one stripe, of tracks from vector from on.  old: their bytes in
 * the slots that the band has.  Returns the bytes of the pivots after that, and
 * adds the tracks' bytes to *any, by OR.
 */
KERNEL_INLINE uint64_t
add_in_stripe(uint8_t *tracks, const Adding *adding, unsigned from,
			  uint64_t old, Line *any)
{
	Line bytes;
	Vector low, high;

	RIBBON_UNROLL_8
	for (unsigned v = from; v < VECTORS; v++)
		bytes.v[v] = vector_load(tracks + v * sizeof(Vector));
	vector_sums(pivot_bytes(adding, bytes, from) | vector_all(old), &low,
				&high);
	RIBBON_UNROLL_8
	for (unsigned v = from; v < VECTORS; v++)
	{
		bytes.v[v] ^= vector_shuffle(low, adding->low.v[v]) ^
			vector_shuffle(high, adding->high.v[v]);
		any->v[v] |= bytes.v[v];
		vector_store(tracks + v * sizeof(Vector), bytes.v[v]);
	}
	return pivot_bytes(adding, bytes, from)[0];
}

/*
 * Word c of high and low, 128 bits, by slot number c down; the lower half.
 */
KERNEL_INLINE Line
shift_to_slots(Line low, Line high)
{
	static const uint64_t slots[8] = {0, 1, 2, 3, 4, 5, 6, 7};

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
	{
		Vector c = vector_load(slots + v * VECTOR_WORDS);

		low.v[v] = low.v[v] >> c | high.v[v] << 1 << (vector_all(63) - c);
	}
	return low;
}

/*
 * Store the pivots in the band: bytes has their bytes, slot by slot, which are
 * 0 where there is none, as none has 0xFF.
 */
KERNEL_INLINE void
store_pivots(RibbonSweep *sweep, unsigned width, uint64_t none,
			 const uint64_t *bytes)
{
	Line low = line_transpose_bytes(line_of_words(bytes));
	Line extra = line_transpose_bytes(line_of_words(bytes + 16));
	Line over = extra;
	const RibbonBand *band = sweep->band;
	uint8_t *coeff = ribbon_sweep_band_rows(sweep, width);
	uint64_t slot = sweep->slot;
	uint64_t rows[16];
	unsigned nvectors = width == 64 ? VECTORS : 0; /* else slot by slot */
	unsigned nslots = width == 64 ? 0 : SLOTS;

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		over.v[v] = extra.v[v] >> RIBBON_MAX_COLUMNS;
	if (width == 128)
	{
		Line high = line_transpose_bytes(line_of_words(bytes + 8));

		line_store(rows, shift_to_slots(low, high));
		line_store(rows + 8, shift_to_slots(high, over));
	}
	else
		low = shift_to_slots(low, over);
	if (width == 32)
		line_store(rows, low);
	RIBBON_UNROLL_8
	for (unsigned v = 0; v < nvectors; v++)
	{
		uint8_t *to = coeff + v * sizeof(Vector);

		vector_store(to, vector_load(to) | low.v[v]);
	}
	RIBBON_UNROLL_8
	for (unsigned c = 0; c < nslots; c++)
		if (width == 32)
			((uint32_t *) coeff)[c] |= (uint32_t) rows[c];
		else
		{
			((RibbonRow128 *) coeff)[c].lo |= rows[c];
			((RibbonRow128 *) coeff)[c].hi |= rows[8 + c];
		}
	if (band->result_size == 1)
	{
		uint8_t *results = (uint8_t *) band->result + slot;

		ribbon_store64(results,
					   (ribbon_load64(results) & none) | (bytes[16] & ~none));
	}
	else if (band->result_size > 1)
	{
		line_store(rows, extra);
		for (unsigned c = 0; c < SLOTS; c++)
			if ((none >> 8 * c & 1) == 0)
				ribbon_band_set_result(band, slot + c,
									   rows[c] & ~RIBBON_SWEEP_EXTRA_BITS);
	}
}

/* Bit 0 of byte c becomes bit c. */
KERNEL_INLINE uint8_t
word_low_bits(uint64_t x)
{
	return (uint8_t) ((x & UINT64_C(0x0101010101010101)) *
						  UINT64_C(0x0102040810204080) >>
					  56);
}

/* Note their positions, of tracks from vector from on. */
KERNEL_INLINE void
note_pivots(RibbonSweep *sweep, const Adding *adding, unsigned from,
			unsigned track, uint64_t none)
{
	RibbonSweepPivots *stored = &sweep->pivots[sweep->npivots++];
	const uint8_t *position = fixed_stripe(sweep, POSITION_LOW) + track;
	Line low, high;

	RIBBON_UNROLL_8
	for (unsigned v = from; v < VECTORS; v++)
	{
		low.v[v] = vector_load(position + v * sizeof(Vector));
		high.v[v] = vector_load(position + STRIDE + v * sizeof(Vector));
	}
	stored->slot = (uint32_t) sweep->slot;
	stored->low = pivot_bytes(adding, low, from)[0];
	stored->high = word_low_bits(pivot_bytes(adding, high, from)[0]);
	stored->filled = word_low_bits(~none);
}

/* The low four bits of each byte. */
KERNEL_INLINE Line
low_halves(Line x)
{
	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] &= vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
	return x;
}

/* The high four. */
KERNEL_INLINE Line
high_halves(Line x)
{
	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] >>= 4;
	return low_halves(x);
}

/* ribbon_eliminate where there are rows already, once for all widths. */
KERNEL_TARGET static __attribute__((noinline)) void
eliminate_among(uint64_t masks[8], unsigned filled, uint64_t patterns,
				uint64_t pivots[8])
{
	ribbon_eliminate(masks, filled, patterns, false, pivots);
}

/*
 * Which of the eight rows to add to each track: coefficients are stripe 0, live
 * the tracks that count, filled the slots that the band has, whose bytes are
 * patterns.  pivots, which is zero, gets the track that each slot's row is of.
 */
KERNEL_INLINE Line
sets_of_rows(Line coefficients, uint64_t live, unsigned filled,
			 uint64_t patterns, uint64_t *pivots)
{
	uint64_t masks[8];
	Line sets;

	if (filled == 0xFF)
	{
		Line low = low_halves(coefficients), high = high_halves(coefficients);
		Vector low_sums, high_sums;

		/* the rows to add for a coefficient in slot c alone: byte c */
		vector_sums(vector_invert(vector_all(patterns)), &low_sums, &high_sums);
		RIBBON_UNROLL_8
		for (unsigned v = 0; v < VECTORS; v++)
			sets.v[v] = vector_shuffle(low_sums, low.v[v]) ^
				vector_shuffle(high_sums, high.v[v]);
		return sets;
	}
	line_to_masks(coefficients, masks);
	RIBBON_UNROLL_8
	for (unsigned c = 0; c < SLOTS; c++)
		masks[c] &= live;
	if (RIBBON_LIKELY(filled == 0))
		ribbon_eliminate(masks, 0, 0, false, pivots);
	else
		eliminate_among(masks, filled, patterns, pivots);
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
	Adding adding = {low_halves(sets), high_halves(sets), sets};

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
	{
		adding.at.v[v] = (vector_all(at) ^
						  vector_load(tracks_of_words + v * VECTOR_WORDS)) +
			vector_all(UINT64_C(0x7070707070707070));
		adding.at.v[v] &= vector_all(UINT64_C(0x8F8F8F8F8F8F8F8F));
	}
	return adding;
}

/*
 * The step for one Line of tracks, of which those below vector from are not in
 * use.  False if an equation contradicts those above it: then no track behind
 * it is live.
 */
KERNEL_INLINE bool
step_line(RibbonSweep *sweep, unsigned width, unsigned line, unsigned from)
{
	static const uint64_t no_band[24];
	const uint64_t *old = no_band;
	uint64_t of_band[24], bytes[24], pivots[8] = {0};
	unsigned result_bytes = sweep->tracks.result_bytes;
	uint64_t others = sweep->tracks.live[line], at = 0, none, nonzero, fails;
	unsigned filled = 0, failing;
	uint8_t *first = stripe(sweep, 0) + LINE * line;
	uint8_t *fixed = fixed_stripe(sweep, 0) + LINE * line;
	Line any = line_zero(), any_result = line_zero();
	Line coefficients = line_zero(), sets;
	Adding adding;

	RIBBON_UNROLL_8
	for (unsigned v = from; v < VECTORS; v++)
		coefficients.v[v] = vector_load(first + v * sizeof(Vector));
	if (any_filled(sweep, width))
	{
		filled = load_band(sweep, width, of_band);
		old = of_band;
	}
	sets = sets_of_rows(coefficients, sweep->tracks.live[line], filled, old[0],
						pivots);
	RIBBON_UNROLL_8
	for (unsigned c = 0; c < SLOTS; c++)
	{
		at |= ctz_or_64(pivots[c]) << 8 * c;
		others ^= pivots[c];
	}
	adding = adding_of(sets, at);

	/* the bytes that no stripe has */
	line_store(bytes + 16, line_zero());
	if (width == 32)
		line_store(bytes, line_zero());
	RIBBON_ROLLED
	for (unsigned k = 0; k < width / 8; k++)
		bytes[k] = add_in_stripe(first + k * STRIDE, &adding, from, old[k],
								 &any);
	bytes[LAST_BYTE(width)] = add_in_stripe(first + width / 8 * STRIDE, &adding,
											from, old[LAST_BYTE(width)], &any);
	RIBBON_ROLLED
	for (unsigned k = 0; k < result_bytes; k++)
		bytes[16 + k] = add_in_stripe(fixed + k * STRIDE, &adding, from,
									  old[16 + k], &any_result);
	none = (at >> 6 & UINT64_C(0x0101010101010101)) * 0xFF;
	if (none != UINT64_MAX)
	{
		store_pivots(sweep, width, none, bytes);
		note_pivots(sweep, &adding, from, LINE * line, none);
	}

	nonzero = line_nonzero(any);
	sweep->tracks.live[line] = others & nonzero;
	fails = others & ~nonzero & line_nonzero(any_result);
	if (RIBBON_LIKELY(fails == 0))
		return true;
	failing = (unsigned) ribbon_ctz64(fails);
	ribbon_sweep_fail(sweep, track_position(sweep, LINE * line + failing));
	sweep->tracks.live[line] &= ribbon_low_mask(failing);
	return false;
}

/* Drop equations of keys that are bumped, and those behind the limit. */
KERNEL_TARGET static __attribute__((noinline)) void
drop_tracks(RibbonSweep *sweep)
{
	unsigned threshold = sweep->buckets->threshold[sweep->code];
	unsigned first;

	/* keys of the lowest priority have the lowest positions */
	for (unsigned last = last_live(sweep);
		 last < TRACKS && track_position(sweep, last) < threshold;
		 last = last_live(sweep))
		sweep->tracks.live[last / LINE] ^= UINT64_C(1) << last % LINE;
	first = first_live(sweep);
	if (RIBBON_LIKELY(sweep->slot < sweep->slot_limit) || first == TRACKS)
		return;
	ribbon_sweep_fail(sweep, track_position(sweep, first));
	memset(sweep->tracks.live, 0, sizeof(sweep->tracks.live));
}

/* Equations that begin in the first step, for any ribbon width. */
KERNEL_TARGET static __attribute__((noinline)) void
join_first(RibbonSweep *sweep, unsigned width)
{
	tracks_join(sweep, width);
}

/* ribbon_sweep_advance, for one ribbon width. */
KERNEL_INLINE bool
tracks_advance(RibbonSweep *sweep, unsigned width)
{
	RibbonSweepTracks *tracks = &sweep->tracks;
	unsigned line;
	bool fits = true;

	if (RIBBON_UNLIKELY(sweep->step == 0))
		join_first(sweep, width);
	if (sweep->advance == NULL)
		return ribbon_sweep_advance(sweep);
	if (RIBBON_UNLIKELY(sweep->code > 0 || sweep->slot >= sweep->slot_limit))
		drop_tracks(sweep);
	for (line = tracks->first / LINE; line < NLINES; line++)
	{
		if (!fits)
			tracks->live[line] = 0;
		if (tracks->live[line] != 0)
			fits = tracks->live[line] << LINE / 2 == 0 ?
				step_line(sweep, width, line, VECTORS / 2) :
				step_line(sweep, width, line, 0);
		/* the stripe that the next step ends with */
		line_store(stripe(sweep, ROW_STRIPES(width)) + LINE * line,
				   line_zero());
	}
	sweep->step++;
	sweep->slot += SLOTS;
	if (++tracks->stripe == RIBBON_SWEEP_STRIPES - RIBBON_SWEEP_ROW_STRIPES)
	{
		memmove(tracks->stripes, stripe(sweep, 0), ROW_STRIPES(width) * STRIDE);
		tracks->stripe = 0;
	}
	if (count_live(sweep) == 0)
	{
		tracks->first = TRACKS;
		if (sweep->rows.first <= sweep->rows.lowest)
			return false;
	}
	tracks_join(sweep, width);
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
