/*
 * aggregates.h - the aggregates, and what tells one from another
 */
#ifndef RIBBON_AGGREGATES_H
#define RIBBON_AGGREGATES_H

#include "ribbon_pg.h"

typedef enum RibbonAggregate
{
	RIBBON_AGGREGATE_BUILD,
	RIBBON_AGGREGATE_MAP,
	RIBBON_AGGREGATE_EXACT,
	RIBBON_AGGREGATE_EXACT_RATED, /* with a rate for keys not listed */
	RIBBON_AGGREGATE_KEYS,
	RIBBON_AGGREGATE_BUILD_KEYS,
	RIBBON_AGGREGATE_BUILD_HASHED, /* ribbon_build(ribbonkey) */
	RIBBON_NAGGREGATES
} RibbonAggregate;

typedef struct RibbonAggregateInfo
{
	const char *name;
	RibbonElementKind elements; /* what a state holds for each row */
	int fpr_arg;				/* which argument is the rate; 0: none */
	int options_arg;			/* which argument is the options; 0: none */
	bool in_keys;				/* is its state inside a ribbonkeys? */
} RibbonAggregateInfo;

static inline const RibbonAggregateInfo *
ribbon_aggregate_info(RibbonAggregate aggregate)
{
	static const RibbonAggregateInfo infos[] = {
		[RIBBON_AGGREGATE_BUILD] = {"ribbon_build", RIBBON_HASHES, 2, 3, false},
		[RIBBON_AGGREGATE_MAP] = {"ribbon_map", RIBBON_MAP_RECORDS, 3, 4,
								  false},
		[RIBBON_AGGREGATE_EXACT] = {"ribbon_build_exact", RIBBON_EXACT_RECORDS,
									0, 3, false},
		[RIBBON_AGGREGATE_EXACT_RATED] = {"ribbon_build_exact",
										  RIBBON_EXACT_RECORDS, 3, 4, false},
		[RIBBON_AGGREGATE_KEYS] = {"ribbon_keys", RIBBON_HASHES, 0, 0, true},
		[RIBBON_AGGREGATE_BUILD_KEYS] = {"ribbon_build_keys", RIBBON_HASHES, 2,
										 3, true},
		[RIBBON_AGGREGATE_BUILD_HASHED] = {"ribbon_build", RIBBON_HASHES, 2, 3,
										   true},
	};

	return &infos[aggregate];
}

static inline const char *
ribbon_aggregate_name(RibbonAggregate aggregate)
{
	return ribbon_aggregate_info(aggregate)->name;
}

#endif /* RIBBON_AGGREGATES_H */
