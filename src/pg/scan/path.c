/*
 * path.c - where a scan by the page is offered, and what it is said to cost
 *
 * The planner asks hooks for more ways to scan a relation than it has found.
 * Beside a Seq Scan that has a probe among its conditions we offer one of ours,
 * and costs decide between all that there are.
 *
 * What makes it possible is said in is_fit; what a probe must be, in clause.c.
 * The conditions may be the relation's own, or join clauses: members @> user_id
 * of two tables can be tried on one of them, if the other is known.  Such a
 * path has parameters, and becomes the inner side of a nested loop.
 *
 * The cost is that of a Seq Scan, less three quarters of what each probe costs
 * (probing/cost.h), which is the time that it does not wait for memory; plus a
 * second look for each value of a map that is compared.  (In a map that is in
 * the CPU's cache there is nothing to wait for.  If all keys are found, as in
 * one without check bits, probes by the page lose a quarter of the time.)  A
 * condition that may fail is tried behind the probe, although the planner may
 * have put it in front.  Then more rows are probed than in a Seq Scan; if the
 * condition lets few rows pass, the Seq Scan is better.
 *
 * The hook is set when the library is loaded.  The planner loads it when it
 * first looks at an expression of ours, so the hook is there for the very query
 * that has the expression.  Hooks of other extensions go first.
 */
#include "scan/scan.h"

#include "access/table.h"
#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"
#include "planner/planner.h"
#include "probing/cost.h"
#include "utils/guc.h"
#include "utils/spccache.h"

/* Fewer rows than this do not pay for the node. */
#define MIN_ROWS 1000

static bool batch_setting = true;
static set_rel_pathlist_hook_type next_hook;

/* What is known of a relation's clauses, in the order that they are tried. */
typedef struct Clauses
{
	RestrictInfo *probe;
	RibbonProbeClause args; /* its arguments */
	Cost cost;				/* of it, for a row */
	List *cheaper;			/* of RestrictInfo: what a Seq Scan tries first */
	List *ahead;			/* of these, what we try ahead */
} Clauses;

static const CustomPathMethods path_methods = {
	.CustomName = "RibbonScan",
	.PlanCustomPath = ribbon_scanplan_make,
};

static bool
is_heap(Oid relid)
{
	Relation relation = table_open(relid, NoLock);
	bool heap = relation->rd_rel->relam == HEAP_TABLE_AM_OID;

	table_close(relation, NoLock);
	return heap;
}

/*
 * May rows of this relation be looked at ahead of time?  Rows that are locked,
 * or changed, are other nodes' to try again.  And where some conditions are for
 * hiding rows from others (row security, security barriers), each stays where
 * the planner puts it.  (The server changes rows of its own catalogs in place.)
 */
static bool
is_fit(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte)
{
	const Query *query = root->parse;

	return rte->rtekind == RTE_RELATION && rte->tablesample == NULL &&
		rte->relid >= FirstNormalObjectId &&
		(rte->relkind == RELKIND_RELATION || rte->relkind == RELKIND_MATVIEW) &&
		(rel->reloptkind == RELOPT_BASEREL ||
		 rel->reloptkind == RELOPT_OTHER_MEMBER_REL) &&
		!rte->inh && !IS_DUMMY_REL(rel) &&
		(query->commandType == CMD_SELECT ||
		 query->commandType == CMD_INSERT) &&
		query->rowMarks == NIL && root->rowMarks == NIL &&
		root->qual_security_level == 0 && is_heap(rte->relid);
}

/*
 * Which of the clauses is the probe that is tried first, and which are tried
 * before it?  The planner puts cheaper ones first.  False if there is no probe,
 * or a clause that is volatile; or one that may come before the probe and has a
 * subplan.  Such a clause stands in two of the node's conditions (node.c), with
 * a state in each: a hashed subplan would be executed twice.
 */
static bool
find_clauses(PlannerInfo *root, RelOptInfo *rel, List *all, Clauses *found)
{
	RibbonProbeClause probe;
	QualCost cost;
	ListCell *cell;

	*found = (Clauses){0};
	foreach (cell, all)
	{
		RestrictInfo *info = lfirst_node(RestrictInfo, cell);

		if (info->pseudoconstant ||
			!ribbon_clause_is_probe(root, (Node *) info->clause, rel->relid,
									&probe))
			continue;
		cost_qual_eval_node(&cost, (Node *) info, root);
		if (found->probe == NULL || cost.per_tuple < found->cost)
		{
			found->probe = info;
			found->args = probe;
			found->cost = cost.per_tuple;
		}
	}
	if (found->probe == NULL)
		return false;
	foreach (cell, all)
	{
		RestrictInfo *info = lfirst_node(RestrictInfo, cell);

		if (info->pseudoconstant)
			continue;
		if (contain_volatile_functions((Node *) info))
			return false;
		cost_qual_eval_node(&cost, (Node *) info, root);
		if (info == found->probe || cost.per_tuple > found->cost)
			continue;
		if (contain_subplans((Node *) info->clause))
			return false;
		if (cost.per_tuple == found->cost)
			continue;
		found->cheaper = lappend(found->cheaper, info);
		if (ribbon_clause_cannot_fail((Node *) info->clause))
			found->ahead = lappend(found->ahead, info);
	}
	return true;
}

