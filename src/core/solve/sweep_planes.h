/*
 * sweep_planes.h - the steps of a sweep, with vectors of bytes
 *
 * Each active equation has a lane, and keeps it.  Plane k has byte k of every
 * lane's row, so the coefficients in the eight slots of a step are plane 0, and
 * eight slots further, plane 1 takes its place: no byte moves.
 *
 *----------
 *	 lane			  0   ...  first		...			  255
 *	 plane 0			   .   07  a1  00  3c  ...   these eight slots
 *	 plane 1			   .   e2  15  88  91  ...   the next eight
 *	 ...
 *	 results			   .   5b  c4  07  2e  ...
 *	 live				   .   1   1   0   1		 0: stored, zero or bumped
 *----------
 *
 * Equations join below the first lane, so lanes are in order of priority.  64
 * lanes are a Block.  Plane 0, turned, is the eight masks of sweep_plain.h;
 * solved and turned back, they give each lane a byte that says which of the
 * eight rows to add.  For each plane, the bytes of these rows have 16 sums of
 * rows 0 - 3 and 16 of rows 4 - 7; a shuffle looks up one for each lane.
 *
 * Keys may be chosen so that lanes do not suffice.  Then the sweep goes on with
 * rows, as in sweep_plain.h.
 *
 * Included by sweep_vector.c.
 */
#include "base/vector.h"
#include "solve/sweep.h"
#include "solve/sweep_plain.h"

#include <stddef.h>

#ifdef RIBBON_VECTOR_BYTES

#define LANES	RIBBON_SWEEP_LANES_MAX
#define STRIDE	RIBBON_SWEEP_STRIDE
#define NBLOCKS (LANES / BLOCK)

/* Plane k of the step to come, or of results; the byte of lane 0. */
VECTOR_INLINE uint8_t *
plane(const RibbonSweep *s, unsigned k)
{
	return s->planes + (s->plane + k) * STRIDE;
}

VECTOR_INLINE uint8_t *
fixed_plane(const RibbonSweep *s, unsigned k)
{
	return s->planes + (RIBBON_SWEEP_PLANES + k) * STRIDE;
}

#define RESULT(k)	(k)
#define POSITION(k) (7 + (k)) /* low and high byte */

/* Planes of rows: w bits, and up to seven more, which are this byte. */
#define ROW_PLANES(width) ((width) / 8 + 1)
#define LAST_BYTE(width)  ((width) == 32 ? 4 : 23)

/* Eight lanes from lane on, -8 or more, get the equations from number i on. */
VECTOR_INLINE void
fill_lanes(RibbonSweep *s, unsigned width, size_t i, ptrdiff_t lane)
{
	/* the low bytes of eight positions, then their high bytes */
	const Vector halves = vector_repeat(UINT64_C(0x0E0C0A0806040200),
										UINT64_C(0x0F0D0B0907050301));
	Vector positions = vector_shuffle(vector_load(s->position + i), halves);
	uint8_t *rows = plane(s, 0) + lane;
	uint8_t *fixed = fixed_plane(s, 0) + lane;
	unsigned result_bytes = s->result_bytes;
	uint64_t bytes[24];

	block_store(bytes, block_turn_bytes(block_load(s->low + i)));
	if (width == 128)
		block_store(bytes + 8, block_turn_bytes(block_load(s->high + i)));
	block_store(bytes + 16, block_turn_bytes(block_load(s->extra + i)));
	VECTOR_UNROLL
	for (unsigned k = 0; k < width / 8; k++)
		ribbon_store64(rows + k * STRIDE, bytes[k]);
	ribbon_store64(rows + width / 8 * STRIDE, bytes[LAST_BYTE(width)]);
	for (unsigned k = 0; k < result_bytes; k++)
		ribbon_store64(fixed + RESULT(k) * STRIDE, bytes[16 + k]);
	ribbon_store64(fixed + POSITION(0) * STRIDE, positions[0]);
	ribbon_store64(fixed + POSITION(1) * STRIDE, positions[1]);
}

VECTOR_INLINE unsigned
lane_position(const RibbonSweep *s, unsigned lane)
{
	return fixed_plane(s, POSITION(0))[lane] |
		(unsigned) fixed_plane(s, POSITION(1))[lane] << 8;
}

VECTOR_INLINE unsigned
count_live(const RibbonSweep *s)
{
	unsigned n = 0;

	VECTOR_UNROLL
	for (unsigned q = 0; q < NBLOCKS; q++)
		n += (unsigned) __builtin_popcountll(s->live[q]);
	return n;
}

