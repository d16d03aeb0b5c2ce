/*
 * sweep.c - banding a bucket of keys, eight slots at a time
 *
 * What is done once per bucket or step, whatever the instruction set; the step
 * itself is a kernel's (sweep_step.h, sweep_avx512.c).
 */
#include "sweep.h"

#include "kernel.h"
#include "sweep_step.h"

#define RIBBON_BITS 32
#include "sweep_load_template.h"
#define RIBBON_BITS 64
#include "sweep_load_template.h"
#define RIBBON_BITS 128
#include "sweep_load_template.h"

size_t
ribbon_sweep_begin(RibbonSweep *sweep, const RibbonBand *band,
				   const RibbonRegion *region, const RibbonBuckets *buckets,
				   const uint64_t *words, size_t nwords, uint64_t first_slot,
				   unsigned nslots, uint64_t slot_limit)
{
	size_t n;

	sweep->band = band;
	sweep->buckets = buckets;
	sweep->slot = first_slot;
	sweep->slot_limit = slot_limit;
	sweep->step = 0;
	sweep->nsteps = nslots / RIBBON_SWEEP_SLOTS;
	sweep->nactive = 0;
	sweep->code = 0;
	sweep->npivots = 0;
	memset(sweep->first_of, 0xFF, sweep->nsteps * sizeof(sweep->first_of[0]));
	switch (region->width)
	{
		case 32:
			n = sweep32_load(sweep, region, words, nwords);
			break;
		case 64:
			n = sweep64_load(sweep, region, words, nwords);
			break;
		default:
			n = sweep128_load(sweep, region, words, nwords);
			break;
	}
	sweep->first = RIBBON_SWEEP_KEYS;
	sweep->lowest = RIBBON_SWEEP_KEYS - ribbon_min64(n, RIBBON_SWEEP_KEYS);
	return n;
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
	return ribbon_kernel()
		->sweep[ribbon_kernel_index(sweep->band->width)](sweep);
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
