/*
 * aggregates.c - the table of the aggregates
 */
#include "aggregate/aggregates.h"

const RibbonAggregateInfo ribbon_aggregate_infos[RIBBON_NAGGREGATES] = {
	[RIBBON_AGGREGATE_BUILD] = {"ribbon_build", RIBBON_HASHES, 2, 3, false},
	[RIBBON_AGGREGATE_MAP] = {"ribbon_map", RIBBON_MAP_RECORDS, 3, 4, false},
	[RIBBON_AGGREGATE_EXACT] = {"ribbon_build_exact", RIBBON_EXACT_RECORDS, 0,
								3, false},
	[RIBBON_AGGREGATE_EXACT_RATED] = {"ribbon_build_exact",
									  RIBBON_EXACT_RECORDS, 3, 4, false},
	[RIBBON_AGGREGATE_KEYS] = {"ribbon_keys", RIBBON_HASHES, 0, 0, true},
	[RIBBON_AGGREGATE_BUILD_KEYS] = {"ribbon_build_keys", RIBBON_HASHES, 2, 3,
									 true},
	[RIBBON_AGGREGATE_BUILD_HASHED] = {"ribbon_build", RIBBON_HASHES, 2, 3,
									   true},
};
