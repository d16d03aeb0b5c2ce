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

#include "alloc.h"
#include "region.h"
#include "row.h"

typedef struct RibbonBand
{
	uint64_t nslots;
	void *coeff;	  /* nslots rows; zero where the slot is empty */
	uint32_t *result; /* nslots results, or NULL if all are zero */
} RibbonBand;

/* What an insertion returns when it does not end in a slot. */
#define RIBBON_BAND_REDUNDANT	 (UINT64_MAX - 1)
#define RIBBON_BAND_INCONSISTENT UINT64_MAX

/* An empty band for rows of row_bytes bytes.  RIBBON_OUT_OF_MEMORY. */
extern RibbonStatus ribbon_band_create(const RibbonEnv *env, RibbonBand *band,
									   uint64_t nslots, size_t row_bytes,
									   bool with_results);
extern void ribbon_band_free(const RibbonEnv *env, RibbonBand *band);

/* ribbon_band32_insert, ribbon_band64_insert, ribbon_band128_insert */
#define RIBBON_BITS 32
#include "band_template.h"
#define RIBBON_BITS 64
#include "band_template.h"
#define RIBBON_BITS 128
#include "band_template.h"

#endif /* RIBBON_BAND_H */
