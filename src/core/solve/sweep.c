/*
 * sweep.c - sweep after sweep, from the hashes of a bucket to a roll-back
 *
 * A step is a kernel's (solver.h).
 */
#include "solve/sweep.h"

#include "solve/solver.h"

/*
 * Add the bucket's keys, in ascending order of positions, each with the highest
 * priority so far, for RibbonSweepMakeRows; returns what ribbon_sweep_begin
 * does.  Where supply is a constant NULL, nothing is left of it.
 */
static inline __attribute__((always_inline)) size_t
add_keys(RibbonSweep *sweep, const RibbonSystem *system,
		 const RibbonSupply *supply, const uint64_t *elements, size_t n)
{
	uint64_t nslots = (uint64_t) sweep->nsteps * RIBBON_SWEEP_SLOTS;
	uint64_t first_slot = sweep->band->first + sweep->slot;
	size_t stride = ribbon_supply_stride(supply);
	size_t i = sweep->rows.lowest;
	RibbonSystem unchanged = *system; /* by any store */
	size_t nkeys;

	for (nkeys = 0; nkeys < n; nkeys++)
	{
		const uint64_t *element = elements + nkeys * stride;
		uint64_t hash = *element;
		uint64_t position = ribbon_system_start(&unchanged, hash) - first_slot;
		uint64_t result = 0;

		if (position >= nslots)
			break;
		if (i-- == 0)
			return RIBBON_SWEEP_KEYS + 1;
		if (supply != NULL)
			result = ribbon_supply_result(supply, hash, element);
		sweep->rows.low[i] = hash;
		sweep->rows.extra[i] = position % RIBBON_SWEEP_SLOTS << 56 |
			(result & ~RIBBON_SWEEP_EXTRA_BITS);
		sweep->rows.position[i] = (uint16_t) position;
		sweep->rows.first_of[position / RIBBON_SWEEP_SLOTS] = (uint16_t) i;
	}
	sweep->rows.lowest = i;
	return nkeys;
}

const RibbonBuckets ribbon_sweep_buckets =
	{.log2_size = 9,
	 .threshold = {0, RIBBON_SWEEP_BUCKET_SLOTS, RIBBON_SWEEP_BUCKET_SLOTS,
				   RIBBON_SWEEP_BUCKET_SLOTS}};

size_t
ribbon_sweep_begin(RibbonSweep *sweep, const RibbonSystem *system,
				   const RibbonSupply *supply, const uint64_t *elements,
				   size_t n)
{
	const RibbonSolver *solver = ribbon_solver();
	const RibbonBand *band = sweep->band;
	unsigned width = ribbon_width_index(band->width);
	unsigned log2_size = sweep->buckets->log2_size;
	uint64_t slot = ribbon_system_start(system, *elements) - band->first;
	size_t nkeys;

	sweep->advance = solver->advance;
	sweep->slot = slot >> log2_size << log2_size;
	sweep->step = 0;
	sweep->nsteps = (1u << log2_size) / RIBBON_SWEEP_SLOTS;
	sweep->rows.nactive = 0;
	sweep->rows.first = RIBBON_SWEEP_KEYS;
	sweep->rows.lowest = RIBBON_SWEEP_KEYS;
	sweep->code = 0;
	sweep->npivots = 0;
	memset(sweep->rows.first_of, 0xFF,
		   sweep->nsteps * sizeof(sweep->rows.first_of[0]));
	nkeys = supply == NULL ? add_keys(sweep, system, NULL, elements, n) :
							 add_keys(sweep, system, supply, elements, n);
	if (nkeys > RIBBON_SWEEP_KEYS)
		return nkeys;
	solver->rows[width](sweep, system->row_bits, supply != NULL);
	return nkeys;
}

/*
 * The slots, as bits, whose keys' positions are below this one, which is
 * RIBBON_SWEEP_BUCKET_SLOTS at most.  Bytes are compared by their low seven
 * bits, all at once, and then by the uppermost one.
 */
static unsigned
pivots_below(const RibbonSweepPivots *pivots, unsigned position)
{
	const uint64_t tops = UINT64_C(0x8080808080808080);
	uint64_t low = pivots->low, less;
	unsigned above = position >> 8; /* 0, 1, or 2: all */

	less = (low | tops) - (position & 0x7F) * (tops >> 7);
	less = ~((position & 0x80) != 0 ? low & less : low | less) & tops;
	less = ribbon_low_bits(less >> 7);
	return pivots->filled &
		(above == 0		? less & ~pivots->high :
			 above == 1 ? less | (uint8_t) ~pivots->high :
						  0xFF);
}

void
ribbon_sweep_roll_back(const RibbonSweep *sweep)
{
	unsigned threshold = sweep->buckets->threshold[sweep->code];

	if (sweep->code == 0)
		return;
	for (unsigned i = 0; i < sweep->npivots; i++)
		for (unsigned below = pivots_below(&sweep->pivots[i], threshold);
			 below != 0; below &= below - 1)
			ribbon_band_undo(sweep->band,
							 sweep->pivots[i].slot +
								 (unsigned) ribbon_ctz64(below));
}
