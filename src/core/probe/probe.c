/*
 * probe.c - does a system's stored row for this key match its result bits?
 */
#include "format/icml.h"
#include "probe/kernel.h"

bool
ribbon_probe_at(const RibbonSystem *system, uint64_t hash, uint64_t start,
				uint32_t result)
{
	const RibbonProbes *probes =
		ribbon_kernel()->probes[ribbon_kernel_index(system->width)];

	return probes->system(system, hash, start, result);
}

bool
ribbon_probe(const RibbonSystem *system, uint64_t hash, uint32_t result)
{
	if (RIBBON_UNLIKELY(system->nslots == 0))
		return (result & ribbon_low_mask(ribbon_system_bits(system, hash))) ==
			0;
	return ribbon_probe_at(system, hash, ribbon_system_start(system, hash),
						   result);
}
