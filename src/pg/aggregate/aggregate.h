/*
 * aggregate.h - from the rows of a group to a filter, a map or an exact set
 *
 * ribbon_build, ribbon_map and ribbon_build_exact are one aggregate with three
 * names: they share all functions but the first and the last, which differ only
 * in the aggregate that they name.  The way of a group:
 *
 *----------
 *	 rows: key [, value | member] [, rate] [, options]
 *	   |
 *	   |  transition  buildaggregate.c: hashes the key, adds a record
 *	   v
 *	 state  buildstate.c: an array --- no memory left ---> set in a file (spill)
 *	   |  ^   buildvalues.c: the values of a map
 *	   |  |
 *	   |  |  combine  buildaggregate.c: adds another state of the group
 *	   |  |
 *	   |  +-- state <--deserialize-- bytes <--serialize-- state of a worker
 *	   |							 partial.c
 *	   |  final  buildresult.c: sorts, drops duplicates, lets the core build
 *	   v
 *	 ribbonfilter | ribbonmap
 *----------
 *
 * Each header has one idea.  In the order in which they are best read:
 *
 *	 buildparams.h	what is to be built: the same for every row of a group
 *	 buildvalues.h	the values of a map's rows so far
 *	 buildspace.h	memory and files of all groups of a call site
 *	 buildstate.h	a group: the hashes or records of its rows so far
 *
 * ribbon_keys, ribbon_build_keys and ribbon_build(ribbonkey) have such a state
 * inside a value that can travel, a ribbonkeys (keys.c).
 *
 * This header has what tells one aggregate from another.
 */
#ifndef RIBBON_AGGREGATE_H
#define RIBBON_AGGREGATE_H

#include "ribbon_pg.h"

typedef struct RibbonAggregateInfo
{
	RibbonElementKind elements; /* what a state holds for each row */
	int fpr_arg;				/* which argument is the rate; 0: none */
	int options_arg;			/* which argument is the options; 0: none */
	bool in_keys;				/* is its state inside a ribbonkeys? */
} RibbonAggregateInfo;

static inline const RibbonAggregateInfo *
ribbon_aggregate_info(RibbonAggregate aggregate)
{
	static const RibbonAggregateInfo infos[] = {
		[RIBBON_AGGREGATE_BUILD] = {.elements = RIBBON_HASHES,
									.fpr_arg = 2,
									.options_arg = 3},
		[RIBBON_AGGREGATE_MAP] = {.elements = RIBBON_MAP_RECORDS,
								  .fpr_arg = 3,
								  .options_arg = 4},
		[RIBBON_AGGREGATE_EXACT] = {.elements = RIBBON_EXACT_RECORDS,
									.options_arg = 3},
		[RIBBON_AGGREGATE_EXACT_RATED] = {.elements = RIBBON_EXACT_RECORDS,
										  .fpr_arg = 3,
										  .options_arg = 4},
		[RIBBON_AGGREGATE_KEYS] = {.elements = RIBBON_HASHES, .in_keys = true},
		[RIBBON_AGGREGATE_BUILD_KEYS] = {.elements = RIBBON_HASHES,
										 .fpr_arg = 2,
										 .options_arg = 3,
										 .in_keys = true},
		[RIBBON_AGGREGATE_BUILD_HASHED] = {.elements = RIBBON_HASHES,
										   .fpr_arg = 2,
										   .options_arg = 3,
										   .in_keys = true},
	};

	return &infos[aggregate];
}

#endif /* RIBBON_AGGREGATE_H */