/* How many rows pass these of its conditions? */
static double
estimate_rows(PlannerInfo *root, RelOptInfo *rel, List *clauses)
{
	return rel->tuples *
		clauselist_selectivity(root, clauses, (int) rel->relid, JOIN_INNER,
							   NULL);
}

/* How many processes share a scan's work, as the planner has it for its own. */
static double
count_processes(int nworkers)
{
	double leader = parallel_leader_participation ? 1.0 - 0.3 * nworkers : 0;

	return nworkers == 0 ? 1 : nworkers + Max(leader, 0);
}

/*
 * The inner side of a nested loop is scanned for each row of the outer one.
 * How much of a scan's cost is for pages that are in memory then?  The planner
 * asks this of an index, but not of a Seq Scan.  Pages stay if all tables of
 * the query fit.
 */
static Cost
estimate_kept_pages(PlannerInfo *root, RelOptInfo *rel, Relids outer)
{
	double nscans = 0;
	double page_cost;
	int relid = -1;

	while ((relid = bms_next_member(outer, relid)) >= 0)
	{
		RelOptInfo *other = root->simple_rel_array[relid];

		if (other != NULL && (nscans == 0 || other->rows < nscans))
			nscans = other->rows;
	}
	if (nscans <= 1 || root->total_table_pages > effective_cache_size)
		return 0;
	get_tablespace_page_costs(rel->reltablespace, NULL, &page_cost);
	return rel->pages * page_cost * (1 - 1 / nscans);
}

/*
 * A path with the cost of a Seq Scan, in so many workers, but for what is saved
 * by all of its processes.  Its rows are those of its parameterization: the
 * planner drops a path with parameters that lets as many rows pass as a Seq
 * Scan without, and so a probe that it expects to let everything pass.
 */
static CustomPath *
make_path(PlannerInfo *root, RelOptInfo *rel, Relids outer, int nworkers,
		  Cost saved)
{
	CustomPath *path = makeNode(CustomPath);

	path->path = *create_seqscan_path(root, rel, outer, nworkers);
	path->path.type = T_CustomPath;
	path->path.pathtype = T_CustomScan;
	path->path.total_cost -= saved / count_processes(nworkers);
	path->flags = CUSTOMPATH_SUPPORT_BACKWARD_SCAN |
		CUSTOMPATH_SUPPORT_PROJECTION;
	path->methods = &path_methods;
	return path;
}

/* Offer a path that is given these relations' columns, if it pays. */
static void
offer_for(PlannerInfo *root, RelOptInfo *rel, Relids outer)
{
	ParamPathInfo *params = get_baserel_parampathinfo(root, rel, outer);
	List *all = list_copy(rel->baserestrictinfo);
	Clauses clauses;
	double nprobes;
	double nbatched;
	Cost saved;
	int nworkers;

	if (params != NULL)
		all = list_concat(all, params->ppi_clauses);
	if (!find_clauses(root, rel, all, &clauses))
		return;
	nprobes = estimate_rows(root, rel, clauses.cheaper);
	nbatched = estimate_rows(root, rel, clauses.ahead);
	saved = (nprobes - nbatched * RIBBON_COST_BATCH_SHARE) * clauses.cost;
	if (!clauses.args.probe.is_membership)
		saved -= nbatched * RIBBON_COST_VALUE * cpu_operator_cost *
			ribbon_selectivity(root,
							   list_make2(clauses.args.filter,
										  clauses.args.key),
							   0, (int) rel->relid);
	if (nprobes < MIN_ROWS || saved <= 0)
		return;

	add_path(rel,
			 (Path *) make_path(root, rel, outer, 0,
								saved + estimate_kept_pages(root, rel, outer)));
	if (!rel->consider_parallel || outer != NULL)
		return;
	nworkers = compute_parallel_worker(rel, rel->pages, -1,
									   max_parallel_workers_per_gather);
	if (nworkers > 0)
		add_partial_path(rel,
						 (Path *) make_path(root, rel, NULL, nworkers, saved));
}

/* For each relation that a join clause with a probe takes its filter from. */
static void
offer_parameterized(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell *cell;

	foreach (cell, rel->joininfo)
	{
		RestrictInfo *info = lfirst_node(RestrictInfo, cell);
		RibbonProbeClause probe;
		Relids outer;

		if (!join_clause_is_movable_to(info, rel) ||
			!ribbon_clause_is_probe(root, (Node *) info->clause, rel->relid,
									&probe))
			continue;
		outer = bms_union(info->required_relids, rel->lateral_relids);
		outer = bms_del_member(outer, (int) rel->relid);
		if (!bms_is_empty(outer))
			offer_for(root, rel, outer);
	}
}

/* The hook. */
static void
offer_scans(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	if (next_hook != NULL)
		next_hook(root, rel, rti, rte);
	if (!batch_setting || !is_fit(root, rel, rte))
		return;
	offer_for(root, rel, rel->lateral_relids);
	offer_parameterized(root, rel);
}

void
ribbon_scan_init(void)
{
	DefineCustomBoolVariable("ribbon.batch",
							 "Whether plans may probe a filter with all rows of a page at once.",
							 NULL, &batch_setting, true, PGC_USERSET, 0, NULL,
							 NULL, NULL);
	RegisterCustomScanMethods(&ribbon_scan_methods);
	RegisterExtensibleNodeMethods(&ribbon_sharedconst_methods);
	next_hook = set_rel_pathlist_hook;
	set_rel_pathlist_hook = offer_scans;
}
