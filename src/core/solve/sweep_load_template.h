/*
 * sweep_load_template.h - a bucket's equations, for one ribbon width
 */
#include "base/template.h"

/*
 * Make the equation of a key at this position of the bucket number i, one less
 * than before: keys are added in ascending order of positions, each with the
 * highest priority so far.
 */
static inline void
NAME(sweep, add)(RibbonSweep *sweep, size_t i, uint64_t position, ROW row,
				 uint64_t result)
{
	unsigned offset = (unsigned) position % RIBBON_SWEEP_SLOTS;
	uint64_t low = ROW_FN(low)(row);
	uint64_t rest = low >> 1 >> (63 - offset);

	sweep->low[i] = low << offset;
	if (RIBBON_BITS == 128)
	{
		uint64_t high = ROW_FN(high)(row);

		sweep->high[i] = high << offset | rest;
		rest = high >> 1 >> (63 - offset);
	}
	sweep->extra[i] = rest << 56 | result;
	sweep->position[i] = (uint16_t) position;
	sweep->pattern[i] = (uint8_t) sweep->low[i];
	sweep->first_of[position / RIBBON_SWEEP_SLOTS] = (uint16_t) i;
}

/*
 * Add the bucket's keys; returns what ribbon_sweep_begin does.  supply is the
 * band's; where it is a constant NULL, nothing is left of it.
 */
static inline __attribute__((always_inline)) size_t
NAME(sweep, load)(RibbonSweep *sweep, const RibbonSystem *system,
				  const RibbonSupply *supply, const uint64_t *hashes,
				  size_t nhashes)
{
	uint64_t nslots = (uint64_t) sweep->nsteps * RIBBON_SWEEP_SLOTS;
	uint64_t first_slot = sweep->band->first + sweep->slot;
	uint64_t result_mask = sweep->band->result_mask;
	size_t stride = ribbon_supply_stride(supply);
	size_t room = sweep->lowest;
	RibbonSystem of_system = *system; /* no store changes it */
	size_t n;

	for (n = 0; n < nhashes; n++)
	{
		const uint64_t *element = hashes + n * stride;
		uint64_t hash = *element;
		uint64_t position = ribbon_system_start(&of_system, hash) - first_slot;
		uint64_t result = 0;

		if (position >= nslots)
			break;
		if (n == room)
			return RIBBON_SWEEP_KEYS + 1;
		if (supply != NULL)
			result = ribbon_supply_result(supply, hash, element[1]);
		else if (result_mask != 0)
			result = ribbon_hash_fingerprint(hash);
		NAME(sweep, add)
		(sweep, room - n - 1, position, ROW_FN(coeff)(hash, RIBBON_BITS),
		 result & result_mask);
	}
	sweep->lowest = room - n;
	return n;
}

/* The same for the band's supply. */
static size_t
NAME(sweep, load_supplied)(RibbonSweep *sweep, const RibbonSystem *system,
						   const uint64_t *hashes, size_t nhashes)
{
	const RibbonSupply *supply = sweep->band->supply;

	return supply == NULL ?
		NAME(sweep, load)(sweep, system, NULL, hashes, nhashes) :
		NAME(sweep, load)(sweep, system, supply, hashes, nhashes);
}

#include "base/template_end.h"