/*
 * Lanes have become too few: make rows of them, and go on with these.  There
 * are as many free numbers below first + nactive as equations have joined.
 */
VECTOR_INLINE void
planes_to_rows(RibbonSweep *s, unsigned width)
{
	size_t to = s->first;

	for (unsigned lane = s->first_lane; lane < LANES; lane++)
		if (s->live[lane / 64] >> lane % 64 & 1)
		{
			uint8_t bytes[24] = {0};

			for (unsigned k = 0; k < width / 8; k++)
				bytes[k] = plane(s, k)[lane];
			bytes[LAST_BYTE(width)] = plane(s, width / 8)[lane];
			for (unsigned k = 0; k < s->result_bytes; k++)
				bytes[16 + k] = fixed_plane(s, RESULT(k))[lane];
			s->low[to] = ribbon_load64(bytes);
			s->high[to] = ribbon_load64(bytes + 8);
			s->extra[to] = ribbon_load64(bytes + 16);
			s->pattern[to] = bytes[0];
			s->position[to++] = (uint16_t) lane_position(s, lane);
		}
	s->nactive = to - s->first;
	s->advance = NULL;
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

/* Move the live lanes of a plane's Block, eight at a time. */
VECTOR_INLINE void
move_lanes(uint8_t *lanes, unsigned q, Block from, const unsigned *to)
{
	uint64_t moved[8];
	Block x = block_load(lanes + BLOCK * q);

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
		x.v[v] = vector_shuffle(x.v[v], from.v[v]);
	block_store(moved, x);
	VECTOR_UNROLL
	for (unsigned g = 8; g-- > 0;)
		ribbon_store64(lanes + to[g], moved[g]);
}

/* Move the live lanes up, so that none between them and the last is not. */
VECTOR_INLINE void
compact(RibbonSweep *s, unsigned width)
{
	uint8_t *rows = plane(s, 0);
	uint8_t *fixed = fixed_plane(s, 0);
	unsigned result_bytes = s->result_bytes;
	unsigned end = LANES;

	for (unsigned q = NBLOCKS; q-- > s->first_lane / BLOCK;)
	{
		uint64_t live = s->live[q];
		uint64_t words[8];
		unsigned to[8];
		Block from;

		for (unsigned g = 8; g-- > 0;)
		{
			unsigned group = (unsigned) (live >> 8 * g) & 0xFF;

			/* a shuffle is within 16 bytes */
			words[g] = bits_of[group] + g % 2 * UINT64_C(0x0808080808080808);
			to[g] = end - 8;
			end -= (unsigned) __builtin_popcount(group);
		}
		from = block_load(words);
		/* the last plane is zero: equations in it have joined just now */
		for (unsigned k = 0; k < width / 8; k++)
			move_lanes(rows + k * STRIDE, q, from, to);
		for (unsigned k = 0; k < result_bytes; k++)
			move_lanes(fixed + RESULT(k) * STRIDE, q, from, to);
		move_lanes(fixed + POSITION(0) * STRIDE, q, from, to);
		move_lanes(fixed + POSITION(1) * STRIDE, q, from, to);
	}
	s->first_lane = end;
	for (unsigned q = 0; q < NBLOCKS; q++)
		s->live[q] = end >= BLOCK * (q + 1) ? 0 :
			end <= BLOCK * q				? UINT64_MAX :
											  UINT64_MAX << end % BLOCK;
}

/* Vectors that the steps of so many lanes take; half a Block may do. */
VECTOR_INLINE unsigned
vectors_of(unsigned nlanes)
{
	return (nlanes + 31) / 32;
}

/* Equations that begin in the step to come get lanes. */
VECTOR_INLINE void
planes_join(RibbonSweep *s, unsigned width)
{
	unsigned n, used, live;

	if (s->step >= s->nsteps || s->first_of[s->step] == RIBBON_SWEEP_NONE)
		return;
	n = (unsigned) (s->first - s->first_of[s->step]);
	used = LANES - s->first_lane;
	live = count_live(s);
	if (vectors_of(live + n) < vectors_of(used + n) && live < used)
		compact(s, width);
	while (n > 0)
	{
		unsigned now = n < 8 ? n : 8;
		unsigned lane = s->first_lane - now;
		uint64_t bits = ribbon_low_mask(now);

		/* fill_lanes takes eight equations, of which some may not count */
		if (RIBBON_UNLIKELY(s->first_lane < n || s->first < 8))
		{
			planes_to_rows(s, width);
			return;
		}
		fill_lanes(s, width, s->first - 8, (ptrdiff_t) s->first_lane - 8);
		s->live[lane / BLOCK] |= bits << lane % BLOCK;
		if ((s->first_lane - 1) / BLOCK != lane / BLOCK)
			s->live[lane / BLOCK + 1] |= bits >> (BLOCK - lane % BLOCK);
		s->first_lane = lane;
		s->first -= now;
		n -= now;
	}
}

/*
 * As solve_masks of sweep_plain.h, where the band has nothing in these slots.
 * Of a round's words, those below c get the rest of the ones, word c loses its
 * pivot, and those above get all ones.
 */
VECTOR_INLINE Block
solve_empty(Block masks, uint64_t *pivots)
{
	static const uint64_t not_c[15] = {UINT64_MAX, UINT64_MAX, UINT64_MAX,
									   UINT64_MAX, UINT64_MAX, UINT64_MAX,
									   UINT64_MAX, 0,		   UINT64_MAX,
									   UINT64_MAX, UINT64_MAX, UINT64_MAX,
									   UINT64_MAX, UINT64_MAX, UINT64_MAX};
	static const uint64_t to_c[15] = {UINT64_MAX, UINT64_MAX, UINT64_MAX,
									  UINT64_MAX, UINT64_MAX, UINT64_MAX,
									  UINT64_MAX, UINT64_MAX};

	VECTOR_UNROLL
	for (unsigned c = 0; c < SLOTS; c++)
	{
		Vector ones = block_word(masks, c);
		Vector pivot = ones & -ones;

		pivots[c] = pivot[0];
		VECTOR_UNROLL
		for (unsigned v = 0; v < VECTORS; v++)
		{
			unsigned at = 7 - c + v * VECTOR_WORDS;
			Vector add = (ones & vector_load(not_c + at)) ^
				(pivot & vector_load(to_c + at));

			masks.v[v] ^= vector_has(masks.v[v], pivot) & add;
		}
	}
	return masks;
}

/*
 * Where the band has all eight slots: byte c is the set of the rows that are
 * added to an equation whose only coefficient is in slot c.
 */
VECTOR_INLINE uint64_t
solve_filled(uint64_t patterns)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t sets = UINT64_C(0x8040201008040201);

	VECTOR_UNROLL
	for (unsigned c = SLOTS - 1; c > 0; c--)
	{
		uint64_t who = patterns >> c & each & ribbon_low_mask(8 * c);

		sets ^= who * 0xFF & (sets >> 8 * c & 0xFF) * each;
	}
	return sets;
}

