/*
 * sweep_run.c - the steps of a sweep, and sweep after sweep
 *
 * A step's arithmetic is a kernel's (solver.h).
 */
#include "solve/sweep.h"

/*
 * Begin a step: equations that begin in its slots become active; those of keys
 * that are bumped, the lowest ones, are dropped.  Is any equation active?
 */
static inline bool
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

bool
ribbon_sweep_advance(RibbonSweep *sweep)
{
	RibbonSweepRows *rows = &sweep->rows;

	if (sweep->advance != NULL)
		return sweep->advance(sweep);
	if (begin_step(sweep))
	{
		size_t end = rows->first + rows->nactive;
		size_t out = rows->first;
		bool failed = false;

		for (size_t i = out; i < end && !failed; i += RIBBON_SWEEP_BATCH)
			out += sweep->step_batch(sweep, i,
									 ribbon_min64(end - i, RIBBON_SWEEP_BATCH),
									 out, &failed);
		rows->nactive = out - rows->first;
	}
	sweep->step++;
	sweep->slot += RIBBON_SWEEP_SLOTS;
	return rows->nactive > 0 || rows->first > rows->lowest;
}

void
ribbon_sweep_roll_back(const RibbonSweep *sweep)
{
	unsigned threshold = sweep->buckets->threshold[sweep->code];

	if (sweep->code == 0)
		return;
	for (unsigned i = 0; i < sweep->npivots; i++)
		for (unsigned below =
				 ribbon_sweep_pivots_below(&sweep->pivots[i], threshold);
			 below != 0; below &= below - 1)
			ribbon_band_undo(sweep->band,
							 sweep->pivots[i].slot +
								 (unsigned) __builtin_ctz(below));
}

/*
 * Buckets between calls of RibbonEnv.interrupted: a tenth of a millisecond, or
 * a few milliseconds where each has as many keys as a sweep can take.
 */
#define INTERRUPT_BUCKETS 16

RibbonStatus
ribbon_sweep_run(const RibbonEnv *env, RibbonSweep *sweep, RibbonSweepNext next,
				 void *arg)
{
	for (unsigned n = 1; next(arg); n++)
	{
		while (ribbon_sweep_advance(sweep))
			;
		if (n % INTERRUPT_BUCKETS == 0 && ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;
	}
	return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
}
