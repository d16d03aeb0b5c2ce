/*
 * snapshot.c - a registered snapshot that protects stored data
 *
 * A TOAST pointer names a datum: table, id and size.  When the datum has been
 * deleted and vacuumed away, another one may get its id.  That does not happen
 * while a snapshot that sees the first one is registered.  So the cache of
 * stored data (storedcache.c) has one registered here: from when it has seen
 * the datum until the active portal ends, or the client's message does if that
 * is sooner.  In between it is the same datum, and no look at it is needed,
 * however many rows are probed.
 *
 * A portal has a snapshot of its own for as long.  So ours holds back neither
 * VACUUM nor a standby's replay between the statements of a transaction.  If it
 * were held to the end of the transaction, as that of an open large object is,
 * it would; and a standby ends sessions that are idle with an old snapshot.
 *
 * The end of the message matters in two cases.  In the extended protocol a
 * portal stays when its statement is done, until another takes its place.  And
 * while a statement is planned, which may call functions, there is no portal.
 * (A background worker has no messages, but a transaction for each task.)
 *
 * The snapshot is registered with the transaction's resource owner, because
 * nothing can be taken from a portal's while that is being released.
 */
#include "probing/stored.h"

#include "access/transam.h"
#include "tcop/pquery.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

static Snapshot held;			 /* registered, or NULL */
static ResourceOwner portal;	 /* that it is held for; NULL: for no portal */
static uint64 number;			 /* counts snapshots that were held */
static void (*on_release)(void); /* of ribbon_snapshot_init */
static MemoryContextCallback message;
static bool expects_message_end; /* message is registered */

/* The server is going to wait for another message, if any. */
static void
message_ends(void *arg)
{
	expects_message_end = false;
	ribbon_snapshot_release();
}

static void
expect_message_end(void)
{
	if (MessageContext == NULL || expects_message_end)
		return;
	message.func = message_ends;
	MemoryContextRegisterResetCallback(MessageContext, &message);
	expects_message_end = true;
}

/* The portal may end, and with it the statement. */
static void
owner_is_released(ResourceReleasePhase phase, bool commit, bool top_level,
				  void *arg)
{
	if (phase == RESOURCE_RELEASE_BEFORE_LOCKS && !top_level && held != NULL &&
		portal == CurrentResourceOwner)
		ribbon_snapshot_release();
}

void
ribbon_snapshot_init(void (*released)(void))
{
	on_release = released;
	RegisterResourceReleaseCallback(owner_is_released, NULL);
}

/*
 * A copy, since the code that has made a snapshot active may give it another
 * command id while it is not registered (UpdateActiveSnapshotCommandId).
 */
static Snapshot
register_copy(Snapshot snapshot)
{
	PushCopiedSnapshot(snapshot);
	snapshot = RegisterSnapshotOnOwner(GetActiveSnapshot(),
									   TopTransactionResourceOwner);
	PopActiveSnapshot();
	return snapshot;
}

/*
 * An older snapshot, which may be active again, protects all that a newer one
 * does.  But what it sees may have been deleted for the newer one.
 */
uint64
ribbon_snapshot_hold(void)
{
	Snapshot active = GetActiveSnapshot();

	if (held == NULL)
	{
		portal = ActivePortal != NULL ? ActivePortal->resowner : NULL;
		expect_message_end();
	}
	else if (!TransactionIdPrecedes(active->xmin, held->xmin))
		return number;
	else
		ribbon_snapshot_release();
	number++;
	held = register_copy(active);
	return number;
}

void
ribbon_snapshot_release(void)
{
	Snapshot snapshot = held;

	ribbon_snapshot_forget();
	if (snapshot != NULL)
		UnregisterSnapshotFromOwner(snapshot, TopTransactionResourceOwner);
}

void
ribbon_snapshot_forget(void)
{
	held = NULL;
	on_release();
}