/* The band's equations in the eight slots, by byte; which slots have one. */
VECTOR_INLINE unsigned
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
		block_store(bytes + i, block_turn_bytes(block_of_words(bytes + i)));
	return filled;
}

/* Is any of the eight slots filled? */
VECTOR_INLINE bool
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

/* What a Block's equations have in common while a step adds rows to them. */
typedef struct Adding
{
	Block low; /* the low and high four bits of each lane's set of rows */
	Block high;
	Block at; /* the lanes of the pivots, by slot, for vector_shuffle */
} Adding;

/* The bytes of the pivots' lanes, in every word: byte c that of slot c. */
VECTOR_INLINE Vector
pivot_bytes(const Adding *a, Block x, unsigned from)
{
	Vector sum = vector_shuffle(x.v[from], a->at.v[from]);

	VECTOR_UNROLL
	for (unsigned v = from + 1; v < VECTORS; v++)
		sum |= vector_shuffle(x.v[v], a->at.v[v]);
	return vector_or_across(sum);
}

/*
 * Add rows in one plane, of lanes from vector from on.  old: their bytes in the
 * slots that the band has.  Returns the bytes of the pivots after that, and
 * adds the lanes' bytes to *any, by OR.
 */
VECTOR_INLINE uint64_t
add_in_plane(uint8_t *lanes, const Adding *a, unsigned from, uint64_t old,
			 Block *any)
{
	Block x;
	Vector low, high;

	VECTOR_UNROLL
	for (unsigned v = from; v < VECTORS; v++)
		x.v[v] = vector_load(lanes + v * sizeof(Vector));
	vector_sums(pivot_bytes(a, x, from) | vector_all(old), &low, &high);
	VECTOR_UNROLL
	for (unsigned v = from; v < VECTORS; v++)
	{
		x.v[v] ^= vector_shuffle(low, a->low.v[v]) ^
			vector_shuffle(high, a->high.v[v]);
		any->v[v] |= x.v[v];
		vector_store(lanes + v * sizeof(Vector), x.v[v]);
	}
	return pivot_bytes(a, x, from)[0];
}

