/*
 * storedentry.c - a stored filter or map that was read whole, and for how long
 * it is the one that its TOAST pointer names
 *
 * A TOAST pointer names a datum: table, id and size.  When the datum has been
 * deleted and vacuumed away, another one may get its id.  That does not happen
 * while a snapshot that sees the first one is registered.  So one is registered
 * here: from when it has seen the datum until the active portal ends, or the
 * client's message does if that is sooner.  In between it is the same datum,
 * and no look at it is needed, however many rows are probed.
 *
 * A portal has a snapshot of its own for as long.  So ours holds back neither
 * VACUUM nor a standby's replay between the statements of a transaction.  If it
 * were held to the end of the transaction, as that of an open large object is,
 * it would; and a standby ends sessions that are idle with an old snapshot.
 *
 * Another statement of the transaction holds another snapshot.  It uses an
 * entry from before if its snapshot sees the datum, too, and the transaction
 * that inserted it is still the same: that one cannot have inserted two under
 * one id, for vacuum waits for its end.  This costs a look at the datum's first
 * chunk for each filter and statement.
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

#include "access/detoast.h"
#include "access/transam.h"
#include "probing/slice.h"
#include "server/server.h"
#include "tcop/pquery.h"
#include "type/type.h"
#include "utils/memutils.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

RibbonStoredEntry *ribbon_storedentry_last;

/* The snapshot that protects entries. */
static struct
{
	Snapshot snapshot;	  /* registered, or NULL */
	ResourceOwner portal; /* that it is held for; NULL: for no portal */
	uint64 number;		  /* counts snapshots that were held */
	MemoryContextCallback message; /* of the client's; func NULL: not set */
} held;

void
ribbon_storedentry_forget_last(void)
{
	ribbon_storedentry_last = NULL;
}

void
ribbon_storedentry_release(bool forget)
{
	Snapshot snapshot = held.snapshot;

	held.snapshot = NULL;
	ribbon_storedentry_forget_last();
	if (snapshot != NULL && !forget)
		UnregisterSnapshotFromOwner(snapshot, TopTransactionResourceOwner);
}

/* The server is going to wait for another message, if any. */
static void
message_ends(void *arg)
{
	held.message.func = NULL;
	ribbon_storedentry_release(false);
}

/* The portal may end, and with it the statement. */
static void
owner_is_released(ResourceReleasePhase phase, bool commit, bool top_level,
				  void *arg)
{
	if (phase == RESOURCE_RELEASE_BEFORE_LOCKS && !top_level &&
		held.snapshot != NULL && held.portal == CurrentResourceOwner)
		ribbon_storedentry_release(false);
}

void
ribbon_storedentry_init(void)
{
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
 * Hold the active snapshot unless one is held that protects as much, and return
 * the number of the held one: data that were seen under this number are
 * protected as long as it stays the same.
 *
 * An older snapshot, which may be active again, protects all that a newer one
 * does.  But what it sees may have been deleted for the newer one.
 */
static uint64
hold_snapshot(void)
{
	Snapshot active = GetActiveSnapshot();

	if (held.snapshot != NULL &&
		!TransactionIdPrecedes(active->xmin, held.snapshot->xmin))
		return held.number;
	ribbon_storedentry_release(false);
	held.portal = ActivePortal != NULL ? ActivePortal->resowner : NULL;
	if (MessageContext != NULL && held.message.func == NULL)
	{
		held.message.func = message_ends;
		MemoryContextRegisterResetCallback(MessageContext, &held.message);
	}
	held.number++;
	held.snapshot = register_copy(active);
	return held.number;
}

bool
ribbon_storedentry_protect(RibbonStoredEntry *entry)
{
	uint64 snapshot = hold_snapshot();
	TransactionId author;

	if (entry->snapshot != snapshot &&
		(!TransactionIdIsValid(entry->author) ||
		 !ribbon_slice_sees(&entry->id, &author) || author != entry->author))
		return false;
	entry->snapshot = snapshot;
	ribbon_storedentry_last = entry;
	return true;
}

/* Open the datum in this context, with a name for those who look at memory. */
static const RibbonFilter *
open_whole(RibbonSqlType type, const varatt_external *id,
		   struct varlena *stored, MemoryContext context)
{
	MemoryContext old_context = MemoryContextSwitchTo(context);
	RibbonFilter opened;
	RibbonFilter *filter;

	MemoryContextSetIdentifier(context,
							   psprintf("%s %u of TOAST table %u",
										ribbon_sqltype_name(type),
										id->va_valueid, id->va_toastrelid));
	ribbon_datum_open(type, ribbon_detoast(stored), &opened);
	filter = palloc(ribbon_filter_size(&opened));
	memcpy(filter, &opened, ribbon_filter_size(&opened));
	MemoryContextSwitchTo(old_context);
	return filter;
}

/*
 * The datum may have come from an older snapshot, of a cursor that is closed
 * before the statement ends.
 */
RibbonStoredEntry *
ribbon_storedentry_read(RibbonSqlType type, struct varlena *stored)
{
	uint64 snapshot = hold_snapshot();
	MemoryContext context;
	RibbonStoredEntry *entry;
	varatt_external id;
	TransactionId author;

	VARATT_EXTERNAL_GET_POINTER(id, stored);
	if (!ribbon_slice_sees(&id, &author))
		return NULL;
	context = AllocSetContextCreate(CurrentMemoryContext, "ribbon filter",
									ALLOCSET_SMALL_SIZES);
	entry = MemoryContextAlloc(context, sizeof(RibbonStoredEntry));
	*entry = (RibbonStoredEntry){
		.filter = open_whole(type, &id, stored, context),
		.type = type,
		.id = id,
		.author = author,
		.snapshot = snapshot,
		.context = context,
	};
	ribbon_storedentry_last = entry;
	return entry;
}
