/*
 * subquery.c - a filter that is selected from a temporary table
 *
 * A subquery that gives the filter is executed once, by the leader, and workers
 * are given the result.  But they could not follow a pointer to a TOAST table
 * of the leader's own.  So the subquery is made to give the value in memory.
 */
#include "planner/planner.h"

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

/*
 * A walker: does this query read a temporary table?  Any CTE may stand for any
 * other, as names may be hidden by others; those of all levels are looked at.
 * Without a root, none is.
 */
static bool
is_temporary(Node *node, void *root)
{
	RangeTblEntry *rte = (RangeTblEntry *) node;
	ListCell *cell;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, is_temporary, root,
								 QTW_EXAMINE_RTES_BEFORE);
	if (!IsA(node, RangeTblEntry))
		return expression_tree_walker(node, is_temporary, root);
	if (rte->rtekind == RTE_CTE)
		for (PlannerInfo *level = root; level != NULL;
			 level = level->parent_root)
			foreach (cell, level->parse->cteList)
				if (is_temporary(lfirst_node(CommonTableExpr, cell)->ctequery,
								 NULL))
					return true;
	return rte->rtekind == RTE_RELATION &&
		get_rel_persistence(rte->relid) == RELPERSISTENCE_TEMP;
}

/*
 * Of a query q with the only column c: SELECT c::bytea || '' FROM q.  That is
 * the same value, but in memory.
 */
static Query *
select_in_memory(Query *query)
{
	Oid type =
		exprType((Node *) linitial_node(TargetEntry, query->targetList)->expr);
	Query *outer = makeNode(Query);
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	RangeTblRef *from = makeNode(RangeTblRef);
	Node *column = (Node *) makeVar(1, 1, type, -1, InvalidOid, 0);
	Node *empty = (Node *) makeConst(BYTEAOID, -1, InvalidOid, -1,
									 PointerGetDatum(cstring_to_text("")),
									 false, false);
	Node *bytes = (Node *) makeRelabelType((Expr *) column, BYTEAOID, -1,
										   InvalidOid, COERCE_EXPLICIT_CAST);
	Node *joined = (Node *) makeFuncExpr(F_BYTEACAT, BYTEAOID,
										 list_make2(bytes, empty), InvalidOid,
										 InvalidOid, COERCE_EXPLICIT_CALL);
	Expr *result = (Expr *) makeRelabelType((Expr *) joined, type, -1,
											InvalidOid, COERCE_EXPLICIT_CAST);

	IncrementVarSublevelsUp((Node *) query, 1, 1);
	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = query;
	rte->eref = makeAlias("stored", list_make1(makeString(pstrdup("value"))));
	rte->inFromCl = true;
	from->rtindex = 1;
	outer->commandType = CMD_SELECT;
	outer->querySource = query->querySource;
	outer->canSetTag = query->canSetTag;
	outer->rtable = list_make1(rte);
	outer->jointree = makeFromExpr(list_make1(from), NULL);
	outer->targetList = list_make1(makeTargetEntry(result, 1, NULL, false));
	return outer;
}

bool
ribbon_subquery_keep_in_memory(Node *node, void *root)
{
	SubLink *link = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && link->subLinkType == EXPR_SUBLINK &&
		!contain_vars_of_level(link->subselect, 1) &&
		is_temporary(link->subselect, root))
		link->subselect = (Node *)
			select_in_memory(castNode(Query, copyObject(link->subselect)));
	return expression_tree_walker(node, ribbon_subquery_keep_in_memory, root);
}

Node *
ribbon_subquery_column(Node *result)
{
	Node *call = ribbon_argument_strip(result);

	if (IsA(call, FuncExpr) && ((FuncExpr *) call)->funcid == F_BYTEACAT)
		return linitial(((FuncExpr *) call)->args);
	return result;
}