/*
 * Word c of high and low, 128 bits, by slot number c down; the lower half.
 */
VECTOR_INLINE Block
align(Block low, Block high)
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
VECTOR_INLINE void
store_pivots(RibbonSweep *s, unsigned width, unsigned lane,
			 const uint64_t *pivots, const uint64_t *bytes)
{
	Block low = block_turn_bytes(block_of_words(bytes));
	Block extra = block_turn_bytes(block_of_words(bytes + 16));
	Block over = extra;
	const RibbonBand band = *s->band; /* no store changes it */
	const uint8_t *position = fixed_plane(s, POSITION(0)) + lane;
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
		Block high = block_turn_bytes(block_of_words(bytes + 8));

		block_store(rows, align(low, high));
		block_store(rows + 8, align(high, over));
	}
	else
		block_store(rows, align(low, over));
	block_store(results, extra);
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

/*
 * The step for the Block q of lanes, of which those below vector from are not
 * in use.  False if an equation contradicts those above it: then no lane behind
 * it is live.
 */
VECTOR_INLINE bool
planes_block(RibbonSweep *s, unsigned width, unsigned q, unsigned from)
{
	const Vector four = vector_all(UINT64_C(0x0F0F0F0F0F0F0F0F));
	const Vector zero = vector_all(0);
	/* the first of 16 lanes, in each byte */
	static const uint64_t lanes_of_words[8] = {0,
											   0,
											   UINT64_C(0x1010101010101010),
											   UINT64_C(0x1010101010101010),
											   UINT64_C(0x2020202020202020),
											   UINT64_C(0x2020202020202020),
											   UINT64_C(0x3030303030303030),
											   UINT64_C(0x3030303030303030)};
	static const uint64_t none[24];
	const uint64_t *old = none;
	uint64_t of_band[24], bytes[24], pivots[8] = {0};
	unsigned result_bytes = s->result_bytes;
	uint64_t live = s->live[q], others = live, at = 0, nonzero, fails;
	unsigned filled = 0;
	uint8_t *first = plane(s, 0) + BLOCK * q;
	uint8_t *fixed = fixed_plane(s, 0) + BLOCK * q;
	Block sets, any, any_result, x;
	Adding a;

	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
	{
		any.v[v] = any_result.v[v] = zero;
		x.v[v] = v < from ? zero : vector_load(first + v * sizeof(Vector));
	}
	if (any_filled(s, width))
	{
		filled = load_band(s, width, of_band);
		old = of_band;
	}
	if (filled == 0xFF)
	{
		Vector low, high;

		vector_sums(vector_all(solve_filled(old[0])), &low, &high);
		VECTOR_UNROLL
		for (unsigned v = 0; v < VECTORS; v++)
			sets.v[v] = vector_shuffle(low, x.v[v] & four) ^
				vector_shuffle(high, x.v[v] >> 4 & four);
	}
	else
	{
		VECTOR_UNROLL
		for (unsigned v = 0; v < VECTORS; v++)
			x.v[v] = vector_turn_bits(x.v[v]);
		x = block_turn_bytes(x);
		VECTOR_UNROLL
		for (unsigned v = 0; v < VECTORS; v++)
			x.v[v] &= vector_all(live);
		if (RIBBON_LIKELY(filled == 0))
			x = solve_empty(x, pivots);
		else
		{
			uint64_t masks[8];
			uint8_t patterns[8];

			block_store(masks, x);
			ribbon_store64(patterns, old[0]);
			solve_masks(masks, filled, patterns, pivots);
			x = block_load(masks);
		}
		x = block_turn_bytes(x);
		VECTOR_UNROLL
		for (unsigned v = 0; v < VECTORS; v++)
			sets.v[v] = vector_turn_bits(x.v[v]);
	}

	/* 64 where there is no pivot: no 16 lanes have that */
	VECTOR_UNROLL
	for (unsigned c = 0; c < SLOTS; c++)
	{
		at |= ctz_or_64(pivots[c]) << 8 * c;
		others ^= pivots[c];
	}
	VECTOR_UNROLL
	for (unsigned v = 0; v < VECTORS; v++)
	{
		a.low.v[v] = sets.v[v] & four;
		a.high.v[v] = sets.v[v] >> 4 & four;
		a.at.v[v] = (vector_all(at) ^
					 vector_load(lanes_of_words + v * VECTOR_WORDS)) +
			vector_all(UINT64_C(0x7070707070707070));
		a.at.v[v] &= vector_all(UINT64_C(0x8F8F8F8F8F8F8F8F));
	}

	/* the bytes that no plane has */
	block_store(bytes + 16, block_zero());
	if (width == 32)
		block_store(bytes, block_zero());
	for (unsigned k = 0; k < width / 8; k++)
		bytes[k] = add_in_plane(first + k * STRIDE, &a, from, old[k], &any);
	bytes[LAST_BYTE(width)] = add_in_plane(first + width / 8 * STRIDE, &a, from,
										   old[LAST_BYTE(width)], &any);
	for (unsigned k = 0; k < result_bytes; k++)
		bytes[16 + k] = add_in_plane(fixed + RESULT(k) * STRIDE, &a, from,
									 old[16 + k], &any_result);
	if (at != UINT64_C(0x4040404040404040))
		store_pivots(s, width, BLOCK * q, pivots, bytes);

	nonzero = block_nonzero(any);
	s->live[q] = others & nonzero;
	fails = others & ~nonzero & block_nonzero(any_result);
	if (RIBBON_LIKELY(fails == 0))
		return true;
	ribbon_sweep_fail(s,
					  lane_position(s,
									BLOCK * q +
										(unsigned) ribbon_ctz64(fails)));
	s->live[q] &= ribbon_low_mask((unsigned) ribbon_ctz64(fails));
	return false;
}

