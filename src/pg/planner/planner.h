/*
 * planner.h - what the planner learns
 *
 *	 support.c	 about a probe: how many rows pass it, and what it costs
 *	 analyze.c	 about a column of filters: its statistics
 *	 argument.c	 about what stands for the filter: a parameter, a subquery
 */
#ifndef RIBBON_PLANNER_H
#define RIBBON_PLANNER_H

#include "ribbon_pg.h"

#include "nodes/pathnodes.h"

/*
 * support.c: the share of the rows of relation rti whose keys are found in a
 * filter or map, with false positives.
 */
extern Selectivity ribbon_support_share_found(PlannerInfo *root, Expr *filter,
											  Expr *key, Index rti);

/*
 * argument.c: an expression without what names its type anew and changes
 * nothing.
 */
extern Node *ribbon_argument_strip(Node *node);

/*
 * argument.c: the value of a constant, or of a parameter whose value the plan
 * is for.  False if it is neither, or not of a type like ours.
 */
extern bool ribbon_argument_known(PlannerInfo *root, Node *node,
								  NullableDatum *value);

/*
 * argument.c: what is to stand for a filter or map in a call; perhaps the same.
 */
extern Node *ribbon_argument_mend(PlannerInfo *root, Node *filter);

/* argument.c: the column that such a subquery, or another, returns. */
extern Node *ribbon_argument_column(Node *result);

/*
 * A slot of pg_statistic with the means of a column's filters, one float4 each.
 * The number is from the range for private use.
 */
#define RIBBON_STATISTIC_KIND 21030

enum
{
	RIBBON_STATISTIC_KEYS,
	RIBBON_STATISTIC_FPR,
	RIBBON_STATISTIC_BYTES,
	RIBBON_STATISTICS
};

#endif /* RIBBON_PLANNER_H */
