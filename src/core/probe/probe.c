/*
 * probe.c - does a region's stored row for this key match its result bits?
 */
#include "format/icml.h"
#include "probe/kernel.h"

bool
ribbon_probe_at(const RibbonRegion *region, uint64_t word, uint64_t start,
				uint32_t result)
{
	const RibbonProbes *probes =
		ribbon_kernel()->probes[ribbon_kernel_index(region->width)];

	return probes->region(region, word, start, result);
}

bool
ribbon_probe(const RibbonRegion *region, uint64_t word, uint32_t result)
{
	if (RIBBON_UNLIKELY(region->nslots == 0))
		return (result & ribbon_low_mask(ribbon_region_bits(region, word))) ==
			0;
	return ribbon_probe_at(region, word, ribbon_region_start(region, word),
						   result);
}
