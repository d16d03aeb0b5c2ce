/*
 * leftover.c - files that no process comes for any more
 *
 * A file of a parallel worker (sharedfile.c) is deleted by the leader that
 * reads it.  After an error, or if the leader has not asked for it, it is left;
 * also when the leader is terminated.  So the leader deletes all files of its
 * group when its transaction ends.
 *
 * Are there any?  A worker may have created a file that the leader has not been
 * told of, in whatever tablespaces the worker was to use, so the leader looks
 * into all of them.  But not unless it must.  It looks if a file was created
 * here: nothing may ever have been written to it, if that failed.  If not, the
 * files could only be workers', and it looks only if the session has ever had
 * any.  The server counts the blocks that are written to temporary files, and
 * adds those of workers to their leader's when they are done.  So a transaction
 * that commits looks only if this number has risen.  Of workers that did not
 * come to their end the number says nothing, so one that aborts always looks.
 *
 * Nothing here may throw.
 */
#include "spill/spill.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "executor/instrument.h"
#include "storage/proc.h"

static void at_transaction_end(XactEvent event, void *arg);
static void at_subtransaction_end(SubXactEvent event, SubTransactionId id,
								  SubTransactionId parent, void *arg);
static bool may_exist(bool failed);

/* Blocks of temporary files written when we looked last. */
static int64 seen_blocks;

/* Some could not be deleted yet when a subtransaction failed. */
static bool postponed = false;

void
ribbon_leftover_init(void)
{
	seen_blocks = pgBufferUsage.temp_blks_written;
	RegisterXactCallback(at_transaction_end, NULL);
	RegisterSubXactCallback(at_subtransaction_end, NULL);
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
