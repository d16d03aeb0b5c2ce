/*
 * node.c - a Seq Scan that looks ahead
 *
 * The node is a CustomScan.  The executor's own frame for scans (ExecScan) asks
 * it for rows, tries the conditions behind the probe on them, and projects.  It
 * also tries a row again that another transaction has changed.
 *
 * We ask the table's access method, which is heap, for its scan.  Forwards in
 * page mode rows come by batches (pagebatch.c).  Otherwise they come one by
 * one, as in a Seq Scan: backwards, for FETCH PRIOR, and where the snapshot is
 * not of MVCC.  No statement has such a snapshot (of a historic one, for
 * logical decoding, a scan of a table that is not a catalog is an error, or not
 * done), but a function of an extension may execute a plan under SnapshotAny.
 *
 * A parallel scan shares what the access method shares, and our counts.
 */
#include "scan/heappage.h"
#include "scan/scan.h"

#include "access/parallel.h"
#include "compatcalls.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "planner/planner.h"
#include "type/type.h"

/* The shared memory: our counts, and behind them the access method's part. */
#define SHARED_COUNTS MAXALIGN(RIBBON_SCAN_COUNTS * sizeof(pg_atomic_uint64))
#define SHARED_SCAN(coordinate) \
	((ParallelTableScanDesc) ((char *) (coordinate) + SHARED_COUNTS))

static void
open_conditions(RibbonScan *node, CustomScan *plan)
{
	PlanState *ps = &node->css.ss.ps;
	RibbonScanPlan our = ribbon_scanplan_read(plan);
	List *all = plan->scan.plan.qual;
	List *before = list_copy_head(all, our.at);
	List *ahead = NIL;
	List *behind = NIL;
	Node *clause = list_nth(all, our.at);
	Expr *filter = linitial(plan->custom_exprs);
	ListCell *cell;

	if (our.constant != NULL)
	{
		clause = ribbon_clause_replace_filter(clause, filter,
											  (Expr *) our.constant);
		filter = (Expr *) our.constant;
	}
	foreach (cell, all)
	{
		int i = foreach_current_index(cell);

		if (list_member_int(our.ahead, i))
			ahead = lappend(ahead, lfirst(cell));
		else if (i != our.at)
			behind = lappend(behind, lfirst(cell));
		else if (!our.probe.is_membership)
			behind = lappend(behind, clause);
	}

	node->ahead_quals = ExecInitQual(ahead, ps);
	node->before_quals = list_length(before) == list_length(ahead) ?
		node->ahead_quals :
		ExecInitQual(before, ps);
	node->probe_qual = our.probe.is_membership ?
		ExecInitQual(list_make1(clause), ps) :
		NULL;
	node->filter = ExecInitExpr(filter, ps);
	node->probe = our.probe;
	ribbon_probesite_init(&node->site, our.probe.type, ps->state->es_query_cxt);
	ps->qual = ExecInitQual(behind, ps);
}

/* The executor has compiled all conditions as one; here they are by parts. */
static void
begin_scan(CustomScanState *css, EState *estate, int eflags)
{
	RibbonScan *node = (RibbonScan *) css;

	ribbon_customscan_init_slot(css, &TTSOpsBufferHeapTuple);
	open_conditions(node, castNode(CustomScan, css->ss.ps.plan));
	ribbon_pagebatch_begin(node);
}

/* Do all conditions up to the probe hold for the row in this slot? */
static bool
passes_alone(ScanState *ss, TupleTableSlot *slot)
{
	const RibbonScan *node = (RibbonScan *) ss;
	ExprContext *context = ss->ps.ps_ExprContext;

	ResetExprContext(context);
	context->ecxt_scantuple = slot;
	return ExecQual(node->before_quals, context) &&
		ExecQual(node->probe_qual, context);
}

static TupleTableSlot *
next_row_alone(RibbonScan *node, TableScanDesc scan, ScanDirection direction)
{
	TupleTableSlot *slot = node->css.ss.ss_ScanTupleSlot;

	while (table_scan_getnextslot(scan, direction, slot))
	{
		CHECK_FOR_INTERRUPTS();
		if (passes_alone(&node->css.ss, slot))
			return slot;
		InstrCountFiltered1(node, 1);
	}
	return NULL;
}

/* The next row, any way, for which all conditions up to the probe hold. */
static TupleTableSlot *
next_row(ScanState *ss)
{
	RibbonScan *node = (RibbonScan *) ss;
	ScanDirection direction = ss->ps.state->es_direction;
	TableScanDesc scan = ss->ss_currentScanDesc;

	if (scan == NULL)
	{
		/* not a parallel scan, or one in a plan that is executed serially */
		scan = ribbon_table_beginscan(ss, NULL);
		ss->ss_currentScanDesc = scan;
	}
	if (likely(ScanDirectionIsForward(direction) &&
			   ribbon_heappage_in_mode(scan)))
		return ribbon_pagebatch_next(node, (HeapScanDesc) scan);
	ribbon_pagebatch_forget(node);
	return next_row_alone(node, scan, direction);
}

static TupleTableSlot *
execute_scan(CustomScanState *css)
{
	return ExecScan(&css->ss, next_row, passes_alone);
}

/* Add a worker's counts to the shared ones, or those to the leader's own. */
static void
add_counts(RibbonScan *node)
{
	for (int i = 0; node->shared != NULL && i < RIBBON_SCAN_COUNTS; i++)
	{
		if (IsParallelWorker())
			pg_atomic_fetch_add_u64(&node->shared[i], (int64) node->counts[i]);
		else
			node->counts[i] += pg_atomic_exchange_u64(&node->shared[i], 0);
	}
}

