/*
 * system.c - the geometry of one linear system within a filter
 */
#include "format/system.h"

void
ribbon_system_init(RibbonSystem *system, RibbonSystemKind kind, uint64_t nslots,
				   unsigned width, RibbonResultBits check, unsigned value_bits)
{
	bool all_wide = check.wide == RIBBON_SHARES;
	unsigned wide = all_wide ? 0 : check.wide;

	ribbon_clear(system, sizeof(*system));
	system->nslots = nslots;
	system->width = (uint8_t) width;
	system->row_bits = (uint8_t) ribbon_min64(width, nslots);
	system->wide = (uint16_t) wide;
	system->check_bits = (uint8_t) check.bits;
	system->value_bits = (uint8_t) value_bits;
	system->ncolumns = (uint8_t) (check.bits + value_bits + all_wide);
	system->groups = (uint8_t) ((system->ncolumns + (wide > 0) + 7) / 8);
	system->wide_block = RIBBON_NO_BLOCK;
	system->last_narrow = wide > 0 ? ribbon_hash_highest(wide) - 1 : UINT64_MAX;
	if (nslots == 0)
		return;

	system->nstarts = nslots - system->row_bits + 1;
	if (kind == RIBBON_SYSTEM_LAYER)
		system->smash = width / 4;
	else if (kind == RIBBON_SYSTEM_ZONE && system->row_bits > 3)
		system->smash = system->row_bits / 2 - 1u;
	system->range = system->nstarts + 2 * system->smash;

	if (wide > 0)
		system->wide_block =
			ribbon_system_start(system, system->last_narrow + 1) / width;
}

uint64_t
ribbon_system_least_hash(const RibbonSystem *system, uint64_t start)
{
	uint64_t hash = 0;

	for (uint64_t bit = UINT64_C(1) << 63; bit > 0; bit >>= 1)
		if (ribbon_system_start(system, hash | (bit - 1)) < start)
			hash |= bit;
	return hash;
}
