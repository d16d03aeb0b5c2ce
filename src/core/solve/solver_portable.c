/*
 * solver_portable.c - the inner loops that solve, for every machine
 *
 * In a step of a sweep, the rows to be added to an equation are some of eight:
 * one of 256 sums.  Two tables, each with the 16 sums of four rows, give it in
 * two parts ("the method of four Russians").
 */
#include "format/icml.h"
#include "solve/eliminate.h"
#include "solve/solver.h"

#define KERNEL_TARGET

/* An equation of a sweep, in words. */
typedef struct Equation
{
	uint64_t low;
	uint64_t high;
	uint64_t extra;
} Equation;

/* The band's equation in slot c of the step, if there is one. */
KERNEL_INLINE Equation
band_equation(const RibbonSweep *sweep, unsigned width, unsigned c)
{
	uint64_t slot = sweep->slot + c;
	uint64_t rest = 0;
	Equation e = {0, 0, 0};

	if (width < 128)
	{
		uint64_t row = width == 32 ?
			((const uint32_t *) sweep->band->coeff)[slot] :
			((const uint64_t *) sweep->band->coeff)[slot];

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

/*
 * Set bit i of masks[c] to bit c of bytes[i], for i < n; the other bits to 0.
 */
KERNEL_INLINE void
bytes_to_masks(const uint8_t *bytes, size_t n, uint64_t *masks)
{
	memset(masks, 0, RIBBON_SWEEP_SLOTS * sizeof(uint64_t));
	for (size_t i = 0; i < n; i += 8)
	{
		uint64_t x = ribbon_load64(bytes + i), t;

		RIBBON_TRANSPOSE_BITS(x, t);
		for (unsigned c = 0; c < RIBBON_SWEEP_SLOTS; c++)
			masks[c] |= (x >> 8 * c & 0xFF) << i;
	}
	for (unsigned c = 0; c < RIBBON_SWEEP_SLOTS; c++)
		masks[c] &= ribbon_low_mask((unsigned) n);
}

/* The inverse: set bit c of bytes[i] to bit i of masks[c]. */
KERNEL_INLINE void
masks_to_bytes(const uint64_t *masks, size_t n, uint8_t *bytes)
{
	for (size_t i = 0; i < n; i += 8)
	{
		uint64_t x = 0, t;

		for (unsigned c = 0; c < RIBBON_SWEEP_SLOTS; c++)
			x |= (masks[c] >> i & 0xFF) << 8 * c;
		RIBBON_TRANSPOSE_BITS(x, t);
		ribbon_store64(bytes + i, x);
	}
}

KERNEL_INLINE Equation
sweep_equation(const RibbonSweep *sweep, unsigned width, size_t i)
{
	return (Equation){sweep->rows.low[i],
					  width == 128 ? sweep->rows.high[i] : 0,
					  sweep->rows.extra[i]};
}

/* Slot c of the step gets an equation whose bit 0 is the step's first slot. */
KERNEL_INLINE void
store_equation(const RibbonSweep *sweep, unsigned width, unsigned c, Equation e)
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
	ribbon_band_set_result(sweep->band, slot,
						   e.extra & ~RIBBON_SWEEP_EXTRA_BITS);
}

/*
 * What is added to the equations of a batch: sums of four rows (bit i of the
 * index is row i), and of the other four; which rows, of each equation; and the
 * equations, as bits, that are not stored.
 */
typedef struct BatchAdding
{
	uint64_t low[2][16];
	uint64_t high[2][16];
	uint64_t extra[2][16];
	uint8_t rows[RIBBON_SWEEP_BATCH];
	uint64_t others;
} BatchAdding;

KERNEL_INLINE void
fill_tables(BatchAdding *adding, unsigned width, const Equation *rows)
{
	for (unsigned t = 0; t < 2; t++)
	{
		adding->low[t][0] = adding->high[t][0] = adding->extra[t][0] = 0;
		for (unsigned i = 1; i < 16; i++)
		{
			const Equation *row = &rows[4 * t + (unsigned) ribbon_ctz64(i)];
			unsigned others = i & (i - 1);

			adding->low[t][i] = adding->low[t][others] ^ row->low;
			if (width == 128)
				adding->high[t][i] = adding->high[t][others] ^ row->high;
			adding->extra[t][i] = adding->extra[t][others] ^ row->extra;
		}
	}
}

/* Equation i of those from begin on, plus its rows. */
KERNEL_INLINE Equation
add_rows(const RibbonSweep *sweep, unsigned width, size_t begin, size_t i,
		 const BatchAdding *adding)
{
	unsigned a = adding->rows[i] & 15, b = adding->rows[i] >> 4;
	Equation e = sweep_equation(sweep, width, begin + i);

	e.low ^= adding->low[0][a] ^ adding->low[1][b];
	if (width == 128)
		e.high ^= adding->high[0][a] ^ adding->high[1][b];
	e.extra ^= adding->extra[0][a] ^ adding->extra[1][b];
	return e;
}

/*
 * Add rows to n equations, and move those of others, eight slots on, to out and
 * behind.  Returns how many are left, or sets *failed.
 */
KERNEL_INLINE size_t
move_equations(RibbonSweep *sweep, unsigned width, size_t begin, size_t n,
			   const BatchAdding *adding, size_t out, bool *failed)
{
	size_t to = out;

	for (size_t i = 0; i < n; i++)
	{
		Equation e = add_rows(sweep, width, begin, i, adding);
		uint64_t rest = e.extra & RIBBON_SWEEP_EXTRA_BITS;
		uint64_t here = adding->others >> i & 1;
		uint16_t position = sweep->rows.position[begin + i];
		uint64_t any;

		if (width == 128)
		{
			e.low = e.low >> 8 | e.high << 56;
			e.high = e.high >> 8 | rest;
			sweep->rows.high[to] = e.high;
			any = e.low | e.high;
		}
		else
			any = e.low = e.low >> 8 | rest;
		e.extra ^= rest;
		sweep->rows.low[to] = e.low;
		sweep->rows.extra[to] = e.extra;
		sweep->rows.pattern[to] = (uint8_t) e.low;
		sweep->rows.position[to] = position;
		if (RIBBON_UNLIKELY(any == 0))
		{
			if (e.extra != 0 && here)
			{
				ribbon_sweep_fail(sweep, position);
				*failed = true;
				break;
			}
			here = 0;
		}
		to += here;
	}
	return to - out;
}

/*
 * Eliminate in the eight slots of the step, for the n equations (at most
 * RIBBON_SWEEP_BATCH) from number begin on, and store the pivots.  The
 * equations that are neither stored nor zero then are moved to the numbers from
 * out on (out <= begin); returns how many.  If an equation contradicts those
 * above it, ribbon_sweep_fail is called with its position, *failed is set, and
 * it and those below it are not counted; else *failed stays as it is.
 */
KERNEL_INLINE size_t
step_batch(RibbonSweep *sweep, unsigned width, size_t begin, size_t n,
		   size_t out, bool *failed)
{
	uint64_t masks[RIBBON_SWEEP_SLOTS], pivots[RIBBON_SWEEP_SLOTS];
	Equation rows[RIBBON_SWEEP_SLOTS];
	BatchAdding adding;
	uint64_t patterns = 0;
	unsigned filled = 0;
	RibbonSweepPivots *stored = &sweep->pivots[sweep->npivots];

	*stored = (RibbonSweepPivots){.slot = (uint32_t) sweep->slot};
	for (unsigned c = 0; c < RIBBON_SWEEP_SLOTS; c++)
	{
		rows[c] = band_equation(sweep, width, c);
		patterns |= (rows[c].low & 0xFF) << 8 * c;
		filled |= (unsigned) (rows[c].low != 0) << c;
	}
	bytes_to_masks(sweep->rows.pattern + begin, n, masks);
	ribbon_eliminate(masks, filled, patterns, false, pivots);
	masks_to_bytes(masks, n, adding.rows);
	adding.others = ribbon_low_mask((unsigned) n);
	for (unsigned c = 0; c < RIBBON_SWEEP_SLOTS; c++)
		if (pivots[c] != 0)
		{
			adding.others ^= pivots[c];
			rows[c] = sweep_equation(sweep, width,
									 begin +
										 (unsigned) ribbon_ctz64(pivots[c]));
		}
	fill_tables(&adding, width, rows);

	for (unsigned c = 0; c < RIBBON_SWEEP_SLOTS; c++)
		if (pivots[c] != 0)
		{
			size_t i = (size_t) ribbon_ctz64(pivots[c]);
			uint64_t position = sweep->rows.position[begin + i];

			store_equation(sweep, width, c,
						   add_rows(sweep, width, begin, i, &adding));
			stored->low |= (position & 0xFF) << 8 * c;
			stored->high |= (uint8_t) (position >> 8 << c);
			stored->filled |= (uint8_t) (1u << c);
		}
	sweep->npivots += stored->filled != 0;

	return move_equations(sweep, width, begin, n, &adding, out, failed);
}

/*
 * Begin a step: equations that begin in its slots become active; those of keys
 * that are bumped, the lowest ones, are dropped.  Is any equation active?
 */
static bool
begin_step(RibbonSweep *sweep)
{
	RibbonSweepRows *rows = &sweep->rows;

	if (sweep->step < sweep->nsteps &&
		rows->first_of[sweep->step] != RIBBON_SWEEP_NONE)
	{
		rows->nactive += rows->first - rows->first_of[sweep->step];
		rows->first = rows->first_of[sweep->step];
	}
	if (sweep->code > 0)
	{
		unsigned threshold = sweep->buckets->threshold[sweep->code];
		const uint16_t *position = rows->position + rows->first;

		while (rows->nactive > 0 && position[rows->nactive - 1] < threshold)
			rows->nactive--;
	}
	if (RIBBON_UNLIKELY(sweep->slot >= sweep->slot_limit) && rows->nactive > 0)
	{
		ribbon_sweep_fail(sweep, rows->position[rows->first]);
		rows->nactive = 0;
	}
	return rows->nactive > 0;
}

/* sweep_advance, for one ribbon width. */
KERNEL_INLINE bool
advance_width(RibbonSweep *sweep, unsigned width)
{
	RibbonSweepRows *rows = &sweep->rows;

	if (sweep->step == 0)
		ribbon_sweep_note_patterns(sweep);
	if (begin_step(sweep))
	{
		size_t end = rows->first + rows->nactive;
		size_t out = rows->first;
		bool failed = false;

		for (size_t i = out; i < end && !failed; i += RIBBON_SWEEP_BATCH)
			out += step_batch(sweep, width, i,
							  ribbon_min64(end - i, RIBBON_SWEEP_BATCH), out,
							  &failed);
		rows->nactive = out - rows->first;
	}
	sweep->step++;
	sweep->slot += RIBBON_SWEEP_SLOTS;
	return rows->nactive > 0 || rows->first > rows->lowest;
}

/* RibbonSweepAdvance (sweep_step.h). */
static bool
sweep_advance(RibbonSweep *sweep)
{
	switch (sweep->band->width)
	{
		case 32:
			return advance_width(sweep, 32);
		case 64:
			return advance_width(sweep, 64);
		default:
			return advance_width(sweep, 128);
	}
}

#define RIBBON_TEMPLATE "solve/backsubst_template.h"
#include "base/widths_template.h"

#define RIBBON_WORDS	uint64_t
#define RIBBON_TEMPLATE "solve/sweep_template.h"
#include "base/widths_template.h"

#define RIBBON_STRINGS uint64_t
#include "solve/dense_template.h"

const RibbonSolver ribbon_solver_portable = {
	.backsubst = {backsubst32_loop, backsubst64_loop, backsubst128_loop},
	.rows = {sweep32_rows, sweep64_rows, sweep128_rows},
	.advance = sweep_advance,
	.dense = dense_solve,
};
