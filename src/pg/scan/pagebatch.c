/*
 * pagebatch.c - the rows of a page that are looked up together
 *
 * A batch is a run of rows of the page.  Conditions before the probe are tried
 * on each; the keys of those that pass are hashed, and looked up in one call.
 * Then the rows whose keys are in the filter are returned, one by one.
 *
 * How many keys?  A query that needs one row (LIMIT, EXISTS) must not pay for a
 * page of probes; and probes of a stored filter in slices are expensive.  So
 * the first batch has one key, and each has twice as many as the one before, up
 * to a page.  When the query stops, it has looked up at most as many keys that
 * it did not need as keys that it did.
 */
#include "scan/heappage.h"
#include "scan/scan.h"

#include "compatcalls.h"
#include "executor/executor.h"
#include "key/key.h"
#include "miscadmin.h"

#define UNKNOWN (-1)

void
ribbon_pagebatch_begin(RibbonScan *node)
{
	node->batch.max_keys = 1;
	ribbon_pagebatch_forget(node);
}

void
ribbon_pagebatch_forget(RibbonScan *node)
{
	node->batch.nrows = 0;
	node->batch.next = 0;
	node->batch.end = UNKNOWN;
}

/*
 * Move to a row, or on from the last.  EXPLAIN counts the rows in between as
 * removed by the filter.  The server's statistics count those and the one moved
 * to as read, except the page's first row: the scan itself has counted that.
 */
static inline void
pass_rows(RibbonScan *node, HeapScanDesc scan, int to)
{
	RibbonPageBatch *batch = &node->batch;
	int last = Min(to, ribbon_heappage_nrows(scan) - 1);

	ribbon_count_rows_read(scan->rs_base.rs_rd, last - Max(batch->at, 0));
	InstrCountFiltered1(node, to - batch->at - 1);
	batch->at = to;
	ribbon_heappage_move(scan, last);
}

/*
 * Go on to the next page that has rows; the scan is at the first of them.
 * False if there is none, and then the slot is empty.
 */
static bool
turn_page(RibbonScan *node, HeapScanDesc scan)
{
	RibbonPageBatch *batch = &node->batch;

	if (batch->end != UNKNOWN)
		pass_rows(node, scan, ribbon_heappage_nrows(scan));
	ribbon_pagebatch_forget(node);
	if (!table_scan_getnextslot(&scan->rs_base, ForwardScanDirection,
								node->css.ss.ss_ScanTupleSlot))
		return false;
	batch->at = -1;
	batch->end = 0;
	return true;
}

/* A row's key; false if it is NULL, which no filter has. */
static inline bool
get_key(RibbonScan *node, HeapScanDesc scan, int row, Datum *key)
{
	HeapTupleData tuple;
	bool isnull;

	/* columns need no more of it */
	tuple.t_data = ribbon_heappage_header(scan, row);
	*key = heap_getattr(&tuple, node->probe.column,
						RelationGetDescr(scan->rs_base.rs_rd), &isnull);
	return !isnull;
}

/* The same of a row for which these conditions hold. */
static bool
get_key_conditionally(RibbonScan *node, HeapScanDesc scan, int row,
					  ExprState *conditions, Datum *key)
{
	TupleTableSlot *slot = node->css.ss.ss_ScanTupleSlot;
	ExprContext *context = node->css.ss.ps.ps_ExprContext;
	bool isnull;

	ribbon_heappage_store(scan, row, slot);
	ResetExprContext(context);
	context->ecxt_scantuple = slot;
	if (!ExecQual(conditions, context))
		return false;
	*key = slot_getattr(slot, node->probe.column, &isnull);
	return !isnull;
}

/*
 * Hash the keys of rows that pass the conditions before the probe, if the key
 * type has been set, and return their number.  (A key may be long, and its page
 * has many.)
 *
 * The first batch is one key, that of the row that a Seq Scan would probe
 * first, for all conditions before the probe are tried.  So an error in the
 * filter, or in a subquery that gives it, comes only where it would there.
 */
