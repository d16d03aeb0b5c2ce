/*
 * scan.h - a table's rows, probed a page at a time
 *
 * A probe waits for memory.  A function that is called once per row cannot
 * begin the next row's probe meanwhile.  So a plan may have a node of ours in
 * place of a Seq Scan.  When the scan comes to a page, the node hashes the keys
 * of the visible rows and looks them up together.  Then it returns the rows
 * whose keys were found.  It copies no row, and reads no other page.
 *
 *	 clause.c	 which conditions are probes of that kind, and which conditions
 *				 may be tried on rows that the query may never ask for
 *	 path.c		 the planner's hook: where such a node is offered, and its cost
 *	 node.c		 the node: the executor's callbacks, rows one by one, EXPLAIN
 *	 pagebatch.c the rows of a page that are looked up together
 *	 heappage.h	 that page: what is used of the insides of a heap's scan
 *	 scanplan.c	 a path becomes a plan
 *	 sharedconst.c a large constant of it, for parallel workers
 *
 * Other folders may use ribbon_scan_init only.
 */
#ifndef RIBBON_SCAN_H
#define RIBBON_SCAN_H

#include "ribbon_pg.h"

#include "access/heapam.h"
#include "nodes/execnodes.h"
#include "nodes/extensible.h"
#include "nodes/pathnodes.h"
#include "port/atomics.h"
#include "probing/probing.h"

/* path.c: define ribbon.batch, register the node, and hook into the planner. */
extern void ribbon_scan_init(void);

/*
 * clause.c
 */

/* What a condition that is a probe looks up, and where. */
typedef struct RibbonProbe
{
	RibbonSqlType type; /* of the filter, or map */
	bool is_membership; /* true: the condition is that the key is found; false:
						 * it compares the value that the map has for the key */
	AttrNumber column;	/* that the key is, except for the name of its type */
	Oid key_type;
	Oid collation;
} RibbonProbe;

/* Such a condition.  The filter uses no column of the relation. */
typedef struct RibbonProbeClause
{
	RibbonProbe probe;
	Expr *filter; /* or map */
	Expr *key;
} RibbonProbeClause;

/*
 * Is this condition a probe of a filter or map with a column of this relation,
 * which can be done for many rows at once?  If so, sets *found.
 */
extern bool ribbon_clause_is_probe(PlannerInfo *root, Node *clause, Index rti,
								   RibbonProbeClause *found);

/* A copy of the condition, with another expression in place of the filter. */
extern Node *ribbon_clause_replace_filter(Node *clause, Expr *filter,
										  Expr *other);

/*
 * Is it certain that no row makes this condition throw an error?  (An error
 * that it throws for every row does not count.)
 */
extern bool ribbon_clause_cannot_fail(Node *clause);

/*
 * scanplan.c
 */

/*
 * What a plan says of its conditions, by their places in plan.qual, which has
 * them in the planner's order.  The one element of custom_exprs is the filter,
 * as it is in the condition.
 */
typedef struct RibbonScanPlan
{
	int at; /* the condition that is the probe */
	RibbonProbe probe;
	List *ahead; /* those before it that may be tried ahead */

	/* the filter, if a large constant; the condition has a text for EXPLAIN */
	Const *constant;
} RibbonScanPlan;

extern RibbonScanPlan ribbon_scanplan_read(const CustomScan *plan);

/* A path becomes a plan; the clauses come in the order to try them in. */
extern Plan *ribbon_scanplan_make(PlannerInfo *root, RelOptInfo *rel,
								  CustomPath *path, List *tlist, List *clauses,
								  List *custom_plans);

/*
 * sharedconst.c: a constant, which is no NULL, as a node that is cheap to send
 * to workers; and the constant of a node, NULL for none.
 */
extern const ExtensibleNodeMethods ribbon_sharedconst_methods;
extern Node *ribbon_sharedconst_make(Const *constant);
extern Const *ribbon_sharedconst_get(const Node *node);

/*
 * node.c
 */

extern const CustomScanMethods ribbon_scan_methods;

/* What a node counts, in one process or in all of a parallel scan. */
enum
{
	RIBBON_SCAN_PROBED, /* keys */
	RIBBON_SCAN_PASSED, /* those of them that were found */
	RIBBON_SCAN_BATCHES,
	RIBBON_SCAN_COUNTS
};

/* Rows of the scan's page.  Those before end have been looked at. */
typedef struct RibbonPageBatch
{
	int max_keys; /* of the next batch; 1: the node has looked up none yet */
	int end;	  /* -1: unknown; the scan knows where it is */
	int at;		  /* row that was moved to last; -1: none of this page */
	int nrows;	  /* rows that have passed */
	int next;	  /* the first of them that has not been returned */
	uint64_t hashes[MaxHeapTuplesPerPage];
	uint16 rows[MaxHeapTuplesPerPage]; /* to be looked up, then that passed */
	bool answers[MaxHeapTuplesPerPage];
} RibbonPageBatch;

/* The node.  Conditions may be NULL; those behind the probe are ss.ps.qual. */
typedef struct RibbonScan
{
	CustomScanState css;
	ExprState *before_quals; /* that a Seq Scan tries before the probe */
	ExprState *ahead_quals;	 /* those of them that may be tried ahead */
	ExprState *probe_qual;	 /* the probe, for a row that is tried by itself;
							  * NULL if it compares a value, behind the probe */
	RibbonProbe probe;
	ExprState *filter; /* that of the probe, or the map */
	RibbonProbeSite site;
	uint64 counts[RIBBON_SCAN_COUNTS];
	pg_atomic_uint64 *shared; /* counts of a parallel scan; else NULL */
	RibbonPageBatch batch;
} RibbonScan;

/*
 * pagebatch.c
 */

/* Begin: the scan is at its start, and nothing has been looked up. */
extern void ribbon_pagebatch_begin(RibbonScan *node);

/* Others are going to move the scan: continue where it will be then. */
extern void ribbon_pagebatch_forget(RibbonScan *node);

/*
 * The next row, forwards, for which the conditions up to the probe hold.  It is
 * returned in the node's scan slot, which is empty after the last row.  The
 * scan must be of a heap, in page mode.
 */
extern TupleTableSlot *ribbon_pagebatch_next(RibbonScan *node,
											 HeapScanDesc scan);

#endif /* RIBBON_SCAN_H */
