/*
 * leftover.c - files that no process will read any more
 *
 * A file of a parallel worker (sharedfile.c) is deleted by the leader that
 * reads it.  After an error, or if the leader has not asked for it, it is left;
 * also when the leader is terminated.  So the leader deletes all files of its
 * group when its transaction ends.
 *
 * A worker may have created a file that the leader has not been told of, in any
 * of the tablespaces that the worker might use, so the leader looks into all of
 * them, which takes system calls.  It does so
 *
 * - if it created a shared file itself, even if writing to it failed;
 * - if the session has ever had workers, and the transaction aborts: workers
 *	 that were terminated have not told what they wrote;
 * - if it has had workers, and blocks were written to temporary files.  The
 *	 server counts them, and adds those of workers to their leader's count when
 *	 they are done.
 *
 * Nothing here may throw.
 */
#include "spill/spill.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "executor/instrument.h"
#include "storage/proc.h"

/* Blocks of temporary files written when we looked last. */
static int64 seen_blocks;

/* Some could not be deleted yet when a subtransaction failed. */
static bool postponed = false;

/*
 * May there be a file of this group, after a (sub)transaction that failed or
 * not?
 */
static bool
may_exist(bool failed)
{
	bool had_workers = MyProc->lockGroupLeader != NULL;

	return ribbon_sharedfile_created || postponed ||
		(had_workers &&
		 (failed || pgBufferUsage.temp_blks_written != seen_blocks));
}

/* The workers are gone by now, whichever way the transaction has ended. */
static void
at_transaction_end(XactEvent event, void *arg)
{
	bool committed = event == XACT_EVENT_COMMIT || event == XACT_EVENT_PREPARE;

	(void) arg;
	if (IsParallelWorker() || (!committed && event != XACT_EVENT_ABORT))
		return;
	if (may_exist(!committed))
		ribbon_sharedfile_delete_all();
	seen_blocks = pgBufferUsage.temp_blks_written;
	ribbon_sharedfile_created = false;
	postponed = false;
}

/*
 * Here, too: a function that catches errors may go on for long.  But it may
 * itself have been called by a parallel query, whose files are not ours to
 * delete.  Nor are those of a portal that was suspended before the savepoint:
 * it has a plan with partial states, but runs it without workers.
 */
static void
at_subtransaction_end(SubXactEvent event, SubTransactionId id,
					  SubTransactionId parent, void *arg)
{
	(void) id;
	(void) parent;
	(void) arg;
	if (event != SUBXACT_EVENT_ABORT_SUB || IsParallelWorker() ||
		!may_exist(true))
		return;
	if (IsInParallelMode() || ribbon_spill_outlives())
		postponed = true;
	else
		ribbon_sharedfile_delete_all();
}

void
ribbon_leftover_init(void)
{
	seen_blocks = pgBufferUsage.temp_blks_written;
	RegisterXactCallback(at_transaction_end, NULL);
	RegisterSubXactCallback(at_subtransaction_end, NULL);
}
