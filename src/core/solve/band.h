/*
 * band.h - banding: Gaussian elimination while the equations arrive
 *
 * A key with starting position s and coefficient row c stands for the equation
 * "the result rows of slots s .. s+w-1 that c selects add up to the key's
 * result bits".  The band holds at most one equation per slot, the one whose
 * first coefficient is at that slot [RF 3, algorithm 1; BuRR 2]:
 *
 *----------
 *	 slot 0	 1 x x x . . . .		insert   . 1 x x x . . .
 *	 slot 1	 . 1 x x x . . .		slot 1 is taken: add its row,
 *	 slot 2	 . . . . . . . .		         . . . 1 x x . .
 *	 slot 3	 . . . 1 x x x .		slot 3 is taken: add its row, ...
 *----------
 *
 * A row only ever moves right, stays within w slots, and ends in an empty
 * slot, or as 0 = 0 (the equation followed from the others: nothing to store),
 * or as 0 = 1 (it contradicts them).  Stored rows never change, so the latest
 * insertions can be taken back by emptying their slots.  And which slots are
 * filled in the end depends on the set of equations, not on their order.
 */
#ifndef RIBBON_BAND_H
#define RIBBON_BAND_H

#include "base/alloc.h"
#include "base/row.h"
#include "format/system.h"

/*
 * A band may be that of a window of the system's slots; then slots of the band
 * are counted from its first one.
 */
typedef struct RibbonBand
{
	uint64_t first; /* slot of the system; 0 unless the band is a window */
	uint64_t nslots;
	unsigned width;		  /* bits of a row: 32, 64 or 128 */
	unsigned result_size; /* bytes of a result: 0 (all are zero), 1, 2 or 4 */
	uint32_t result_mask;
	void *coeff;  /* nslots rows; zero where the slot is empty */
	void *result; /* nslots results; of no meaning where it is */
} RibbonBand;

/* Rows behind the last one, always empty, so that eight can be read at once. */
#define RIBBON_BAND_PADDING 8

/* What an insertion returns when it does not end in a slot. */
#define RIBBON_BAND_REDUNDANT	 (UINT64_MAX - 1)
#define RIBBON_BAND_INCONSISTENT UINT64_MAX /* or left a window */

/* An empty band with results of so many bits, 0 .. 32.  RIBBON_OUT_OF_MEMORY. */
extern RibbonStatus ribbon_band_create(const RibbonEnv *env, RibbonBand *band,
									   uint64_t nslots, unsigned width,
									   unsigned result_bits);

/*
 * The same in two steps: memory for so many slots, and any number of times an
 * empty band of up to as many.  RIBBON_OUT_OF_MEMORY; RIBBON_INTERRUPTED.
 */
extern RibbonStatus ribbon_band_alloc(const RibbonEnv *env, RibbonBand *band,
									  uint64_t nslots, unsigned width,
									  unsigned result_bits);
extern RibbonStatus ribbon_band_clear(const RibbonEnv *env, RibbonBand *band,
									  uint64_t first, uint64_t nslots);

extern void ribbon_band_free(const RibbonEnv *env, RibbonBand *band);

/* The result of a slot that is filled. */
static inline uint32_t
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
		default:
			return ((const uint32_t *) band->result)[slot];
	}
}

static inline void
ribbon_band_set_result(const RibbonBand *band, uint64_t slot, uint32_t result)
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
		default:
			((uint32_t *) band->result)[slot] = result;
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

/* Take back the insertion that ended in this slot. */
static inline void
ribbon_band_undo(const RibbonBand *band, uint64_t slot)
{
	size_t row_bytes = band->width / 8;

	memset((uint8_t *) band->coeff + slot * row_bytes, 0, row_bytes);
}

/* ribbon_band32_insert, ribbon_band64_insert, ribbon_band128_insert */
#define RIBBON_BITS 32
#include "solve/band_template.h"
#define RIBBON_BITS 64
#include "solve/band_template.h"
#define RIBBON_BITS 128
#include "solve/band_template.h"

/*
 * Insert the equation of a system's hash, with its fingerprint as the result;
 * returns what ribbon_band64_insert does: a slot of the band.
 */
extern uint64_t ribbon_band_insert_hash(const RibbonBand *band,
										const RibbonSystem *system,
										uint64_t hash);

/*
 * Insert the row that from, of the same width, has in slot i, turned on its
 * head: its bit w - 1 is in this slot, bit 0 in the w-th from there.  The result
 * is zero; returns what ribbon_band64_insert does.
 */
extern uint64_t ribbon_band_insert_reversed(const RibbonBand *band,
											uint64_t slot,
											const RibbonBand *from, uint64_t i);

/* Store the row of one bit in an empty slot. */
extern void ribbon_band_store_bit(const RibbonBand *band, uint64_t slot);

#endif /* RIBBON_BAND_H */
