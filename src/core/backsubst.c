/*
 * backsubst.c - back substitution, from a band straight into ICML blocks
 */
#include "backsubst.h"

#include "kernel.h"

RibbonStatus
ribbon_backsubst(const RibbonEnv *env, const RibbonBand *band,
				 const RibbonRegion *region, RibbonFreeSlots free_slots,
				 uint8_t *slots)
{
	return ribbon_kernel()
		->solve[ribbon_kernel_index(region->width)](env, band, region,
													free_slots, slots);
}
