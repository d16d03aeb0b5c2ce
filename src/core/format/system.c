/*
 * system.c - the geometry of one linear system within a filter
 */
#include "format/system.h"

/* Set what depends on the number of columns. */
static void
set_columns(RibbonSystem *system, unsigned ncolumns)
{
	system->ncolumns = (uint8_t) ncolumns;
	system->groups = (uint8_t) ((ncolumns + (system->wide > 0) + 7) / 8);
}

/* What all kinds of systems have in common. */
static void
init_system(RibbonSystem *system, uint64_t nslots, unsigned width,
			uint64_t smash, RibbonResultBits result_bits)
{
	memset(system, 0, sizeof(*system));
	system->nslots = nslots;
	system->width = (uint8_t) width;
	system->row_bits = (uint8_t) ribbon_min64(width, nslots);
	system->wide = (uint16_t) result_bits.wide;
	system->check_bits = (uint8_t) result_bits.bits;
	set_columns(system, result_bits.bits);
	system->wide_block = RIBBON_NO_BLOCK;
	system->last_narrow = result_bits.wide > 0 ?
		ribbon_hash_highest(result_bits.wide) - 1 :
		UINT64_MAX;
	if (nslots == 0)
		return;

	system->nstarts = nslots - system->row_bits + 1;
	system->smash = smash;
	system->range = system->nstarts + 2 * smash;

	if (result_bits.wide > 0)
		system->wide_block =
			ribbon_system_start(system, system->last_narrow + 1) / width;
}

void
ribbon_system_init(RibbonSystem *system, uint64_t nslots, unsigned width,
				   bool bumped, RibbonResultBits result_bits)
{
	init_system(system, nslots, width, bumped ? width / 4 : 0, result_bits);
}

void
ribbon_system_init_zone(RibbonSystem *system, uint64_t nslots, unsigned width,
						unsigned seed, RibbonResultBits result_bits)
{
	uint64_t half = ribbon_min64(width, nslots) / 2;

	init_system(system, nslots, width, half > 1 ? half - 1 : 0, result_bits);
	ribbon_system_set_seed(system, seed);
}

void
ribbon_system_insert_value(RibbonSystem *system, unsigned check_bits,
						   unsigned value_bits)
{
	system->check_bits = (uint8_t) check_bits;
	system->value_bits = (uint8_t) value_bits;
	set_columns(system, system->ncolumns + value_bits);
}

void
ribbon_system_set_seed(RibbonSystem *system, unsigned seed)
{
	system->seed = (uint8_t) seed;
	system->factor = ribbon_hash_zone_factor(seed);
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
