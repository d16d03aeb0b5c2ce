/*
 * backsubst.c - back substitution, from a band straight into ICML blocks
 */
#include "backsubst.h"

#include "icml.h"

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
