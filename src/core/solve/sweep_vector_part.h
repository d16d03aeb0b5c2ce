/*
 * sweep_vector_part.h - the steps of a sweep, with vectors of bytes
 *
 * Equations are in tracks (sweep_tracks.h), of which 64 are a Line.  Stripe 0,
 * transposed, is the eight masks of eliminate.h.  Solved and transposed back,
 * they give each track a byte that says which of the eight rows to add.  For
 * each stripe, the bytes of these rows make RowSums, which have the sum of each
 * set of them: in tables (AVX2, NEON), or as a matrix (AVX-512).
 */
#include "solve/eliminate.h"
#include "solve/sweep_tracks.h"

/*
 * The band's equations in the eight slots, by byte; which slots have one.  (One
 * function for all widths.)
 */
static KERNEL_TARGET __attribute__((noinline)) unsigned
load_band(const RibbonSweep *sweep, unsigned width, uint64_t *bytes)
{
	const RibbonBand *band = sweep->band;
	uint64_t over = rows_to_bytes(ribbon_sweep_band_rows(sweep, width), width,
								  bytes);
	uint64_t filled = word_diagonal(bytes[0]);

	results_to_bytes(band, sweep->slot, filled, sweep->tracks.result_bytes,
					 bytes + 16);
	bytes[LAST_BYTE(width)] = over;
	return ribbon_low_bits(filled);
}

/* Is any of the eight slots filled, or of the eight behind if w = 32? */
KERNEL_INLINE bool
any_filled(const RibbonSweep *sweep, unsigned width)
{
	const uint8_t *rows = ribbon_sweep_band_rows(sweep, width);

	return line_nonzero(line_load(rows)) != 0 ||
		(width == 128 && line_nonzero(line_load(rows + 64)) != 0);
}

/* What a Line's equations have in common while a step adds rows to them. */
typedef struct LineAdding
{
	Sets sets;	   /* of each track */
	Places pivots; /* by slot */
	uint64_t none; /* 0xFF in the bytes of slots without a pivot */
	bool full;	   /* the band has all eight slots: there are no pivots */
	Line any;	   /* after that, the OR of each track's coefficients */
	Line any_result;
} LineAdding;

/*
 * Add rows in one stripe, of tracks from vector from on.  old: their bytes in
 * the slots that the band has.  Returns the bytes of the pivots after that, if
 * the band is not full, and adds the tracks' bytes to *any, by OR.
 */
KERNEL_INLINE uint64_t
add_in_stripe(uint8_t *tracks, const LineAdding *adding, unsigned from,
			  uint64_t old, Line *any)
{
	Vector old_bytes = vector_all(old);
	Line bytes;
	RowSums rows;

	RIBBON_UNROLL_8
	for (unsigned v = from; v < VECTORS; v++)
		bytes.v[v] = vector_load(tracks + v * sizeof(Vector));
	rows = rows_of(adding->full ?
					   old_bytes :
					   bytes_at(&adding->pivots, bytes, from) | old_bytes);
	RIBBON_UNROLL_8
	for (unsigned v = from; v < VECTORS; v++)
	{
		bytes.v[v] ^= rows_sums(&rows, &adding->sets, v);
		any->v[v] |= bytes.v[v];
		vector_store(tracks + v * sizeof(Vector), bytes.v[v]);
	}
	return adding->full ? 0 : bytes_at(&adding->pivots, bytes, from)[0];
}

/* The same in all stripes: bytes is set to the pivots'. */
KERNEL_INLINE void
add_in_stripes(RibbonSweep *sweep, unsigned width, unsigned line,
			   LineAdding *adding, unsigned from, const uint64_t *old,
			   uint64_t *bytes)
{
	uint8_t *rows = stripe(sweep, 0) + LINE * line;
	uint8_t *results = fixed_stripe(sweep, 0) + LINE * line;
	unsigned result_bytes = sweep->tracks.result_bytes;

	/* the bytes that no stripe has */
	line_store(bytes, line_zero());
	line_store(bytes + 16, line_zero());
	RIBBON_ROLLED
	for (unsigned k = 0; k < width / 8; k++)
		bytes[k] = add_in_stripe(rows + k * STRIDE, adding, from, old[k],
								 &adding->any);
	bytes[LAST_BYTE(width)] = add_in_stripe(rows + width / 8 * STRIDE, adding,
											from, old[LAST_BYTE(width)],
											&adding->any);
	RIBBON_ROLLED
	for (unsigned k = 0; k < result_bytes; k++)
		bytes[16 + k] = add_in_stripe(results + k * STRIDE, adding, from,
									  old[16 + k], &adding->any_result) |
			old[16 + k];
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
 * 0 where there is none; and of the results those that the band has.
 */
KERNEL_INLINE void
store_pivots(RibbonSweep *sweep, unsigned width, const uint64_t *bytes)
{
	Line low = line_transpose_bytes(line_of_words(bytes));
	Line extra = line_transpose_bytes(line_of_words(bytes + 16));
	Line over = extra;
	const RibbonBand *band = sweep->band;
	void *rows = ribbon_sweep_band_rows(sweep, width);
	uint64_t slot = sweep->slot;
	uint64_t words[8];

	RIBBON_UNROLL_8
	for (unsigned v = 0; v < VECTORS; v++)
		over.v[v] = extra.v[v] >> RIBBON_MAX_COLUMNS;
	if (width == 128)
	{
		Line high = line_transpose_bytes(line_of_words(bytes + 8));

		pairs_or(rows, shift_to_slots(low, high), shift_to_slots(high, over));
	}
	else
		low = shift_to_slots(low, over);
	if (width == 64)
	{
		Line old = line_load(rows);

		RIBBON_UNROLL_8
		for (unsigned v = 0; v < VECTORS; v++)
			old.v[v] |= low.v[v];
		line_store(rows, old);
	}
	else if (width == 32)
	{
		line_store(words, low);
		RIBBON_UNROLL_8
		for (unsigned c = 0; c < SLOTS; c++)
			((uint32_t *) rows)[c] |= (uint32_t) words[c];
	}
	if (band->result_size == 1)
		ribbon_store64((uint8_t *) band->result + slot, bytes[16]);
	else if (band->result_size > 1)
	{
		RIBBON_UNROLL_8
		for (unsigned v = 0; v < VECTORS; v++)
			extra.v[v] &= vector_all(~RIBBON_SWEEP_EXTRA_BITS);
		line_store(words, extra);
		results_store(band, slot, words);
	}
}

/* Note their positions, of tracks from vector from on. */
KERNEL_INLINE void
note_pivots(RibbonSweep *sweep, const LineAdding *adding, unsigned from,
			unsigned track)
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
	stored->low = bytes_at(&adding->pivots, low, from)[0];
	stored->high = ribbon_low_bits(bytes_at(&adding->pivots, high, from)[0]);
	stored->filled = ribbon_low_bits(~adding->none);
}

