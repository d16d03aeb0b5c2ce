/*
 * rate.c - the exact false-positive rate of a solved homogeneous system
 *
 * For nearly every starting position s, the rows behind s have full rank.  So,
 * mostly, do the rows that are behind all of many successive starting
 * positions.  If these have full rank, it is known for all of these positions:
 * one elimination tells it for some w' - r of them.  If not, the run of
 * positions is halved, down to single ones.
 *
 *----------
 *	 rows behind     s     |-----------|
 *					 s + 1   |-----------|
 *					 s + 2     |-----------|
 *	 in common                 |-------|
 *----------
 */
#include "solve/rate.h"

#include "format/icml.h"

/*
 * A run of starting positions has in common so many rows more than there are
 * columns: random rows fail to have full rank once in 2^SPARE_ROWS times.
 */
#define SPARE_ROWS 10
#define FEW_STARTS 4 /* the least number of positions to try at once */

/*
 * How many starting positions have rows of each rank behind them, and their own
 * one in the span of these.
 */
typedef struct Count
{
	const RibbonSystem *system;
	unsigned result_bits; /* that are checked */
	uint64_t counts[RIBBON_MAX_RESULT_BITS + 1];
} Count;

/* Successive result rows, 128 at most, as columns. */
typedef struct Rows
{
	uint64_t low[RIBBON_MAX_RESULT_BITS];  /* of the first 64 rows */
	uint64_t high[RIBBON_MAX_RESULT_BITS]; /* of the others */
	bool has_high;
} Rows;

/* Set columns to n rows from this slot on; n is at most 64 and at most w. */
static inline void
load_columns(const Count *count, uint64_t slot, unsigned n, uint64_t *columns)
{
	const RibbonSystem *system = count->system;
	uint64_t block = slot / system->width;
	unsigned offset = (unsigned) (slot % system->width);
	unsigned rows = ribbon_icml_rows(system, block);
	unsigned here = (unsigned) ribbon_min64(n, rows - offset);
	uint64_t at = ribbon_icml_block_bit(system, block) + offset;

	for (unsigned i = 0; i < count->result_bits; i++)
		columns[i] = ribbon_load_bits(system->slots, at + i * rows, here);
	if (here == n)
		return;
	rows = ribbon_icml_rows(system, block + 1);
	at = ribbon_icml_block_bit(system, block + 1);
	for (unsigned i = 0; i < count->result_bits; i++)
		columns[i] |= ribbon_load_bits(system->slots, at + i * rows, n - here)
			<< here;
}

static void
load_rows(const Count *count, uint64_t slot, unsigned n, Rows *rows)
{
	rows->has_high = n > 64;
	load_columns(count, slot, (unsigned) ribbon_min64(n, 64), rows->low);
	if (rows->has_high)
		load_columns(count, slot + 64, n - 64, rows->high);
}

/* Add column i to the columns behind it that have bit pivot of half set. */
static inline void
reduce_columns(const Count *count, Rows *rows, uint64_t *half, unsigned i,
			   uint64_t pivot)
{
	for (unsigned j = i + 1; j < count->result_bits; j++)
	{
		uint64_t mask = half[j] & pivot ? ~UINT64_C(0) : 0;

		rows->low[j] ^= rows->low[i] & mask;
		if (rows->has_high)
			rows->high[j] ^= rows->high[i] & mask;
	}
}

/* Are the slots behind n successive starts, fewer than w', of full rank? */
static bool
are_full(const Count *count, uint64_t start, unsigned n)
{
	unsigned common = (unsigned) ribbon_min64(64, count->system->row_bits - n);
	Rows rows;

	if (common < count->result_bits)
		return false;
	load_rows(count, start + n, common, &rows);
	for (unsigned i = 0; i < count->result_bits; i++)
	{
		uint64_t column = rows.low[i];

		if (column == 0)
			return false;
		reduce_columns(count, &rows, rows.low, i, column & -column);
	}
	return true;
}

/*
 * Count one starting position by the rank of the rows behind it, if its own row
 * is in their span: each sum of columns that is zero in the rows behind must be
 * zero in its own row, too.
 */
