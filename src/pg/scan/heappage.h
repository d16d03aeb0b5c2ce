/*
 * heappage.h - the page that a heap scan is at
 *
 * In page mode a heap scan, when it comes to a page, notes which of its rows
 * the snapshot sees (rs_vistuples).  They stay where they are as long as it
 * holds its pin on the page.  So we may look at all of them while it is at the
 * first one; and by setting its tuple and its index (rs_ctup, rs_cindex) we put
 * it where it would be, had it returned the row that we return: so it can be
 * moved backwards from there.  With the index at the last row it goes on to the
 * next page.
 *
 * This is all we use of a scan's insides (heapgettup_pagemode in heapam.c), and
 * it holds from version 15 to 19.  In each of them:
 *
 *	 rs_flags		has SO_ALLOW_PAGEMODE from the start to the end of a scan of
 *					all of a table if its snapshot is of MVCC, in parallel too.
 *	 rs_inited		is set, and rs_cbuf valid, from the first row to the end; at
 *					either end of the table and by a rescan both are undone.
 *	 rs_vistuples	rs_ntuples of them, is made when rs_cbuf changes, and only
 *					then: after the page has been pruned, with serializable
 *					conflicts noted for all its rows.  What they point to stays,
 *					for pruning takes a page that no other process has pinned.
 *	 rs_cindex		is where the next call goes on, by one, either way.
 *
 * From version 17 on, a scan reads ahead, by a stream that has pins of its own;
 * it knows the page in hand by rs_cblock, which we leave alone.  In version 19
 * rs_ctup's block number may be set with the page, not with each row; ours is
 * the same.  Before version 17, a scan looks for each row whether its snapshot
 * is too old (old_snapshot_threshold), and we for each page: rows that it has
 * found on it are there.
 */
#ifndef RIBBON_HEAPPAGE_H
#define RIBBON_HEAPPAGE_H

#include "ribbon_pg.h"

#include "access/heapam.h"
#include "executor/tuptable.h"
#include "storage/bufmgr.h"

/* Is it in page mode?  All below is for such a scan. */
static inline bool
ribbon_heappage_in_mode(TableScanDesc scan)
{
	return (scan->rs_flags & SO_ALLOW_PAGEMODE) != 0;
}

/* The row of the page that the scan is at; -1 if it is at no page. */
static inline int
ribbon_heappage_row(HeapScanDesc scan)
{
	return scan->rs_inited && BufferIsValid(scan->rs_cbuf) ?
		(int) scan->rs_cindex :
		-1;
}

/* How many rows has the page? */
static inline int
ribbon_heappage_nrows(HeapScanDesc scan)
{
	return (int) scan->rs_ntuples;
}

/* Where a row is. */
static inline HeapTupleHeader
ribbon_heappage_header(HeapScanDesc scan, int row)
{
	Page page = BufferGetPage(scan->rs_cbuf);
	ItemId line = PageGetItemId(page, scan->rs_vistuples[row]);

	return (HeapTupleHeader) PageGetItem(page, line);
}

/* Move to a row: the scan goes on from there. */
static inline void
ribbon_heappage_move(HeapScanDesc scan, int row)
{
	scan->rs_cindex = row;
}

/* Store a row in a slot, as the scan itself would. */
static inline void
ribbon_heappage_store(HeapScanDesc scan, int row, TupleTableSlot *slot)
{
	HeapTuple tuple = &scan->rs_ctup;
	OffsetNumber offset = scan->rs_vistuples[row];
	ItemId line = PageGetItemId(BufferGetPage(scan->rs_cbuf), offset);

	tuple->t_data = ribbon_heappage_header(scan, row);
	tuple->t_len = ItemIdGetLength(line);
	ItemPointerSet(&tuple->t_self, scan->rs_cblock, offset);
	ExecStoreBufferHeapTuple(tuple, slot, scan->rs_cbuf);
}

#endif /* RIBBON_HEAPPAGE_H */
