/*
 * sweep.c - banding a bucket of keys, eight slots at a time
 *
 * What is done once per bucket or step, whatever the instruction set; the step
 * itself is a kernel's (sweep_step.h, sweep_avx512.c).
 */
#include "sweep.h"

#include "kernel.h"

/* Describe the equations, the last word's first. */
#define RIBBON_BITS 32
#include "sweep_load_template.h"
#define RIBBON_BITS 64
#include "sweep_load_template.h"
#define RIBBON_BITS 128
#include "sweep_load_template.h"

void
ribbon_sweep_begin(RibbonSweep *sweep, const RibbonBand *band,
				   const RibbonRegion *region, const RibbonBuckets *buckets,
				   const uint64_t *words, size_t nwords, uint64_t first_slot,
				   unsigned nslots, uint64_t slot_limit)
{
	sweep->band = band;
	sweep->buckets = buckets;
	sweep->slot = first_slot;
	sweep->slot_limit = slot_limit;
	sweep->step = 0;
	sweep->nsteps = nslots / RIBBON_SWEEP_SLOTS;
	sweep->first = nwords;
	sweep->nactive = 0;
	sweep->code = 0;
	sweep->npivots = 0;
	memset(sweep->begins, 0, sweep->nsteps * sizeof(sweep->begins[0]));
	switch (region->width)
	{
		case 32:
			sweep32_load(sweep, region, words, nwords);
			break;
		case 64:
			sweep64_load(sweep, region, words, nwords);
			break;
		default:
			sweep128_load(sweep, region, words, nwords);
			break;
	}
}

/* Give up the active equations whose position is bumped: the lowest ones. */
static inline void
drop_bumped(RibbonSweep *sweep)
{
	unsigned threshold;

	if (sweep->code == 0)
		return;
	threshold = sweep->buckets->threshold[sweep->code];
	while (sweep->nactive > 0 &&
		   sweep->position[sweep->first + sweep->nactive - 1] < threshold)
		sweep->nactive--;
}

void
ribbon_sweep_fail(RibbonSweep *sweep, unsigned position)
{
	while (sweep->buckets->threshold[sweep->code] <= position)
		sweep->code++;
}

bool
ribbon_sweep_advance(RibbonSweep *sweep)
{
	if (sweep->step < sweep->nsteps)
	{
		sweep->first -= sweep->begins[sweep->step];
		sweep->nactive += sweep->begins[sweep->step];
	}
	drop_bumped(sweep);
	if (sweep->nactive > 0)
	{
		if (RIBBON_UNLIKELY(sweep->slot >= sweep->slot_limit))
		{
			ribbon_sweep_fail(sweep, sweep->position[sweep->first]);
			return false;
		}
		ribbon_kernel()->sweep[ribbon_kernel_index(sweep->band->width)](sweep);
	}
	sweep->step++;
	sweep->slot += RIBBON_SWEEP_SLOTS;
	return sweep->nactive > 0 || sweep->first > 0;
}

void
ribbon_sweep_roll_back(const RibbonSweep *sweep)
{
	if (sweep->code == 0)
		return;
	for (unsigned i = 0; i < sweep->npivots; i++)
		if (sweep->pivot_position[i] < sweep->buckets->threshold[sweep->code])
			ribbon_band_undo(sweep->band, sweep->pivot_slot[i]);
}
