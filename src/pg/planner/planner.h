/*
 * planner.h - what the planner learns
 *
 *	 selectivity.c	about a probe: how many rows pass it
 *	 support.c		the same, and what it costs, for each request
 *	 analyze.c		about a column of filters: its statistics
 *	 argument.c		about what stands for the filter: a parameter, say
 *	 subquery.c		about a subquery that gives it, of temporary tables
 */
#ifndef RIBBON_PLANNER_H
#define RIBBON_PLANNER_H

#include "ribbon_pg.h"

#include "nodes/pathnodes.h"
#include "type/type.h"

/*
 * selectivity.c
 */

/* What can be told of a filter or map at planning time. */
typedef struct RibbonFilterEstimate
{
	bool known;
	bool is_null;
	bool in_memory;		/* it need not be read first */
	RibbonSummary mean; /* but for its kind; of a column, the means of all */
} RibbonFilterEstimate;

/* About the filter that an expression gives. */
extern RibbonFilterEstimate ribbon_filter_estimate(PlannerInfo *root,
												   Node *node);

/*
 * The share of the rows whose keys are found, with false positives.  Of the two
 * args the filter is number filter_arg.  If varRelid is not 0, the rows are
 * those of this relation alone, as for clauselist_selectivity.
 */
extern Selectivity ribbon_selectivity(PlannerInfo *root, List *args,
									  int filter_arg, int varRelid);

/*
 * argument.c
 */

/* The arguments of an operator or a function, and which; NIL of all else. */
static inline List *
ribbon_call_args(Node *call, Oid *function)
{
	*function = InvalidOid;
	if (call != NULL && IsA(call, OpExpr))
	{
		*function = ((OpExpr *) call)->opfuncid;
		return ((OpExpr *) call)->args;
	}
	if (call != NULL && IsA(call, FuncExpr))
	{
		*function = ((FuncExpr *) call)->funcid;
		return ((FuncExpr *) call)->args;
	}
	return NIL;
}

/* An expression without what names its type anew and changes nothing. */
extern Node *ribbon_argument_strip(Node *node);

/*
 * The value of a constant, or of a parameter whose value the plan is for.
 * False if it is neither, or not of a type like ours.
 */
extern bool ribbon_argument_known(PlannerInfo *root, Node *node,
								  NullableDatum *value);

/*
 * The parameter that a constant is the value of, if it is large and there is
 * such a one; or the constant.
 */
extern Node *ribbon_argument_restore(PlannerInfo *root, Const *constant);

/*
 * subquery.c
 */

/*
 * A walker: have subqueries of an expression, those of temporary tables that
 * are executed once, give their values in memory if workers may need them.
 */
extern bool ribbon_subquery_keep_in_memory(Node *node, void *root);

/* What such a subquery selects, without what was put around it; or the same. */
extern Node *ribbon_subquery_column(Node *result);

/*
 * analyze.c
 */

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
