/*
 * ends.c - has another transaction ended since?
 *
 * What has been read of the database stays good until a transaction ends that
 * may have changed it, and a snapshot is taken that sees this.  So a number is
 * put on a snapshot, which is higher for one that sees more transactions end.
 * That is how many those are: the ones before its xmax that it does not list as
 * running.  To count them takes no look at the list (ribbon_ends_seen).
 *
 * But while PREPARE TRANSACTION waits for a synchronous standby, its
 * transaction is listed twice, and hides that another has ended.  So where
 * transactions may be prepared, lists are compared instead.
 */
#include "probe/contains.h"

#include "utils/memutils.h"

/* The snapshot asked about last: which transactions it takes for running. */
typedef struct Running
{
	uint32 number;
	TransactionId xmax;
	uint32 count;
	uint32 allocated;
	TransactionId *xids; /* in TopMemoryContext */
} Running;

static Running running;

/*
 * Snapshots that see the same transactions end have the same number one after
 * the other.  One that comes back after another gets a new number, too, which
 * costs a look at the filter's first chunk.
 */
uint32
ribbon_ends_number(Snapshot snapshot)
{
	bool standby = snapshot->takenDuringRecovery;
	uint32 count = standby ? (uint32) snapshot->subxcnt : snapshot->xcnt;
	const TransactionId *xids = standby ? snapshot->subxip : snapshot->xip;

	if (snapshot->xmax == running.xmax && count == running.count &&
		(count == 0 || memcmp(xids, running.xids, count * sizeof(*xids)) == 0))
		return running.number;

	if (count > running.allocated)
	{
		TransactionId *room = MemoryContextAlloc(TopMemoryContext,
												 2 * count * sizeof(*xids));

		if (running.xids != NULL)
			pfree(running.xids);
		running.xids = room;
		running.allocated = 2 * count;
	}
	if (count > 0)
		memcpy(running.xids, xids, count * sizeof(*xids));
	running.xmax = snapshot->xmax;
	running.count = count;
	return ++running.number;
}
