/*
 * backsubst.h - back substitution, from a band straight into ICML blocks
 *
 * From the last slot to the first, the row in slot i gives result row Z[i] from
 * the w - 1 rows behind it, which are at hand: each column keeps its latest w
 * bits in one word, newest in front [RF 5.2].
 *
 *----------
 *	 column word before slot i:	 Z[i+1] Z[i+2] ... Z[i+w]
 *	 make room in front:		 0      Z[i+1] ... Z[i+w-1]
 *	 new front bit:				 parity(word AND row i) + result i
 *----------
 *
 * Whenever i is the first slot of a block, the words are that block.
 */
#ifndef RIBBON_BACKSUBST_H
#define RIBBON_BACKSUBST_H

#include "solve/band.h"

/*
 * What an empty slot's result row becomes.  With RIBBON_FREE_UNIT any r
 * successive empty slots hold linearly independent rows of r bits, in narrow
 * and in wide blocks alike.
 */
typedef enum RibbonFreeSlots
{
	RIBBON_FREE_ZERO = 0, /* zero: any value would do */
	RIBBON_FREE_UNIT = 1  /* rows that are as independent as can be */
} RibbonFreeSlots;

/*
 * What to solve: a run of slots of a system, whose equations the band has.
 * Slots behind end have been solved; begin and end are multiples of w, except
 * for the system's own end.
 */
typedef struct RibbonBacksubst
{
	const RibbonBand *band;
	const RibbonSystem *system;
	uint64_t begin;
	uint64_t end;
	uint64_t free_row; /* what the next empty slot's result row becomes */
	uint8_t *slots; /* ribbon_icml_bytes(system) bytes, zeroed to begin with */
} RibbonBacksubst;

/* All the slots of a system. */
static inline RibbonBacksubst
ribbon_backsubst_all(const RibbonBand *band, const RibbonSystem *system,
					 RibbonFreeSlots free_slots, uint8_t *slots)
{
	RibbonBacksubst run = {band, system, 0, system->nslots, free_slots, slots};

	return run;
}

/*
 * An empty slot's row after this one: one of the r unit vectors after the other,
 * and the column that only wide blocks have set in every other round; or zero.
 */
static inline uint64_t
ribbon_backsubst_next_row(uint64_t row, unsigned result_bits)
{
	uint64_t last_column = UINT64_C(1) << result_bits;
	uint64_t unit = row & (last_column - 1);

	return unit == last_column >> 1 ? 1 | (~row & last_column) : row + unit;
}

#endif /* RIBBON_BACKSUBST_H */
