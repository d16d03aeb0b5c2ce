/*
 * region.c - the geometry of one linear system within a filter
 */
#include "format/region.h"

#include "base/power.h"

/*
 * How many starting positions may read whole words, and all columns of their
 * two blocks in groups of eight?  Both blocks must be full, and be followed by
 * as many full blocks as hold the columns that fill up the last group.
 */
static uint64_t
count_whole(const RibbonRegion *region)
{
	uint64_t nfull = region->nslots / region->width;
	uint64_t needed;

	if (region->columns == 0)
		return 0;
	needed = 1 + (8 * region->groups + region->columns - 1u) / region->columns;
	return nfull < needed ? 0 : (nfull - needed + 1) * region->width;
}

static void
init(RibbonRegion *region, uint64_t nslots, unsigned width, uint64_t smash,
	 RibbonColumns columns)
{
	memset(region, 0, sizeof(*region));
	region->nslots = nslots;
	region->width = (uint8_t) width;
	region->row_bits = (uint8_t) ribbon_min64(width, nslots);
	region->columns = (uint8_t) columns.columns;
	region->wide = (uint16_t) columns.wide;
	region->groups = (uint8_t) ((columns.columns + (columns.wide > 0) + 7) / 8);
	region->wide_block = RIBBON_NO_BLOCK;
	region->last_narrow = columns.wide > 0 ?
		ribbon_hash_highest(columns.wide) - 1 :
		UINT64_MAX;
	if (nslots == 0)
		return;

	region->nstarts = nslots - region->row_bits + 1;
	region->smash = smash;
	region->range = region->nstarts + 2 * smash;
	region->whole = count_whole(region);

	if (columns.wide > 0)
		region->wide_block =
			ribbon_region_start(region, region->last_narrow + 1) / width;
}

void
ribbon_region_init(RibbonRegion *region, uint64_t nslots, unsigned width,
				   bool bumped, RibbonColumns columns)
{
	init(region, nslots, width, bumped ? width / 4 : 0, columns);
}

void
ribbon_region_init_zone(RibbonRegion *region, uint64_t nslots, unsigned width,
						unsigned seed, RibbonColumns columns)
{
	uint64_t half = ribbon_min64(width, nslots) / 2;

	init(region, nslots, width, half > 1 ? half - 1 : 0, columns);
	ribbon_region_set_seed(region, seed);
}

void
ribbon_region_set_seed(RibbonRegion *region, unsigned seed)
{
	region->seed = (uint8_t) seed;
	region->addend = (seed + 1) * RIBBON_SEED_STEP;
}

uint64_t
ribbon_region_least_word(const RibbonRegion *region, uint64_t start)
{
	uint64_t word = 0;

	for (uint64_t bit = UINT64_C(1) << 63; bit > 0; bit >>= 1)
		if (ribbon_region_start(region, word | (bit - 1)) < start)
			word |= bit;
	return word;
}

double
ribbon_region_fpr(const RibbonRegion *region)
{
	RibbonColumns columns = {region->columns, region->wide};

	return ribbon_columns_fpr(columns);
}

double
ribbon_columns_fpr(RibbonColumns columns)
{
	double wide = (double) columns.wide / RIBBON_SHARES;

	return (1.0 - wide / 2) * ribbon_power_of_two(-(int) columns.columns);
}
