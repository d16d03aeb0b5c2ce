/*
 * subquery.c - a filter that a subquery selects
 *
 * The subquery is executed once, by the leader, and workers are given the
 * result.  But they could not follow a pointer to a TOAST table of the leader's
 * own, that of a temporary table.  So a subquery that may read one is made to
 * give the value in memory; but not if the plan cannot have workers, for slices
 * may be all that it needs.
 */
#include "planner/planner.h"

#include "access/table.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_proc.h"
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
 * A relation, and those that inherit from it, locked as the planner will lock
 * them: one may be temporary.  (Partitions are so if their table is.)
 */
static List *
tables_of(const RangeTblEntry *rte)
{
	return rte->inh && rte->relkind != RELKIND_PARTITIONED_TABLE &&
			has_subclass(rte->relid) ?
		find_all_inheritors(rte->relid, rte->rellockmode, NULL) :
		list_make1_oid(rte->relid);
}

static bool
is_not_parallel_safe(Oid function, void *context)
{
	return func_parallel(function) != PROPARALLEL_SAFE;
}

/*
 * A walker: does this query read a temporary table, or call a function that may
 * do so, as none does that is PARALLEL SAFE?  Any CTE may stand for any other,
 * as names may be hidden by others; those of all levels are looked at.  Without
 * a root, no CTE is.
 */
static bool
may_read_temporary(Node *node, void *root)
{
	RangeTblEntry *rte = (RangeTblEntry *) node;
	ListCell *cell;

	if (node == NULL)
		return false;
	if (IsA(node, Query))
		return query_tree_walker((Query *) node, may_read_temporary, root,
								 QTW_EXAMINE_RTES_BEFORE);
	if (!IsA(node, RangeTblEntry))
		return check_functions_in_node(node, is_not_parallel_safe, NULL) ||
			expression_tree_walker(node, may_read_temporary, root);
	if (rte->rtekind == RTE_CTE)
		for (PlannerInfo *level = root; level != NULL;
			 level = level->parent_root)
			foreach (cell, level->parse->cteList)
				if (may_read_temporary(lfirst_node(CommonTableExpr, cell)
										   ->ctequery,
									   NULL))
					return true;
	if (rte->rtekind == RTE_RELATION)
		foreach (cell, tables_of(rte))
			if (get_rel_persistence(lfirst_oid(cell)) == RELPERSISTENCE_TEMP)
				return true;
	return false;
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

/* The only column of a subquery. */
static Node *
column_of(const Query *query)
{
	return (Node *) linitial_node(TargetEntry, query->targetList)->expr;
}

/*
 * Of a query q with the only column c, a varlena: SELECT c::bytea || '' FROM q.
 * That is the same value, but in memory.
 */
static Query *
select_in_memory(Query *query)
{
	Var *column = makeVarFromTargetEntry(1, linitial(query->targetList));
	Query *outer = makeNode(Query);
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	RangeTblRef *from = makeNode(RangeTblRef);
	Node *empty = (Node *) makeConst(BYTEAOID, -1, InvalidOid, -1,
									 PointerGetDatum(cstring_to_text("")),
									 false, false);
	Node *bytes = (Node *) makeRelabelType((Expr *) column, BYTEAOID, -1,
										   InvalidOid, COERCE_EXPLICIT_CAST);
	Node *joined = (Node *) makeFuncExpr(F_BYTEACAT, BYTEAOID,
										 list_make2(bytes, empty), InvalidOid,
										 InvalidOid, COERCE_EXPLICIT_CALL);
	Expr *result = (Expr *) makeRelabelType((Expr *) joined, column->vartype,
											column->vartypmod,
											column->varcollid,
											COERCE_EXPLICIT_CAST);

	IncrementVarSublevelsUp((Node *) query, 1, 1);
	rte->rtekind = RTE_SUBQUERY;
	rte->subquery = query;
	rte->eref = makeAlias("stored", list_make1(makeString(pstrdup("value"))));
	rte->inFromCl = true;
	from->rtindex = 1;
	outer->commandType = CMD_SELECT;
	outer->rtable = list_make1(rte);
	outer->jointree = makeFromExpr(list_make1(from), NULL);
	outer->targetList = list_make1(makeTargetEntry(result, 1, NULL, false));
	return outer;
}

/* What a column of select_in_memory is a copy of; of any other, itself. */
static Node *
original_of(Node *column)
{
	FuncExpr *call = (FuncExpr *) ribbon_argument_strip(column);

	return IsA(call, FuncExpr) && call->funcid == F_BYTEACAT ?
		linitial(call->args) :
		column;
}

/*
 * Does a subquery give a pointer that workers may need, and cannot follow?
 * (Its column may be a number, if the filter is an expression of several.)
 */
static bool
gives_own_pointer(Query *query, PlannerInfo *root)
{
	Node *column = column_of(query);

	return get_typlen(exprType(column)) == -1 &&
		original_of(column) == column &&
		!contain_vars_of_level((Node *) query, 1) && can_have_workers(root) &&
		may_read_temporary((Node *) query, root);
}

bool
ribbon_subquery_keep_in_memory(Node *node, void *root)
{
	SubLink *link = (SubLink *) node;

	if (node == NULL || IsA(node, Query))
		return false;
	if (IsA(node, SubLink) && link->subLinkType == EXPR_SUBLINK &&
		gives_own_pointer(castNode(Query, link->subselect), root))
		link->subselect = (Node *)
			select_in_memory(castNode(Query, copyObject(link->subselect)));
	return expression_tree_walker(node, ribbon_subquery_keep_in_memory, root);
}

Node *
ribbon_subquery_result(PlannerInfo **root, int param)
{
	ListCell *cell;

	for (PlannerInfo *level = *root; level != NULL; level = level->parent_root)
		foreach (cell, level->init_plans)
		{
			SubPlan *plan = lfirst_node(SubPlan, cell);

			if (plan->subLinkType != EXPR_SUBLINK ||
				!list_member_int(plan->setParam, param))
				continue;
			*root = list_nth_node(PlannerInfo, level->glob->subroots,
								  plan->plan_id - 1);
			return original_of(column_of((*root)->parse));
		}
	return NULL;
}
