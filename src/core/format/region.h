/*
 * region.h - the geometry of one linear system within a filter
 *
 * A region is m slots of a result row each, and the rules that send a key's
 * word to a starting position among them:
 *
 *	 homogeneous		 s = fastrange(word, m - w + 1)
 *	 zone of the		 the same with smash [RF 3.1]: the first and the last
 *	 last layer			 position have w/2 - 1 extra shares each, which keeps the
 *						 diagonal of a square system inside the ribbon
 *	 bumped layer		 smash w/4: half of the slots that would stay empty at
 *						 the ends are filled
 *
 * Starting positions grow with the word, so a run of words is a run of slots.
 * That is what makes fractional result bits cheap [RF 5.1]: the keys whose word
 * is in the top "wide" 2048ths check one bit more, and only the blocks from
 * the first such key's starting position on store that column.
 */
#ifndef RIBBON_REGION_H
#define RIBBON_REGION_H

#include "base/hash.h"
#include "ribbon.h"

#define RIBBON_NO_BLOCK UINT64_MAX /* wide_block of a region without one */

/* Columns and fraction of keys with one column more. */
typedef struct RibbonColumns
{
	unsigned columns; /* a, 1 .. 32 */
	unsigned wide;	  /* of RIBBON_SHARES keys, how many check a + 1 */
} RibbonColumns;

/*
 * Describe a bumped layer, or else a homogeneous system, of nslots slots.  This
 * and the next function leave slots and thresholds NULL.
 */
extern void ribbon_region_init(RibbonRegion *region, uint64_t nslots,
							   unsigned width, bool bumped,
							   RibbonColumns columns);

/* Describe a zone of the last layer; nslots may be 0. */
extern void ribbon_region_init_zone(RibbonRegion *region, uint64_t nslots,
									unsigned width, unsigned seed,
									RibbonColumns columns);

/* The same zone under another seed. */
extern void ribbon_region_set_seed(RibbonRegion *region, unsigned seed);

/* Where a word's coefficient row begins, 0 .. nstarts - 1. */
static inline uint64_t
ribbon_region_start(const RibbonRegion *region, uint64_t word)
{
	uint64_t u = ribbon_mulhi(word, region->range);

	u = u < region->smash ? 0 : u - region->smash;
	return ribbon_min64(u, region->nstarts - 1);
}

/* The least word that starts at this slot or behind, which is not the first. */
extern uint64_t ribbon_region_least_word(const RibbonRegion *region,
										 uint64_t start);

/* How many result bits the key of this word checks. */
static inline unsigned
ribbon_region_bits(const RibbonRegion *region, uint64_t word)
{
	return region->columns + (word > region->last_narrow);
}

/* Expected fraction of random words whose result bits all match by chance. */
extern double ribbon_region_fpr(const RibbonRegion *region);
extern double ribbon_columns_fpr(RibbonColumns columns);

#endif /* RIBBON_REGION_H */
