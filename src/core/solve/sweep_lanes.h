/*
 * sweep_lanes.h - the equations of a sweep, as planes of bytes
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
 * Equations join below the first lane, so lanes are in order of priority.
 *
 * Keys may be chosen so that lanes do not suffice.  Then the sweep goes on with
 * rows, as in sweep_plain.h.
 *
 * Included by sweep_planes.h.
 */
#include "solve/vector.h"
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
	return s->lanes.planes + (s->lanes.plane + k) * STRIDE;
}

VECTOR_INLINE uint8_t *
fixed_plane(const RibbonSweep *s, unsigned k)
{
	return s->lanes.planes + (RIBBON_SWEEP_PLANES + k) * STRIDE;
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
	unsigned result_bytes = s->lanes.result_bytes;
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
		n += (unsigned) __builtin_popcountll(s->lanes.live[q]);
	return n;
}

/*
 * Lanes have become too few: make rows of them, and go on with these.  There
 * are as many free numbers below first + nactive as equations have joined.
 */
RIBBON_VECTOR_TARGET static __attribute__((noinline, cold)) void
planes_to_rows(RibbonSweep *s, unsigned width)
{
	size_t to = s->first;

	for (unsigned lane = s->lanes.first; lane < LANES; lane++)
		if (s->lanes.live[lane / 64] >> lane % 64 & 1)
		{
			uint8_t bytes[24] = {0};

			for (unsigned k = 0; k < width / 8; k++)
				bytes[k] = plane(s, k)[lane];
			bytes[LAST_BYTE(width)] = plane(s, width / 8)[lane];
			for (unsigned k = 0; k < s->lanes.result_bytes; k++)
				bytes[16 + k] = fixed_plane(s, RESULT(k))[lane];
			s->low[to] = ribbon_load64(bytes);
			s->high[to] = ribbon_load64(bytes + 8);
			s->extra[to] = ribbon_load64(bytes + 16);
			s->pattern[to] = bytes[0];
			s->position[to++] = (uint16_t) lane_position(s, lane);
		}
	s->nactive = to - s->first;
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
	unsigned result_bytes = s->lanes.result_bytes;
	unsigned end = LANES;

	for (unsigned q = NBLOCKS; q-- > s->lanes.first / BLOCK;)
	{
		uint64_t live = s->lanes.live[q];
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
	s->lanes.first = end;
	for (unsigned q = 0; q < NBLOCKS; q++)
		s->lanes.live[q] = end >= BLOCK * (q + 1) ? 0 :
			end <= BLOCK * q					  ? UINT64_MAX :
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
	used = LANES - s->lanes.first;
	live = count_live(s);
	if (vectors_of(live + n) < vectors_of(used + n) && live < used)
		compact(s, width);
	while (n > 0)
	{
		unsigned now = n < 8 ? n : 8;
		unsigned lane = s->lanes.first - now;
		uint64_t bits = ribbon_low_mask(now);

		/* fill_lanes takes eight equations, of which some may not count */
		if (RIBBON_UNLIKELY(s->lanes.first < n || s->first < 8))
		{
			planes_to_rows(s, width);
			return;
		}
		fill_lanes(s, width, s->first - 8, (ptrdiff_t) s->lanes.first - 8);
		s->lanes.live[lane / BLOCK] |= bits << lane % BLOCK;
		if ((s->lanes.first - 1) / BLOCK != lane / BLOCK)
			s->lanes.live[lane / BLOCK + 1] |= bits >> (BLOCK - lane % BLOCK);
		s->lanes.first = lane;
		s->first -= now;
		n -= now;
	}
}

#endif /* RIBBON_VECTOR_BYTES */
