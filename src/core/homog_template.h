/*
 * homog_template.h - the banding of a homogeneous filter, for one ribbon width
 *
 * An insertion is a chain of dependent steps: load a row, add it, find the
 * first bit, load the row there.  One chain leaves most of the CPU idle, so
 * several are advanced in turn, each a lane with its own run of keys, far
 * from the others'.  Banding fills the same slots in any order.
 */
#include "template.h"

/* Insert words[0..nwords) one after the other. */
static void
NAME(homog, fill_run)(const RibbonBand *band, const RibbonRegion *region,
					  const uint64_t *words, size_t nwords)
{
	for (size_t i = 0; i < nwords; i++)
	{
		NAME(ribbon_band, insert)
		(band, ribbon_region_start(region, words[i]),
		 ROW_FN(coeff)(words[i], region->row_bits), 0, false);
	}
}

/* One lane: the equation that it is inserting, and the words still to come. */
typedef struct NAME(homog, lane)
{
	uint64_t slot;
	ROW row;
	const uint64_t *next;
	const uint64_t *end;
} NAME(homog, lane);

/*
 * Advance all lanes until one runs out of words (true) or it is time to look
 * for interrupts (false).
 */
static bool
NAME(homog, advance)(const RibbonBand *band, const RibbonRegion *region,
					 NAME(homog, lane) * lanes)
{
	ROW *coeff = (ROW *) band->coeff;

	for (unsigned step = 0; step < LANE_STEPS; step++)
	{
		for (unsigned l = 0; l < LANES; l++)
		{
			NAME(homog, lane) *lane = &lanes[l];
			ROW there = coeff[lane->slot];

			if (RIBBON_LIKELY(!ROW_FN(is_zero)(there)))
			{
				ROW row = ROW_FN(xor)(lane->row, there);

				if (RIBBON_LIKELY(!ROW_FN(is_zero)(row)))
				{
					unsigned skip = ROW_FN(ctz)(row);

					lane->slot += skip;
					lane->row = ROW_FN(shr)(row, skip);
					continue;
				}
			}
			else
				coeff[lane->slot] = lane->row;

			/* the next word; a row of zero says that there is none */
			if (lane->next == lane->end)
			{
				lane->row = ROW_FN(zero)();
				return true;
			}
			lane->slot = ribbon_region_start(region, *lane->next);
			lane->row = ROW_FN(coeff)(*lane->next++, region->row_bits);
		}
	}
	return false;
}

static RibbonStatus
NAME(homog, fill)(const RibbonEnv *env, const RibbonBand *band,
				  const RibbonRegion *region, const uint64_t *words,
				  size_t nwords)
{
	NAME(homog, lane) lanes[LANES];
	size_t run = nwords / LANES;

	if (nwords < LANES_MIN_KEYS)
	{
		NAME(homog, fill_run)(band, region, words, nwords);
		return ribbon_interrupted(env) ? RIBBON_INTERRUPTED : RIBBON_OK;
	}

	for (unsigned l = 0; l < LANES; l++)
	{
		const uint64_t *first = words + l * run;

		lanes[l].slot = ribbon_region_start(region, *first);
		lanes[l].row = ROW_FN(coeff)(*first, region->row_bits);
		lanes[l].next = first + 1;
		lanes[l].end = l + 1 < LANES ? first + run : words + nwords;
	}
	while (!NAME(homog, advance)(band, region, lanes))
		if (ribbon_interrupted(env))
			return RIBBON_INTERRUPTED;

	/* the lanes come to their ends at about the same time */
	for (unsigned l = 0; l < LANES; l++)
	{
		if (!ROW_FN(is_zero)(lanes[l].row))
		{
			NAME(ribbon_band, insert)
			(band, lanes[l].slot, lanes[l].row, 0, false);
		}
		while (lanes[l].next < lanes[l].end)
		{
			size_t left = (size_t) (lanes[l].end - lanes[l].next);

			if (left > RIBBON_INTERRUPT_KEYS)
				left = RIBBON_INTERRUPT_KEYS;
			NAME(homog, fill_run)(band, region, lanes[l].next, left);
			lanes[l].next += left;
			if (ribbon_interrupted(env))
				return RIBBON_INTERRUPTED;
		}
	}
	return RIBBON_OK;
}

#include "template_end.h"
