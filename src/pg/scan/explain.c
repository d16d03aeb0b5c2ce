/*
 * explain.c - what EXPLAIN (ANALYZE) tells of a node
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
#include "scan/scan.h"

#include "executor/executor.h"
#include "planner/planner.h"
#include "type/type.h"

/* The filter, if it is a parameter of the query; NULL for all others. */
static char *
describe_parameter(RibbonScan *node)
{
	Param *param = (Param *) ribbon_argument_strip((Node *) node->probe.filter);
	Datum value;
	bool isnull;

	if (!IsA(param, Param) || param->paramkind != PARAM_EXTERN)
		return NULL;
	value = ExecEvalExprSwitchContext(node->filter,
									  node->css.ss.ps.ps_ExprContext, &isnull);
	return isnull ? NULL : ribbon_datum_describe(value);
}

void
ribbon_scan_explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	static const char *const names[RIBBON_SCAN_COUNTS] = {"Keys Probed",
														  "Keys Passed",
														  "Probe Batches"};
	const PlanState *ps = &css->ss.ps;
	char *summary = describe_parameter((RibbonScan *) css);

	(void) ancestors;
	if (summary != NULL)
		ExplainPropertyText("Probed", summary, es);
	if (!es->analyze ||
		(ps->worker_instrument != NULL && !ps->plan->parallel_aware))
		return;
	for (int i = 0; i < RIBBON_SCAN_COUNTS; i++)
		ExplainPropertyUInteger(names[i], NULL, ((RibbonScan *) css)->counts[i],
								es);
}

/* A worker's to give. */
void
ribbon_scan_give_counts(RibbonScan *node)
{
	if (node->shared == NULL || !node->in_worker)
		return;
	for (int i = 0; i < RIBBON_SCAN_COUNTS; i++)
		pg_atomic_fetch_add_u64(&node->shared[i], (int64) node->counts[i]);
	memset(node->counts, 0, sizeof(node->counts));
}

/* A leader's to take. */
void
ribbon_scan_take_counts(RibbonScan *node)
{
	if (node->shared == NULL || node->in_worker)
		return;
	for (int i = 0; i < RIBBON_SCAN_COUNTS; i++)
		node->counts[i] += pg_atomic_exchange_u64(&node->shared[i], 0);
}
