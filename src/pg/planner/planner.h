/*
 * planner.h - what the planner learns
 *
 *	 support.c		what it asks of a call that looks a key up, and the answers
 *	 selectivity.c	how many rows pass a probe; statistics of a column
 *	 argument.c		what stands for the filter: a constant, or a parameter
 *	 subquery.c		or a subquery
 */
#ifndef RIBBON_PLANNER_H
#define RIBBON_PLANNER_H

#include "ribbon_pg.h"

#include "nodes/pathnodes.h"
#include "type/type.h"

/* The arguments of a call or an operator, and its function; else NIL. */
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

/*
 * selectivity.c
 */

/* What can be told of a filter or map at planning time. */
typedef struct RibbonFilterEstimate
{
	enum
	{
		RIBBON_FILTER_UNKNOWN,
		RIBBON_FILTER_NULL,
		RIBBON_FILTER_MEANS, /* of the column that it is from */
		RIBBON_FILTER_KNOWN
	} state;
	RibbonSummary summary; /* of it; or the means, without a kind */
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

/* An expression without the RelabelTypes around it. */
extern Node *ribbon_argument_strip(Node *node);

/*
 * The value of a constant, or of a parameter whose value the plan is for.
 * False if it is neither, or no varlena.
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
 * A walker: have subqueries of an expression, those that may read temporary
 * tables and are executed once, give their values in memory if workers may need
 * them.
 */
extern bool ribbon_subquery_keep_in_memory(Node *node, void *root);

/*
 * What is selected by the subquery that is executed once and leaves its result
 * in this parameter of the executor, with the subquery's planner state in
 * *root; NULL if there is none.
 */
extern Node *ribbon_subquery_result(PlannerInfo **root, int param);

#endif /* RIBBON_PLANNER_H */
