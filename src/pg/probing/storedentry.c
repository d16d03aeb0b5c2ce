/*
 * storedentry.c - a stored filter or map that was read whole, and for how long
 * it is the one that its TOAST pointer names
 *
 * The pointer must not go to another datum meanwhile.  A snapshot that is held
 * sees to that (snapshot.c), for one statement.  Another statement of the
 * transaction holds another snapshot.  It uses an entry from before if its
 * snapshot sees the datum, too, and the transaction that inserted it is still
 * the same: that one cannot have inserted two under one id, for vacuum waits
 * for its end.  This costs a look at the datum's first chunk for each filter
 * and statement.
 */
#include "probing/stored.h"

#include "access/detoast.h"
#include "server/server.h"
#include "type/type.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

bool
ribbon_storedentry_protect(RibbonStoredEntry *entry)
{
	uint64 snapshot = ribbon_snapshot_hold();
	TransactionId author;

	if (entry->snapshot == snapshot)
		return true;
	if (!TransactionIdIsValid(entry->author) ||
		!ribbon_slice_sees(&entry->id, GetActiveSnapshot(), &author) ||
		author != entry->author)
		return false;
	entry->snapshot = snapshot;
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
	ribbon_datum_open(type,
					  VARATT_EXTERNAL_IS_COMPRESSED(*id) ?
						  detoast_attr(stored) :
						  ribbon_detoast_pointer(id),
					  &opened);
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
	uint64 snapshot = ribbon_snapshot_hold();
	MemoryContext context;
	RibbonStoredEntry *entry;
	varatt_external id;
	TransactionId author;

	VARATT_EXTERNAL_GET_POINTER(id, stored);
	if (!ribbon_slice_sees(&id, GetActiveSnapshot(), &author))
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
	entry->size = MemoryContextMemAllocated(context, true);
	return entry;
}
