/*
 * band.h - the equations of a system, after Gaussian elimination
 *
 * A key with starting position s, coefficient row c and result bits f stands
 * for the equation "those result rows of slots s .. s+w-1 that c selects add up
 * to f".  The band is the system M of [RF 3; BuRR 2]: at most one equation per
 * slot, whose first coefficient is at that slot.  An equation gets there so
 * (algorithm 1; sweep.h has it for many at once):
 *
 *----------
 *	 slot 0	 1 x x x . . . .		insert   . 1 x x x . . .
 *	 slot 1	 . 1 x x x . . .		slot 1 is taken: add its row,
 *	 slot 2	 . . . . . . . .		         . . . 1 x x . .
 *	 slot 3	 . . . 1 x x x .		slot 3 is taken: add its row, ...
 *----------
 *
 * The row only moves to the right, and always has w bits.  It ends in an empty
 * slot; or as 0 = 0 (redundant: the equation follows from the others, nothing
 * is stored); or as 0 = 1 (inconsistent: it contradicts them).  Stored rows
 * never change, so the latest equations are removed by emptying their slots.
 * Which slots are filled in the end depends on the set of equations, not on
 * their order [RF 3, proof of theorem 3.2].
 */
#ifndef RIBBON_BAND_H
#define RIBBON_BAND_H

#include "base/env.h"
#include "base/row.h"
#include "format/system.h"

/*
 * The equations of a system's slots from first on.  Slots of the band are
 * counted from there.
 */
typedef struct RibbonBand
{
	uint64_t first; /* slot of the system; not 0 only in a window's band */
	unsigned width; /* bits of a row: 32, 64 or 128 */
	unsigned result_size; /* bytes of a result: 0 (all are zero), 1, 2, 4, 8 */
	uint64_t result_mask; /* of the result bits that are in use */
	void *coeff;		  /* a row for each slot; 0 where it is empty */
	void *result;		  /* a result; not set where the slot is empty */
} RibbonBand;

/* Empty rows behind the last one: eight, or 64 bytes, can be read at once. */
#define RIBBON_BAND_PADDING 16

/*
 * Get memory for a band of nslots slots, whose results have ncolumns (0 ..
 * RIBBON_MAX_COLUMNS) bits.  ribbon_band_free frees it, and is to be called
 * after a failure, RIBBON_OUT_OF_MEMORY, too.
 */
extern RibbonStatus ribbon_band_alloc(const RibbonEnv *env, RibbonBand *band,
									  uint64_t nslots, unsigned width,
									  unsigned ncolumns);

/*
 * Make it an empty band of nslots slots, or fewer, from slot first of the
 * system on, but for the last nkept of them, which stay as they are.  Errors:
 * RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_band_clear(const RibbonEnv *env, RibbonBand *band,
									  uint64_t first, uint64_t nslots,
									  uint64_t nkept);

/* Free the rows and results. */
extern void ribbon_band_free(const RibbonEnv *env, RibbonBand *band);

/* The result of a filled slot, and to set it.  slot is one of the band. */
static inline uint64_t
ribbon_band_result(const RibbonBand *band, uint64_t slot)
{
	switch (band->result_size)
	{
		case 0:
			return 0;
		case 1:
			return ((const uint8_t *) band->result)[slot];
		case 2:
			return ((const uint16_t *) band->result)[slot];
		case 4:
			return ((const uint32_t *) band->result)[slot];
		default:
			return ((const uint64_t *) band->result)[slot];
	}
}

static inline void
ribbon_band_set_result(const RibbonBand *band, uint64_t slot, uint64_t result)
{
	switch (band->result_size)
	{
		case 0:
			break;
		case 1:
			((uint8_t *) band->result)[slot] = (uint8_t) result;
			break;
		case 2:
			((uint16_t *) band->result)[slot] = (uint16_t) result;
			break;
		case 4:
			((uint32_t *) band->result)[slot] = (uint32_t) result;
			break;
		default:
			((uint64_t *) band->result)[slot] = result;
			break;
	}
}

static inline bool
ribbon_band_is_empty(const RibbonBand *band, uint64_t slot)
{
	switch (band->width)
	{
		case 32:
			return ((const RibbonRow32 *) band->coeff)[slot] == 0;
		case 64:
			return ((const RibbonRow64 *) band->coeff)[slot] == 0;
		default:
			return ribbon_row128_is_zero(((const RibbonRow128 *)
											  band->coeff)[slot]);
	}
}

/* Empty a slot: remove the equation that is stored there. */
static inline void
ribbon_band_undo(const RibbonBand *band, uint64_t slot)
{
	size_t row_bytes = band->width / 8;

	memset((uint8_t *) band->coeff + slot * row_bytes, 0, row_bytes);
}

#endif /* RIBBON_BAND_H */