static void
count_one(Count *count, uint64_t start)
{
	unsigned rank = 0;
	Rows rows;

	load_rows(count, start, count->system->row_bits, &rows);
	for (unsigned i = 0; i < count->result_bits; i++)
	{
		uint64_t behind = rows.low[i] & ~UINT64_C(1);
		uint64_t high = rows.has_high ? rows.high[i] : 0;

		if (behind != 0)
			reduce_columns(count, &rows, rows.low, i, behind & -behind);
		else if (high != 0)
			reduce_columns(count, &rows, rows.high, i, high & -high);
		else if (rows.low[i] != 0)
			return;
		rank += (behind | high) != 0;
	}
	count->counts[rank]++;
}

/* Count n successive starts, fewer than w' or one. */
static void
count_starts(Count *count, uint64_t start, unsigned n)
{
	if (n > 1 && are_full(count, start, n))
		count->counts[count->result_bits] += n;
	else if (n > 1)
	{
		count_starts(count, start, n / 2);
		count_starts(count, start + n / 2, n - n / 2);
	}
	else
		count_one(count, start);
}

/*
 * The most successive starts to try at once: their rank is likely to be full.
 */
static unsigned
most_starts(const Count *count)
{
	unsigned row_bits = count->system->row_bits;
	unsigned enough = count->result_bits + SPARE_ROWS;
	unsigned most = row_bits > enough + FEW_STARTS ? row_bits - enough :
													 FEW_STARTS;

	return row_bits > most ? most : 1;
}

/* Count the starting positions begin .. end - 1. */
static RibbonStatus
count_range(const RibbonEnv *env, Count *count, uint64_t begin, uint64_t end)
{
	unsigned most = most_starts(count);
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

/* Add up the rates of the starts begin .. end - 1. */
static RibbonStatus
sum_range(const RibbonEnv *env, const RibbonSystem *system,
		  unsigned result_bits, uint64_t begin, uint64_t end, double *sum)
{
	Count count = {.system = system, .result_bits = result_bits};
	RibbonStatus status = count_range(env, &count, begin, end);

	*sum = 0;
	for (unsigned rank = result_bits; rank > 0; rank--)
		*sum = (*sum + (double) count.counts[rank]) / 2;
	*sum += (double) count.counts[0];
	return status;
}

/*
 * Narrow hashes start up to a border, wide ones from there on; of the border's
 * own start, a share is narrow.
 */
RibbonStatus
ribbon_rate_count(const RibbonEnv *env, const RibbonSystem *system,
				  RibbonResultBits result_bits, double *rate)
{
	unsigned bits = result_bits.bits;
	uint64_t narrow = system->nstarts * (RIBBON_SHARES - result_bits.wide);
	uint64_t border = narrow / RIBBON_SHARES;
	double share = (double) (narrow % RIBBON_SHARES) / RIBBON_SHARES;
	double before, narrow_border = 0, wide_border = 0, behind = 0;
	RibbonStatus status = sum_range(env, system, bits, 0, border, &before);

	if (status == RIBBON_OK && border < system->nstarts)
	{
		/* no call for one start is interrupted */
		(void) sum_range(env, system, bits, border, border + 1, &narrow_border);
		(void) sum_range(env, system, bits + 1, border, border + 1,
						 &wide_border);
		status = sum_range(env, system, bits + 1, border + 1, system->nstarts,
						   &behind);
	}
	*rate = (before + share * narrow_border + (1 - share) * wide_border +
			 behind) /
		(double) system->nstarts;
	return status;
}

RibbonStatus
ribbon_rate_excess(const RibbonEnv *env, const RibbonSystem *system,
				   RibbonResultBits result_bits, double *probability)
{
	double chance = ribbon_result_bits_fpr(result_bits);
	double rate;
	RibbonStatus status = ribbon_rate_count(env, system, result_bits, &rate);

	if (status == RIBBON_OK)
		*probability = rate > chance ? (rate - chance) / (1 - chance) : 0;
	return status;
}
