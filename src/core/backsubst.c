/*
 * backsubst.c - back substitution, from a band straight into ICML blocks
 */
#include "backsubst.h"

#include "icml.h"

/*
 * The k-th empty slot's row: one of the r unit vectors after the other, and the
 * column that only wide blocks have set in every other round.
 */
static uint32_t
unit_row(unsigned columns, uint64_t k)
{
	uint64_t last_column = k / columns & 1;

	return (uint32_t) (UINT64_C(1) << k % columns | last_column << columns);
}

#define RIBBON_BITS 32
#include "backsubst_template.h"
#define RIBBON_BITS 64
#include "backsubst_template.h"
#define RIBBON_BITS 128
#include "backsubst_template.h"

RibbonStatus
ribbon_backsubst(const RibbonEnv *env, const RibbonBand *band,
				 const RibbonRegion *region, RibbonFreeSlots free_slots,
				 uint8_t *slots)
{
	switch (region->width)
	{
		case 32:
			return backsubst32_solve(env, band, region, free_slots, slots);
		case 64:
			return backsubst64_solve(env, band, region, free_slots, slots);
		default:
			return backsubst128_solve(env, band, region, free_slots, slots);
	}
}