/* ribbon_eliminate where there are rows already, once for all widths. */
static KERNEL_TARGET __attribute__((noinline)) void
eliminate_among(uint64_t masks[8], unsigned filled, uint64_t patterns,
				uint64_t pivots[8])
{
	ribbon_eliminate(masks, filled, patterns, SETS_OF_REDUCED, pivots);
}

/*
 * Find the pivots of a Line, and which of the eight rows to add to each track.
 * coefficients are stripe 0; filled the slots that the band has, not all eight,
 * whose bytes are patterns; *live the tracks that count, of which the pivots
 * are removed.
 */
KERNEL_INLINE LineAdding
find_pivots(Line coefficients, unsigned filled, uint64_t patterns,
			uint64_t *live)
{
	uint64_t masks[8], pivots[8], at = 0;
	LineAdding adding = {.full = false};

	line_to_masks(coefficients, masks);
	RIBBON_UNROLL_8
	for (unsigned c = 0; c < SLOTS; c++)
		masks[c] &= *live;
	if (RIBBON_LIKELY(filled == 0))
		ribbon_eliminate(masks, 0, 0, SETS_OF_REDUCED, pivots);
	else
		eliminate_among(masks, filled, patterns, pivots);
	RIBBON_UNROLL_8
	for (unsigned c = 0; c < SLOTS; c++)
	{
		at |= ctz_or_64(pivots[c]) << 8 * c;
		*live ^= pivots[c];
	}
	adding.none = (at >> 6 & UINT64_C(0x0101010101010101)) * 0xFF;
	adding.pivots = places_of(at);
	adding.sets = sets_of_masks(masks, &adding.pivots);
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
	uint64_t of_band[24], bytes[24];
	uint64_t others = sweep->tracks.live[line], nonzero, fails;
	unsigned filled = 0, failing;
	uint8_t *first = stripe(sweep, 0) + LINE * line;
	Line coefficients = line_zero();
	LineAdding adding = {.full = true};

	RIBBON_UNROLL_8
	for (unsigned v = from; v < VECTORS; v++)
		coefficients.v[v] = vector_load(first + v * sizeof(Vector));
	if (any_filled(sweep, width))
	{
		filled = load_band(sweep, width, of_band);
		old = of_band;
	}
	if (filled == 0xFF)
	{
		adding.sets = sets_by_rows(coefficients, old[0]);
		add_in_stripes(sweep, width, line, &adding, from, old, bytes);
	}
	else
	{
		adding = find_pivots(coefficients, filled, old[0], &others);
		add_in_stripes(sweep, width, line, &adding, from, old, bytes);
		if (adding.none != UINT64_MAX)
		{
			store_pivots(sweep, width, bytes);
			note_pivots(sweep, &adding, from, LINE * line);
		}
	}

	nonzero = line_nonzero(adding.any);
	sweep->tracks.live[line] = others & nonzero;
	fails = others & ~nonzero & line_nonzero(adding.any_result);
	if (RIBBON_LIKELY(fails == 0))
		return true;
	failing = (unsigned) ribbon_ctz64(fails);
	ribbon_sweep_fail(sweep, track_position(sweep, LINE * line + failing));
	sweep->tracks.live[line] &= ribbon_low_mask(failing);
	return false;
}

/* Drop equations of keys that are bumped, and those behind the limit. */
static KERNEL_TARGET __attribute__((noinline)) void
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

/* RibbonSweepAdvance (sweep_step.h), of all ribbon widths. */
static KERNEL_TARGET bool
sweep_advance(RibbonSweep *sweep)
{
	const unsigned width = sweep->band->width;
	RibbonSweepTracks *tracks = &sweep->tracks;
	unsigned line;
	bool fits = true;

	if (sweep->step == 0)
		tracks_begin(sweep);
	if (RIBBON_UNLIKELY(!tracks_join(sweep, width)))
		return ribbon_sweep_advance(sweep);
	if (RIBBON_UNLIKELY(sweep->code > 0 || sweep->slot >= sweep->slot_limit))
		drop_tracks(sweep);
	for (line = tracks->first / LINE; line < NLINES; line++)
	{
		if (!fits)
			tracks->live[line] = 0;
		if (tracks->live[line] != 0)
			fits = VECTORS > 1 && tracks->live[line] << LINE / 2 == 0 ?
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
	if (count_live(sweep) > 0)
		return true;
	tracks->first = TRACKS;
	return sweep->rows.first > sweep->rows.lowest;
}
