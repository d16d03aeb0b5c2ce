/*
 * column.h - what a plane of one value bit has stored for a key
 *
 * Its systems are bit strings: blocks of one column, side by side, are the
 * slots in their order (docs/format.md, 5).  So a lookup takes w bits from the
 * starting position on, as two words, and needs neither blocks nor eight
 * columns.  Kernels compile this for their instructions.
 */
#ifndef RIBBON_COLUMN_H
#define RIBBON_COLUMN_H

#include "base/row.h"
#include "format/system.h"

/* What a probe that starts below whole reads: 128 bits, from any bit on. */
#define RIBBON_COLUMN_BYTES 17

/* The bit that a system has for a hash; start may be too large by smash. */
static inline __attribute__((always_inline)) bool
ribbon_column_bit(const RibbonSystem *system, uint64_t hash, uint64_t start)
{
	RibbonRow128 row = ribbon_row128_coeff(hash, 128);
	RibbonRow128 slots;

	if (RIBBON_LIKELY(start < system->whole))
	{
		const uint8_t *at = system->slots + start / 8;
		uint64_t middle = ribbon_load64(at + 8);
		unsigned shift = start % 8;

		slots.lo = ribbon_load64(at) >> shift | middle << 1 << (63 - shift);
		slots.hi = middle >> shift | (uint64_t) at[16] << 1 << (63 - shift);
	}
	else
	{
		start = ribbon_min64(start, system->nstarts - 1);
		slots = ribbon_row128_load_bits(system->slots, start, system->row_bits);
	}
	if (system->row_bits < 128)
	{
		row.lo &= ribbon_low_mask(system->row_bits);
		row.hi &=
			ribbon_low_mask(system->row_bits < 64 ? 0 : system->row_bits - 64u);
	}
	return ribbon_row128_dot(slots, row);
}

#endif /* RIBBON_COLUMN_H */