/* Drop equations of keys that are bumped, and those behind the limit. */
VECTOR_INLINE void
drop_lanes(RibbonSweep *s)
{
	unsigned threshold = s->buckets->threshold[s->code];

	/* keys of the lowest priority have the lowest positions */
	for (unsigned q = NBLOCKS; q-- > 0;)
		while (s->live[q] != 0)
		{
			unsigned last = 63 - (unsigned) __builtin_clzll(s->live[q]);

			if (lane_position(s, BLOCK * q + last) >= threshold)
			{
				q = 0;
				break;
			}
			s->live[q] ^= UINT64_C(1) << last;
		}
	if (RIBBON_LIKELY(s->slot < s->slot_limit))
		return;
	for (unsigned q = 0; q < NBLOCKS; q++)
		if (s->live[q] != 0)
		{
			ribbon_sweep_fail(s,
							  lane_position(s,
											BLOCK * q +
												(unsigned)
													ribbon_ctz64(s->live[q])));
			memset(s->live, 0, sizeof(s->live));
		}
}

/* ribbon_sweep_advance, for one ribbon width. */
VECTOR_INLINE bool
planes_advance(RibbonSweep *s, unsigned width)
{
	unsigned q;
	bool fits = true;

	if (RIBBON_UNLIKELY(s->step == 0))
		planes_join(s, width);
	if (s->advance == NULL)
		return ribbon_sweep_advance(s);
	if (RIBBON_UNLIKELY(s->code > 0 || s->slot >= s->slot_limit))
		drop_lanes(s);
	for (q = s->first_lane / BLOCK; q < NBLOCKS; q++)
	{
		if (!fits)
			s->live[q] = 0;
		else if (s->live[q] == 0)
			;
		else if (s->live[q] << BLOCK / 2 == 0)
			fits = planes_block(s, width, q, VECTORS / 2);
		else
			fits = planes_block(s, width, q, 0);
		/* the plane that the next step ends with */
		block_store(plane(s, ROW_PLANES(width)) + BLOCK * q, block_zero());
	}
	s->step++;
	s->slot += SLOTS;
	if (++s->plane == RIBBON_SWEEP_PLANES - 17)
	{
		memmove(s->planes, plane(s, 0), ROW_PLANES(width) * STRIDE);
		s->plane = 0;
	}
	if (count_live(s) == 0)
	{
		s->first_lane = LANES;
		if (s->first <= s->lowest)
			return false;
	}
	planes_join(s, width);
	return true;
}

#endif /* RIBBON_VECTOR_BYTES */
