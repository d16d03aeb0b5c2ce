/*
 * sweep_portable.c - eight slots of a sweep in plain C
 *
 * The rows that an equation must be given are a sum of some of eight, that is
 * one of 256 sums.  Two tables of 16 make any of them from two parts ("the
 * method of four Russians").
 */
#include "sweep_step.h"

#define COLUMNS RIBBON_SWEEP_SLOTS
#define BLOCK	RIBBON_SWEEP_BLOCK

typedef struct Equation
{
	uint64_t low;
	uint64_t high;
	uint64_t extra;
} Equation;

/* Turn 8 bytes of 8 bits on their side: bit i of byte c was bit c of byte i. */
static inline uint64_t
transpose(uint64_t x)
{
	uint64_t t;

	t = (x ^ x >> 7) & UINT64_C(0x00AA00AA00AA00AA);
	x ^= t ^ t << 7;
	t = (x ^ x >> 14) & UINT64_C(0x0000CCCC0000CCCC);
	x ^= t ^ t << 14;
	t = (x ^ x >> 28) & UINT64_C(0x00000000F0F0F0F0);
	return x ^ t ^ t << 28;
}

/* Bit i of columns[c] is bit c of bytes[i], i < n. */
static inline void
bytes_to_columns(const uint8_t *bytes, size_t n, uint64_t *columns)
{
	memset(columns, 0, COLUMNS * sizeof(uint64_t));
	for (size_t i = 0; i < n; i += 8)
	{
		uint64_t x = transpose(ribbon_load64(bytes + i));

		for (unsigned c = 0; c < COLUMNS; c++)
			columns[c] |= (x >> 8 * c & 0xFF) << i;
	}
	for (unsigned c = 0; c < COLUMNS; c++)
		columns[c] &= ribbon_low_mask((unsigned) n);
}

static inline void
columns_to_bytes(const uint64_t *columns, size_t n, uint8_t *bytes)
{
	for (size_t i = 0; i < n; i += 8)
	{
		uint64_t x = 0;

		for (unsigned c = 0; c < COLUMNS; c++)
			x |= (columns[c] >> i & 0xFF) << 8 * c;
		ribbon_store64(bytes + i, transpose(x));
	}
}

/* ~0 if any of these bits is set. */
static inline uint64_t
all_if(uint64_t bits)
{
	return (uint64_t) 0 - (bits != 0);
}

/*
 * Columns of patterns become masks: equation i is to be given row c if bit i
 * of column c is set in the end.  pivots[c] is the bit of the equation that
 * goes to slot c, 0 if none does.  Row c is that equation as it was, or, where
 * bit c of filled is set, the one that the band has there, of this pattern.
 */
static inline void
solve_columns(uint64_t *columns, unsigned filled, const uint8_t *patterns,
			  uint64_t *pivots)
{
	for (unsigned c = 0; c < COLUMNS; c++)
	{
		bool old = filled >> c & 1;
		uint64_t ones = columns[c];
		uint64_t pivot = old ? 0 : ones & (~ones + 1);

		/* what row c is made of goes to the others, too */
		for (unsigned j = 0; j < c; j++)
			columns[j] ^= (ones ^ pivot) & all_if(columns[j] & pivot);
		columns[c] = ones ^ pivot;
		for (unsigned j = c + 1; j < COLUMNS; j++)
			columns[j] ^= ones &
				all_if(old ? patterns[c] >> j & 1 : columns[j] & pivot);
		pivots[c] = pivot;
	}
}

static inline __attribute__((always_inline)) Equation
equation(const RibbonSweep *sweep, unsigned width, size_t i)
{
	Equation e = {sweep->low[i], width == 128 ? sweep->high[i] : 0,
				  sweep->extra[i]};

	return e;
}

static inline Equation
sum(Equation a, Equation b)
{
	a.low ^= b.low;
	a.high ^= b.high;
	a.extra ^= b.extra;
	return a;
}

/* The band's equation in slot c of the step, if there is one. */
static inline __attribute__((always_inline)) Equation
band_equation(const RibbonSweep *sweep, unsigned width, unsigned c)
{
	uint64_t slot = sweep->slot + c;
	uint64_t rest = 0;
	Equation e = {0, 0, 0};

	if (width == 32)
		e.low = (uint64_t) ((const uint32_t *) sweep->band->coeff)[slot] << c;
	else if (width == 64)
	{
		uint64_t row = ((const uint64_t *) sweep->band->coeff)[slot];

		e.low = row << c;
		rest = row >> 1 >> (63 - c);
	}
	else
	{
		RibbonRow128 row = ((const RibbonRow128 *) sweep->band->coeff)[slot];

		e.low = row.lo << c;
		e.high = row.hi << c | row.lo >> 1 >> (63 - c);
		rest = row.hi >> 1 >> (63 - c);
	}
	if (e.low != 0)
		e.extra = rest << 56 | ribbon_band_result(sweep->band, slot);
	return e;
}

