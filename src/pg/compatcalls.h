/*
 * compatcalls.h - what PostgreSQL 15 to 19 do by calls that differ
 *
 * Each function does what every server has another name for, or other
 * arguments.  For the files that call one of them.
 */
#ifndef RIBBON_COMPATCALLS_H
#define RIBBON_COMPATCALLS_H

#include "ribbon_pg.h"

#include "access/genam.h"
#include "access/tableam.h"
#include "access/toast_internals.h"
#include "commands/explain.h"
#include "commands/vacuum.h"
#include "executor/executor.h"
#include "nodes/execnodes.h"
#include "pgstat.h"
#include "storage/proc.h"
#include "utils/backend_status.h"
#include "utils/rel.h"
#include "utils/selfuncs.h"
#include "utils/snapmgr.h"
#include "utils/wait_event.h"

/* What nodes tell EXPLAIN: PostgreSQL 18 has put it into headers of its own. */
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif

/* The transaction at hand; no other one of this process has its number. */
static inline LocalTransactionId
ribbon_local_transaction(void)
{
#if PG_VERSION_NUM >= 170000
	return MyProc->vxid.lxid;
#else
	return MyProc->lxid;
#endif
}

/* The snapshot that sees all rows of a TOAST table. */
static inline Snapshot
ribbon_toast_snapshot(void)
{
#if PG_VERSION_NUM >= 180000
	return get_toast_snapshot();
#else
	static SnapshotData snapshot;

	init_toast_snapshot(&snapshot);
	return &snapshot;
#endif
}

/* Before PostgreSQL 17, snapshots could get too old to protect anything. */
static inline bool
ribbon_snapshots_expire(void)
{
#if PG_VERSION_NUM < 170000
	return OldSnapshotThresholdActive();
#else
	return false;
#endif
}

/* How many elements an array has.  PostgreSQL 17 looks at its column. */
static inline double
ribbon_estimate_array_length(PlannerInfo *root, Node *array)
{
#if PG_VERSION_NUM >= 170000
	return estimate_array_length(root, array);
#else
	return estimate_array_length(array);
#endif
}

/*
 * An index scan.  PostgreSQL 18 keeps statistics of it if it is given a place
 * for them, and PostgreSQL 19 takes hints.
 */
static inline IndexScanDesc
ribbon_index_beginscan(Relation table, Relation index, Snapshot snapshot,
					   int nkeys)
{
#if PG_VERSION_NUM >= 190000
	return index_beginscan(table, index, snapshot, NULL, nkeys, 0, SO_NONE);
#elif PG_VERSION_NUM >= 180000
	return index_beginscan(table, index, snapshot, NULL, nkeys, 0);
#else
	return index_beginscan(table, index, snapshot, nkeys, 0);
#endif
}

/*
 * A scan of all of a node's table, alone (shared is NULL) or as one of several
 * processes.  PostgreSQL 19 wants to know what a query is going to do to the
 * table.
 */
static inline TableScanDesc
ribbon_table_beginscan(ScanState *node, ParallelTableScanDesc shared)
{
	Relation table = node->ss_currentRelation;
	Snapshot snapshot = node->ps.state->es_snapshot;

#if PG_VERSION_NUM >= 190000
	uint32 hint = ScanRelIsReadOnly(node) ? SO_HINT_REL_READ_ONLY : SO_NONE;

	return shared == NULL ? table_beginscan(table, snapshot, 0, NULL, hint) :
							table_beginscan_parallel(table, shared, hint);
#else
	return shared == NULL ? table_beginscan(table, snapshot, 0, NULL) :
							table_beginscan_parallel(table, shared);
#endif
}

/*
 * The rows that a custom scan comes to are in slots of this kind.  It says so
 * when its state is created (choose); before PostgreSQL 16 the server makes
 * all ready for virtual rows, and it is made anew when the scan begins (init).
 */
static inline void
ribbon_customscan_choose_slot(CustomScanState *node,
							  const TupleTableSlotOps *ops)
{
#if PG_VERSION_NUM >= 160000
	node->slotOps = ops;
#endif
}

static inline void
ribbon_customscan_init_slot(CustomScanState *node, const TupleTableSlotOps *ops)
{
#if PG_VERSION_NUM < 160000
	ExecInitScanTupleSlot(node->ss.ps.state, &node->ss,
						  RelationGetDescr(node->ss.ss_currentRelation), ops);
	ExecAssignScanProjectionInfo(&node->ss);
#endif
}

/* Count so many rows as read by a scan of all of a table. */
static inline void
ribbon_count_rows_read(Relation table, int nrows)
{
	if (!pgstat_should_count_relation(table))
		return;
#if PG_VERSION_NUM >= 160000
	table->pgstat_info->counts.tuples_returned += nrows;
#else
	table->pgstat_info->t_counts.t_tuples_returned += nrows;
#endif
}

/*
 * Sleep if ANALYZE has been told to go easy on the disk; look for interrupts.
 * PostgreSQL 18 wants to know whether it is ANALYZE or VACUUM.
 */
static inline void
ribbon_analyze_delay_point(void)
{
#if PG_VERSION_NUM >= 180000
	vacuum_delay_point(true);
#else
	vacuum_delay_point();
#endif
}

/*
 * Entries of the processes, of which there are pgstat_fetch_stat_numbackends():
 * numbers begin with 1.  They were renamed in PostgreSQL 16.
 */
static inline const PgBackendStatus *
ribbon_backend_status(int number)
{
	const LocalPgBackendStatus *local;

#if PG_VERSION_NUM >= 160000
	local = pgstat_get_local_beentry_by_index(number);
#else
	local = pgstat_fetch_stat_local_beentry(number);
#endif
	return local == NULL ? NULL : &local->backendStatus;
}

/* PostgreSQL 17 lets extensions name what they wait for. */
static inline uint32
ribbon_new_wait_event(const char *name, uint32 otherwise)
{
#if PG_VERSION_NUM >= 170000
	return WaitEventExtensionNew(name);
#else
	return otherwise;
#endif
}

#endif /* RIBBON_COMPATCALLS_H */