static void
end_scan(CustomScanState *css)
{
	ExecClearTuple(css->ss.ss_ScanTupleSlot);
	if (css->ss.ss_currentScanDesc != NULL)
		table_endscan(css->ss.ss_currentScanDesc);
}

static void
restart_scan(CustomScanState *css)
{
	if (css->ss.ss_currentScanDesc != NULL)
		table_rescan(css->ss.ss_currentScanDesc, NULL);
	ExecScanReScan(&css->ss);
	ribbon_pagebatch_begin((RibbonScan *) css);
}

/*
 * In parallel.
 */

static Size
estimate_shared(CustomScanState *css, ParallelContext *context)
{
	return SHARED_COUNTS +
		table_parallelscan_estimate(css->ss.ss_currentRelation,
									css->ss.ps.state->es_snapshot);
}

/* Take part, as a worker or the leader. */
static void
join_scan(CustomScanState *css, shm_toc *toc, void *coordinate)
{
	((RibbonScan *) css)->shared = coordinate;
	css->ss.ss_currentScanDesc =
		ribbon_table_beginscan(&css->ss, SHARED_SCAN(coordinate));
}

static void
initialize_shared(CustomScanState *css, ParallelContext *context,
				  void *coordinate)
{
	pg_atomic_uint64 *counts = coordinate;

	table_parallelscan_initialize(css->ss.ss_currentRelation,
								  SHARED_SCAN(coordinate),
								  css->ss.ps.state->es_snapshot);
	for (int i = 0; i < RIBBON_SCAN_COUNTS; i++)
		pg_atomic_init_u64(&counts[i], 0);
	join_scan(css, NULL, coordinate);
}

static void
reinitialize_shared(CustomScanState *css, ParallelContext *context,
					void *coordinate)
{
	add_counts((RibbonScan *) css);
	table_parallelscan_reinitialize(css->ss.ss_currentRelation,
									SHARED_SCAN(coordinate));
}

/* The shared memory is about to go. */
static void
shut_down_scan(CustomScanState *css)
{
	RibbonScan *node = (RibbonScan *) css;

	add_counts(node);
	node->shared = NULL;
}

/*
 * What EXPLAIN (ANALYZE) tells.
 *
 * Its conditions are a "Filter", as a Seq Scan's, and the rows that have failed
 * them are counted like a Seq Scan's.  Besides, it says what filter a parameter
 * is, how many keys were looked up, how many of them passed, and in how many
 * batches.
 *
 * Workers of a parallel scan add theirs when they are through, and the leader
 * takes them when it shuts the plan down.  So the counts of workers that were
 * still at work when their leader had enough are missing.  Workers that each
 * run a whole scan, as the inner side of a join, share nothing with their
 * leader; so nothing is said of it, for what one process has done is not what
 * all have.
 */

/*
 * The filter, if it is a parameter of the query that has a value; NULL for all
 * others.  EXPLAIN (GENERIC_PLAN) has no values.
 */
static char *
describe_parameter(RibbonScan *node)
{
	const CustomScan *plan = (CustomScan *) node->css.ss.ps.plan;
	Param *param =
		(Param *) ribbon_argument_strip(linitial(plan->custom_exprs));
	Datum value;
	bool isnull;

	if (!IsA(param, Param) || param->paramkind != PARAM_EXTERN ||
		node->css.ss.ps.state->es_param_list_info == NULL)
		return NULL;
	value = ExecEvalExprSwitchContext(node->filter,
									  node->css.ss.ps.ps_ExprContext, &isnull);
	return isnull ? NULL : ribbon_datum_describe(value);
}

static void
explain_scan(CustomScanState *css, List *ancestors, ExplainState *es)
{
	static const char *const names[RIBBON_SCAN_COUNTS] = {"Keys Probed",
														  "Keys Passed",
														  "Probe Batches"};
	const PlanState *ps = &css->ss.ps;
	char *summary = describe_parameter((RibbonScan *) css);

	if (summary != NULL)
		ExplainPropertyText("Probed", summary, es);
	if (!es->analyze ||
		(ps->worker_instrument != NULL && !ps->plan->parallel_aware))
		return;
	for (int i = 0; i < RIBBON_SCAN_COUNTS; i++)
		ExplainPropertyUInteger(names[i], NULL, ((RibbonScan *) css)->counts[i],
								es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = "RibbonScan",
	.BeginCustomScan = begin_scan,
	.ExecCustomScan = execute_scan,
	.EndCustomScan = end_scan,
	.ReScanCustomScan = restart_scan,
	.EstimateDSMCustomScan = estimate_shared,
	.InitializeDSMCustomScan = initialize_shared,
	.ReInitializeDSMCustomScan = reinitialize_shared,
	.InitializeWorkerCustomScan = join_scan,
	.ShutdownCustomScan = shut_down_scan,
	.ExplainCustomScan = explain_scan,
};

static Node *
create_scan_state(CustomScan *plan)
{
	RibbonScan *node = palloc0(sizeof(RibbonScan));

	NodeSetTag(node, T_CustomScanState);
	node->css.methods = &exec_methods;
	ribbon_customscan_choose_slot(&node->css, &TTSOpsBufferHeapTuple);
	return (Node *) node;
}

const CustomScanMethods ribbon_scan_methods = {
	.CustomName = "RibbonScan",
	.CreateCustomScanState = create_scan_state,
};
