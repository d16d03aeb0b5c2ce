/*
 * explain.c - what EXPLAIN (ANALYZE) tells of a node
 *
 * Its conditions are a "Filter", as a Seq Scan's, and the rows that have failed
 * them are counted like a Seq Scan's.  Besides, it says how many keys were
 * looked up, how many of them passed, and in how many batches.
 *
 * Workers of a parallel scan add theirs when they are through, and the leader
 * takes them when it shuts the plan down.  So the counts of workers that were
 * still at work when their leader had enough are missing.  Workers that each
 * run a whole scan, as the inner side of a join, share nothing with their
 * leader; so nothing is said of it, for what one process has done is not what
 * all have.
 */
#include "scan/scan.h"

static uint64 take(pg_atomic_uint64 *shared);

void
ribbon_scan_explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	const RibbonScanCounts *counts = &((RibbonScan *) css)->counts;
	const PlanState *ps = &css->ss.ps;

	(void) ancestors;
	if (!es->analyze ||
		(ps->worker_instrument != NULL && !ps->plan->parallel_aware))
		return;
	ExplainPropertyUInteger("Keys Probed", NULL, counts->probed, es);
	ExplainPropertyUInteger("Keys Passed", NULL, counts->passed, es);
	ExplainPropertyUInteger("Probe Batches", NULL, counts->batches, es);
}

/* A worker's to give. */
void
ribbon_counts_give(RibbonScan *node)
{
	RibbonScanCounts *counts = &node->counts;

	if (node->shared == NULL || !node->in_worker)
		return;
	pg_atomic_fetch_add_u64(&node->shared->probed, (int64) counts->probed);
	pg_atomic_fetch_add_u64(&node->shared->passed, (int64) counts->passed);
	pg_atomic_fetch_add_u64(&node->shared->batches, (int64) counts->batches);
	memset(counts, 0, sizeof(*counts));
}

/* A leader's to take. */
void
ribbon_counts_take(RibbonScan *node)
{
	RibbonScanCounts *counts = &node->counts;

	if (node->shared == NULL || node->in_worker)
		return;
	counts->probed += take(&node->shared->probed);
	counts->passed += take(&node->shared->passed);
	counts->batches += take(&node->shared->batches);
}

static uint64
take(pg_atomic_uint64 *shared)
{
	return pg_atomic_exchange_u64(shared, 0);
}