/* Slot c of the step gets an equation whose bit 0 is the step's first slot. */
static inline __attribute__((always_inline)) void
store(RibbonSweep *sweep, unsigned width, unsigned c, Equation e,
	  unsigned position)
{
	uint64_t slot = sweep->slot + c;
	uint64_t rest = e.extra >> 56;

	switch (width)
	{
		case 32:
			((uint32_t *) sweep->band->coeff)[slot] = (uint32_t) (e.low >> c);
			break;
		case 64:
			((uint64_t *) sweep->band->coeff)[slot] = e.low >> c |
				rest << 1 << (63 - c);
			break;
		default:
			((RibbonRow128 *) sweep->band->coeff)[slot].lo = e.low >> c |
				e.high << 1 << (63 - c);
			((RibbonRow128 *) sweep->band->coeff)[slot].hi = e.high >> c |
				rest << 1 << (63 - c);
			break;
	}
	ribbon_band_set_result(sweep->band, slot, (uint32_t) e.extra);
	sweep->pivot_slot[sweep->npivots] = slot;
	sweep->pivot_position[sweep->npivots++] = position;
}

/* All sums of four rows: bit i of the index is row i. */
static inline void
fill_table(const Equation *rows, Equation *table)
{
	memset(&table[0], 0, sizeof(Equation));
	for (unsigned i = 0; i < 4; i++)
		for (unsigned j = 0; j < 1u << i; j++)
			table[(1u << i) + j] = sum(table[j], rows[i]);
}

/*
 * Solve for n equations from number begin on.  Those that are left, eight slots
 * further, move up to number out; returns how many, fewer if one has failed.
 */
static inline __attribute__((always_inline)) size_t
step_block(RibbonSweep *sweep, unsigned width, size_t begin, size_t n,
		   size_t out, bool *failed)
{
	uint64_t masks[COLUMNS], pivots[COLUMNS];
	Equation rows[COLUMNS], tables[2][16];
	uint8_t patterns[COLUMNS], sums[BLOCK];
	unsigned filled = 0;
	uint64_t stored = 0;
	size_t nleft = 0;

	for (unsigned c = 0; c < COLUMNS; c++)
	{
		rows[c] = band_equation(sweep, width, c);
		patterns[c] = (uint8_t) rows[c].low;
		filled |= (unsigned) (rows[c].low != 0) << c;
	}
	bytes_to_columns(sweep->pattern + begin, n, masks);
	solve_columns(masks, filled, patterns, pivots);
	columns_to_bytes(masks, n, sums);
	for (unsigned c = 0; c < COLUMNS; c++)
	{
		stored |= pivots[c];
		if (pivots[c] != 0)
			rows[c] = equation(sweep, width,
							   begin + (unsigned) ribbon_ctz64(pivots[c]));
	}
	fill_table(rows, tables[0]);
	fill_table(rows + 4, tables[1]);

	for (unsigned c = 0; c < COLUMNS; c++)
		if (pivots[c] != 0)
		{
			size_t i = (size_t) ribbon_ctz64(pivots[c]);
			Equation e = sum(equation(sweep, width, begin + i),
							 sum(tables[0][sums[i] & 15],
								 tables[1][sums[i] >> 4]));

			store(sweep, width, c, e, sweep->position[begin + i]);
		}

	for (size_t i = 0; i < n; i++)
	{
		Equation e = sum(equation(sweep, width, begin + i),
						 sum(tables[0][sums[i] & 15], tables[1][sums[i] >> 4]));
		uint64_t rest = e.extra & RIBBON_SWEEP_EXTRA_BITS;
		uint64_t any;

		if (width == 128)
		{
			e.low = e.low >> 8 | e.high << 56;
			e.high = e.high >> 8 | rest;
		}
		else
			e.low = e.low >> 8 | rest;
		e.extra ^= rest;
		any = e.low | e.high;
		if (RIBBON_UNLIKELY(any == 0 && e.extra != 0 && !(stored >> i & 1)))
		{
			ribbon_sweep_fail(sweep, sweep->position[begin + i]);
			*failed = true;
			break;
		}
		sweep->low[out + nleft] = e.low;
		if (width == 128)
			sweep->high[out + nleft] = e.high;
		sweep->extra[out + nleft] = e.extra;
		sweep->pattern[out + nleft] = (uint8_t) e.low;
		sweep->position[out + nleft] = sweep->position[begin + i];
		nleft += any != 0 && !(stored >> i & 1);
	}
	return nleft;
}

static inline __attribute__((always_inline)) bool
advance(RibbonSweep *sweep, unsigned width)
{
	if (ribbon_sweep_join(sweep))
	{
		size_t end = sweep->first + sweep->nactive;
		size_t out = sweep->first;
		bool failed = false;

		for (size_t i = out; i < end && !failed; i += BLOCK)
			out += step_block(sweep, width, i,
							  end - i < BLOCK ? end - i : BLOCK, out, &failed);
		sweep->nactive = out - sweep->first;
	}
	return ribbon_sweep_move_on(sweep);
}

bool
ribbon_sweep32_advance(RibbonSweep *sweep)
{
	return advance(sweep, 32);
}

bool
ribbon_sweep64_advance(RibbonSweep *sweep)
{
	return advance(sweep, 64);
}

bool
ribbon_sweep128_advance(RibbonSweep *sweep)
{
	return advance(sweep, 128);
}
