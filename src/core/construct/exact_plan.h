/*
 * exact_plan.h - which exact set takes the fewest bytes
 *
 * A plan is the number r of the filter's columns, or RIBBON_ONE_COLUMN: no
 * filter, but one column over the whole universe (exact.h).
 */
#ifndef RIBBON_EXACT_PLAN_H
#define RIBBON_EXACT_PLAN_H

#include "format/result_bits.h"
#include "ribbon.h"

#define RIBBON_ONE_COLUMN	   0
#define RIBBON_MAX_EXACT_PLANS 8

/* What sizes depend on. */
typedef struct RibbonExactShape
{
	const RibbonExactParams *params;
	uint64_t nrare;	  /* keys of the filter */
	uint64_t nothers; /* the other keys of the universe */
} RibbonExactShape;

/*
 * The parameters of a filter of nkeys keys with so many columns, or of a column
 * over them.
 */
extern RibbonParams ribbon_exact_plane_params(const RibbonExactShape *shape,
											  unsigned result_bits,
											  uint64_t nkeys);

/*
 * Keys that can be expected to come to level 2: the rare ones, and the others
 * that pass; and the bytes that such a column can be expected to take.
 */
extern uint64_t ribbon_exact_expect_passed(const RibbonExactShape *shape,
										   unsigned result_bits);
extern uint64_t ribbon_exact_expect_column(const RibbonExactShape *shape,
										   uint64_t nkeys);

/* Set plans to those that are to be built; returns how many they are. */
extern unsigned ribbon_exact_plans(const RibbonExactShape *shape,
								   unsigned plans[RIBBON_MAX_EXACT_PLANS]);

#endif /* RIBBON_EXACT_PLAN_H */
