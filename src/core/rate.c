/*
 * rate.c - to how many strangers does this very solution say yes?
 *
 * Nearly every window has full rank, and so do the slots that the windows of
 * many successive starts have in common.  If these have, all of the starts
 * have: one elimination for some w' - r of them.  If not, halve the run of
 * starts, down to one.
 *
 *----------
 *	 windows behind  s     |-----------|
 *					 s + 1   |-----------|
 *					 s + 2     |-----------|
 *	 in common                 |-------|
 *----------
 */
#include "rate.h"

#include "icml.h"

#include <math.h>

#define MAX_COLUMNS 32

/*
 * Rows that windows have in common, more than columns: random rows fail to have
 * full rank once in 2^SPARE_ROWS times.
 */
#define SPARE_ROWS 12

/* Starting positions whose windows have a certain rank. */
typedef struct Count
{
	const RibbonRegion *region;
	unsigned columns;				   /* that are checked */
	uint64_t counts[MAX_COLUMNS + 1]; /* by rank; Z[s] is in the span */
} Count;

/* n <= 64 bits of a column, from a slot on; n is at most w. */
static inline uint64_t
load_column(const RibbonRegion *region, unsigned column, uint64_t slot,
			unsigned n)
{
	uint64_t block = slot / region->width;
	unsigned offset = (unsigned) (slot % region->width);
	unsigned rows = ribbon_icml_rows(region, block);
	unsigned here = (unsigned) ribbon_min64(n, rows - offset);
	uint64_t at = ribbon_icml_block_bit(region, block) + column * rows + offset;
	uint64_t bits = ribbon_load_bits(region->slots, at, here);

	if (here == n)
		return bits;
	rows = ribbon_icml_rows(region, block + 1);
	at = ribbon_icml_block_bit(region, block + 1) + column * rows;
	return bits | ribbon_load_bits(region->slots, at, n - here) << here;
}

/* Do these n <= 64 slots have result rows of full rank? */
static bool
have_full_rank(const Count *count, uint64_t slot, unsigned n)
{
	uint64_t words[MAX_COLUMNS];

	for (unsigned i = 0; i < count->columns; i++)
		words[i] = load_column(count->region, i, slot, n);
	for (unsigned i = 0; i < count->columns; i++)
	{
		uint64_t pivot = words[i];
		uint64_t first = pivot & -pivot;

		if (pivot == 0)
			return false;
		for (unsigned j = i + 1; j < count->columns; j++)
			words[j] ^= words[j] & first ? pivot : 0;
	}
	return true;
}

/* All w' bits of a column, from a start on. */
static RibbonRow128
load_window(const RibbonRegion *region, unsigned column, uint64_t start)
{
	unsigned low = (unsigned) ribbon_min64(64, region->row_bits);
	RibbonRow128 window = {load_column(region, column, start, low), 0};

	if (region->row_bits > 64)
		window.hi = load_column(region, column, start + 64,
								region->row_bits - 64u);
	return window;
}

/* Clear bit p, which words[i] has set, in the words behind it. */
static void
eliminate(RibbonRow128 *words, unsigned i, unsigned n, unsigned p)
{
	for (unsigned j = i + 1; j < n; j++)
		if (ribbon_row128_low(ribbon_row128_shr(words[j], p)) & 1)
			words[j] = ribbon_row128_xor(words[j], words[i]);
}

/*
 * The number of starts in question whose rank this is, one or none: an equation
 * between the columns that the rows behind the start fulfil, its own must, too.
 */
static void
count_one(Count *count, uint64_t start)
{
	RibbonRow128 words[MAX_COLUMNS];
	unsigned rank = 0;

	for (unsigned i = 0; i < count->columns; i++)
		words[i] = load_window(count->region, i, start);
	for (unsigned i = 0; i < count->columns; i++)
	{
		RibbonRow128 behind = words[i];

		behind.lo &= ~UINT64_C(1);
		if (!ribbon_row128_is_zero(behind))
		{
			eliminate(words, i, count->columns, ribbon_row128_ctz(behind));
			rank++;
		}
		else if (words[i].lo != 0)
			return;
	}
	count->counts[rank]++;
}

/* Count n successive starts, fewer than w'. */
static void
count_starts(Count *count, uint64_t start, unsigned n)
{
	unsigned common = (unsigned) ribbon_min64(64, count->region->row_bits - n);

	if (common >= count->columns && have_full_rank(count, start + n, common))
		count->counts[count->columns] += n;
	else if (n == 1)
		count_one(count, start);
	else
	{
		count_starts(count, start, n / 2);
		count_starts(count, start + n / 2, n - n / 2);
	}
}

/* Count the starts begin .. end - 1 of words that check so many columns. */
static RibbonStatus
count_range(const RibbonEnv *env, Count *count, uint64_t begin, uint64_t end)
{
	unsigned enough = count->columns + SPARE_ROWS;
	unsigned row_bits = count->region->row_bits;
	unsigned most = row_bits >= 2 * enough ? row_bits - enough :
		row_bits > 1					   ? row_bits / 2 :
											 1;
	uint64_t nruns = 0;

	for (uint64_t start = begin; start < end;)
	{
		unsigned n = (unsigned) ribbon_min64(most, end - start);

		count_starts(count, start, n);
		start += n;
		if (++nruns % (RIBBON_INTERRUPT_KEYS / 64) == 0 &&
			ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return RIBBON_OK;
}

/* The rates of all starts that were counted, added up. */
static double
sum_of(const Count *count)
{
	double sum = 0;

	for (unsigned rank = count->columns; rank > 0; rank--)
		sum = (sum + (double) count->counts[rank]) / 2;
	return sum + (double) count->counts[0];
}

/* The same for the starts begin .. end - 1 alone. */
static RibbonStatus
sum_range(const RibbonEnv *env, const RibbonRegion *region, unsigned columns,
		  uint64_t begin, uint64_t end, double *sum)
{
	Count count = {.region = region, .columns = columns};
	RibbonStatus status = count_range(env, &count, begin, end);

	*sum = sum_of(&count);
	return status;
}

/*
 * Narrow words start up to a border, wide ones from there on; the border's
 * start is shared.
 */
RibbonStatus
ribbon_rate_count(const RibbonEnv *env, const RibbonRegion *region,
				  double *rate)
{
	uint64_t narrow = region->nstarts * (RIBBON_SHARES - region->wide);
	uint64_t border = narrow / RIBBON_SHARES;
	double share = (double) (narrow % RIBBON_SHARES) / RIBBON_SHARES;
	double before, narrow_border = 0, wide_border = 0, behind = 0;
	RibbonStatus status = sum_range(env, region, region->columns, 0, border,
									&before);

	if (status == RIBBON_OK && border < region->nstarts)
	{
		status = sum_range(env, region, region->columns, border, border + 1,
						   &narrow_border);
		if (status == RIBBON_OK)
			status = sum_range(env, region, region->columns + 1, border,
							   border + 1, &wide_border);
		if (status == RIBBON_OK)
			status = sum_range(env, region, region->columns + 1, border + 1,
							   region->nstarts, &behind);
	}
	*rate = (before + share * narrow_border + (1 - share) * wide_border +
			 behind) /
		(double) region->nstarts;
	return status;
}
