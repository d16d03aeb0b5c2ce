/*
 * scan.h - a table's rows, probed a page at a time
 *
 * A probe waits for memory, and a function that is called once per row cannot
 * begin the next row's probe meanwhile.  So a plan may have a node of ours in
 * the place of a Seq Scan.  When the scan comes to a page, the node hashes the
 * keys of the visible rows and looks them up together; then it returns the rows
 * whose keys were found.  No row is copied, and no other page is read.
 *
 *	 clause.c	 which conditions are probes of that kind, and which conditions
 *				 may be tried on rows that the query may never ask for
 *	 path.c		 the planner's hook: where such a node is offered, and its cost
 *	 node.c		 the node: the executor's callbacks, and rows one by one
 *	 batch.c	 the rows of a page that are looked up together
 *	 explain.c	 what EXPLAIN tells, and counts of parallel workers
 *
 * Nothing here is for other folders but ribbon_scan_init.
 */
#ifndef RIBBON_SCAN_H
#define RIBBON_SCAN_H

#include "ribbon_pg.h"

#include "access/heapam.h"
#include "nodes/execnodes.h"
#include "nodes/extensible.h"
#include "nodes/pathnodes.h"
#include "port/atomics.h"
#include "probe/contains.h"

/* Define ribbon.batch, register the node, and hook into the planner. */
extern void ribbon_scan_init(void);

/*
 * clause.c
 */

/*
 * The arguments of a probe.  filter is free of the relation's columns, and
 * column is a column of it, which the key is (but for its type's name).
 */
typedef struct RibbonScanProbe
{
	RibbonSqlType type;
	Expr *filter;		/* or map */
	bool is_membership; /* the condition holds if the key is found; else it
						 * compares what the map has for the key */
	Expr *key;
	Var *column;
	Oid collation;
} RibbonScanProbe;

/*
 * Is this condition a probe of a filter, or map, with a column of this
 * relation, that can be made for many rows at once?
 */
extern bool ribbon_scan_is_probe(PlannerInfo *root, Node *clause, Index rti,
								 RibbonScanProbe *probe);

/* The same, but for what its arguments are; true of one that has been found. */
extern bool ribbon_scan_open_probe(Node *clause, RibbonScanProbe *probe);

/*
 * Is it certain that this condition throws no error, for no row?  (It may throw
 * one for every row.)
 */
extern bool ribbon_scan_cannot_fail(Node *clause);

/*
 * node.c
 */

/*
 * A plan's custom_private holds which of its conditions (plan.qual, in the
 * planner's order) is the probe, as a list, and a list of those before it that
 * may be tried ahead.
 */
extern const CustomScanMethods ribbon_scan_methods;

/* What a node counts, in one process or in all of a parallel scan. */
enum
{
	RIBBON_SCAN_PROBED, /* keys */
	RIBBON_SCAN_PASSED, /* of these, those that the filter let pass */
	RIBBON_SCAN_BATCHES,
	RIBBON_SCAN_COUNTS
};

/* Rows of the scan's page: those from begin to end - 1 have been looked up. */
typedef struct RibbonPageBatch
{
	int ahead; /* keys that may be looked up at once, in the next one */
	int end;   /* -1: unknown, the scan tells where it is */
	int at;	   /* row that was moved to last; -1: none of this page */
	int nrows; /* rows that have passed; before: those with a key */
	int next;  /* the first of them that has not been returned */
	HeapTupleData tuple;
	uint64_t hashes[MaxHeapTuplesPerPage];
	uint16 rows[MaxHeapTuplesPerPage];
	bool answers[MaxHeapTuplesPerPage];
} RibbonPageBatch;

/* The node.  Its conditions behind the probe are ss.ps.qual. */
typedef struct RibbonScan
{
	CustomScanState css;
	/*
	 * Conditions, or NULL if there are none: for the first key, all that a Seq
	 * Scan tries before the probe; for the others, those of them that may be
	 * tried ahead; for a row that is tried by itself, those for the first key
	 * and the probe.
	 */
	ExprState *first_key_quals;
	ExprState *ahead_quals;
	ExprState *single_row_quals;
	ExprState *filter; /* or map */
	AttrNumber column;
	Oid key_type;
	Oid key_collation;
	RibbonProbeSite site;
	bool is_membership; /* as in RibbonScanProbe */
	uint64 counts[RIBBON_SCAN_COUNTS];
	pg_atomic_uint64 *shared; /* in a parallel scan as many; else NULL */
	bool in_worker;			  /* of a parallel scan */
	RibbonPageBatch batch;
} RibbonScan;

/*
 * batch.c
 */

/* The scan is at its start, and nothing has been looked up. */
extern void ribbon_pagebatch_begin(RibbonScan *node);

/* The scan is going to be moved by others; go on from where it will be. */
extern void ribbon_pagebatch_forget(RibbonScan *node);

/*
 * The next row, forwards, for which the conditions up to the probe hold, in the
 * node's scan slot, which is empty behind the last one.  The scan is of a heap,
 * in page mode.
 */
extern TupleTableSlot *ribbon_pagebatch_next(RibbonScan *node,
											 HeapScanDesc scan);

/*
 * explain.c
 */
extern void ribbon_scan_explain(CustomScanState *css, List *ancestors,
								struct ExplainState *es);

/* Add a process's counts to what all share, or take what others have added. */
extern void ribbon_counts_give(RibbonScan *node);
extern void ribbon_counts_take(RibbonScan *node);

#endif /* RIBBON_SCAN_H */
