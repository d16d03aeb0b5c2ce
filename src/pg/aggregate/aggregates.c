/*
 * aggregates.c - the table of the aggregates
 */
#include "aggregate/aggregates.h"

const RibbonAggregateInfo ribbon_aggregate_infos[RIBBON_NAGGREGATES] = {
	{"ribbon_build", RIBBON_HASHES, 2, 3, false},
	{"ribbon_map", RIBBON_MAP_RECORDS, 3, 4, false},
	{"ribbon_build_exact", RIBBON_EXACT_RECORDS, 0, 3, false},
	{"ribbon_build_exact", RIBBON_EXACT_RECORDS, 3, 4, false},
	{"ribbon_keys", RIBBON_HASHES, 0, 0, true},
	{"ribbon_build_keys", RIBBON_HASHES, 2, 3, true},
	{"ribbon_build", RIBBON_HASHES, 2, 3, true},
};

const char *
ribbon_aggregate_name_of(uint64 number)
{
	return number < RIBBON_NAGGREGATES ? ribbon_aggregate_infos[number].name :
										 NULL;
}
