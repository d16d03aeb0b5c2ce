/*
 * subquery.c - a filter that is selected from a temporary table
 *
 * A subquery that gives the filter is executed once, by the leader, and workers
 * are given the result.  But they could not follow a pointer to a TOAST table
 * of the leader's own.  So the subquery is made to give the value in memory;
 * but not if the plan cannot have workers, for slices may be all that it needs.
 */
#include "planner/planner.h"

#include "access/table.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "rewrite/rewriteManip.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

/* The planner takes a table that was never vacuumed to have some pages. */
#define MIN_PAGES 10

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
 * Could workers scan this relation?  True if it cannot be told: of a subquery,
 * a function that may become one, or a table of several.  Of a heap the planner
 * compares the pages, and those of an index, with the least to be scanned in
 * parallel (compute_parallel_worker in allpaths.c, versions 15 to 19).  We take
 * twice what all of them are together, for it may grow until then.
 */
static bool
can_be_parallel(const RangeTblEntry *rte)
{
	Relation table;
	int64 bytes;
	bool is_large;

	if (rte->rtekind != RTE_RELATION)
		return rte->rtekind == RTE_SUBQUERY || rte->rtekind == RTE_FUNCTION;
	if (get_rel_persistence(rte->relid) == RELPERSISTENCE_TEMP)
		return false;
	if (rte->inh ||
		(rte->relkind != RELKIND_RELATION && rte->relkind != RELKIND_MATVIEW))
		return true;

	table = table_open(rte->relid, NoLock); /* the query has locked it */
	bytes = DatumGetInt64(DirectFunctionCall1(pg_total_relation_size,
											  ObjectIdGetDatum(rte->relid)));
	is_large = table->rd_rel->relam != HEAP_TABLE_AM_OID ||
		RelationGetParallelWorkers(table, -1) != -1 ||
		2 * (bytes / BLCKSZ + MIN_PAGES) >=
			Min(min_parallel_table_scan_size, min_parallel_index_scan_size);
	table_close(table, NoLock);
	return is_large;
}

/*
 * Could a plan of this query, or of one that it is a part of, have workers?
 * (If parallel mode is needed before there is a plan, it is for a test that
 * gives any plan a worker.)
 */
static bool
can_have_workers(PlannerInfo *root)
{
	ListCell *cell;

	if (!root->glob->parallelModeOK)
		return false;
	if (root->glob->parallelModeNeeded)
		return true;
	for (; root != NULL; root = root->parent_root)
		foreach (cell, root->parse->rtable)
			if (can_be_parallel(lfirst_node(RangeTblEntry, cell)))
				return true;
	return false;
}

/* The type of a query's only column. */
static Oid
column_type(Node *query)
{
	return exprType((Node *) linitial_node(TargetEntry,
										   castNode(Query, query)->targetList)
						->expr);
}

/*
 * Of a query q with the only column c, a varlena: SELECT c::bytea || '' FROM q.
 * That is the same value, but in memory.
 */
static Query *
select_in_memory(Query *query)
{
	Oid type = column_type((Node *) query);
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
		get_typlen(column_type(link->subselect)) == -1 &&
		!contain_vars_of_level(link->subselect, 1) &&
		is_temporary(link->subselect, root) && can_have_workers(root))
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