static int
collect_keys(RibbonScan *node, HeapScanDesc scan)
{
	RibbonPageBatch *batch = &node->batch;
	RibbonKeyHasher *hasher = &node->site.hasher;
	ExprState *conditions = batch->max_keys == 1 ? node->before_quals :
												   node->ahead_quals;
	int nrows = ribbon_heappage_nrows(scan);
	int row = batch->end;
	int n = 0;

	for (; row < nrows && n < batch->max_keys; row++)
	{
		Datum key = 0; /* for gcc -O1, which cannot see that it is set */

		CHECK_FOR_INTERRUPTS();
		if (conditions == NULL ?
				!get_key(node, scan, row, &key) :
				!get_key_conditionally(node, scan, row, conditions, &key))
			continue;
		batch->rows[n] = (uint16) row;
		if (likely(hasher->has_type) &&
			!ribbon_keyhash_add_to_batch(hasher, key, (size_t) n,
										 &batch->hashes[n]))
			break;
		n++;
	}
	batch->end = row;
	return n;
}

/* The type of the keys has been set, or the hasher adapted to the filter. */
static void
hash_anew(RibbonScan *node, HeapScanDesc scan, int nkeys)
{
	RibbonPageBatch *batch = &node->batch;
	Datum key;

	for (int i = 0; i < nkeys; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (get_key(node, scan, batch->rows[i], &key))
			batch->hashes[i] = ribbon_keyhash_row(&node->site.hasher, key);
	}
}

/*
 * Look up the hashes, and keep the rows whose keys are in the filter.  The
 * filter's expression is evaluated for each batch, in memory that lasts as long
 * as that, for the result may be temporary.  If it is NULL, the keys' type is
 * not looked at, so one that no filter can have is no error.
 */
static void
probe_keys(RibbonScan *node, HeapScanDesc scan, int nkeys)
{
	RibbonPageBatch *batch = &node->batch;
	int npassed = 0;
	bool isnull;
	Datum filter = ExecEvalExpr(node->filter, node->css.ss.ps.ps_ExprContext,
								&isnull);

	if (isnull)
		return;
	if (ribbon_keyhash_ensure_type(&node->site.hasher, node->probe.key_type,
								   node->probe.collation, node->site.context))
		hash_anew(node, scan, nkeys);
	while (!ribbon_contains_hashes(&node->site, filter, batch->hashes,
								   (size_t) nkeys, batch->answers))
		hash_anew(node, scan, nkeys);

	/* without a branch, which the CPU would mispredict as often as not */
	for (int i = 0; i < nkeys; i++)
	{
		batch->rows[npassed] = batch->rows[i];
		npassed += batch->answers[i];
	}
	/*
	 * The first row passes although its key was not found, if a value is to be
	 * compared: it is an error if the map has none of the type that is wanted.
	 */
	batch->nrows = !node->probe.is_membership && batch->max_keys == 1 ? nkeys :
																		npassed;
	node->counts[RIBBON_SCAN_PROBED] += (uint64) nkeys;
	node->counts[RIBBON_SCAN_PASSED] += (uint64) npassed;
	node->counts[RIBBON_SCAN_BATCHES]++;
}

static void
fill_batch(RibbonScan *node, HeapScanDesc scan)
{
	RibbonPageBatch *batch = &node->batch;
	ExprContext *context = node->css.ss.ps.ps_ExprContext;
	MemoryContext old_context;
	int nkeys;

	batch->nrows = batch->next = 0;
	ResetExprContext(context);
	old_context = MemoryContextSwitchTo(context->ecxt_per_tuple_memory);
	nkeys = collect_keys(node, scan);
	if (nkeys > 0)
	{
		probe_keys(node, scan, nkeys);
		batch->max_keys = Min(2 * batch->max_keys, MaxHeapTuplesPerPage);
	}
	MemoryContextSwitchTo(old_context);
}

TupleTableSlot *
ribbon_pagebatch_next(RibbonScan *node, HeapScanDesc scan)
{
	RibbonPageBatch *batch = &node->batch;
	TupleTableSlot *slot = node->css.ss.ss_ScanTupleSlot;

	if (batch->end == UNKNOWN && ribbon_heappage_row(scan) >= 0)
	{
		/* behind the row that the scan is at, which it has returned */
		batch->at = ribbon_heappage_row(scan);
		batch->end = batch->at + 1;
	}
	while (batch->next >= batch->nrows)
	{
		if ((batch->end == UNKNOWN ||
			 batch->end >= ribbon_heappage_nrows(scan)) &&
			!turn_page(node, scan))
			return NULL;
		fill_batch(node, scan);
	}
	pass_rows(node, scan, batch->rows[batch->next]);
	ribbon_heappage_store(scan, batch->rows[batch->next++], slot);
	return slot;
}
