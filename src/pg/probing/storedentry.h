/*
 * storedentry.h - a stored filter or map that was read whole, and for how long
 * it is the one that its TOAST pointer names
 */
#ifndef RIBBON_STOREDENTRY_H
#define RIBBON_STOREDENTRY_H

#include "ribbon_pg.h"

#include "lib/ilist.h"

/* In a context of its own, with its bytes. */
typedef struct RibbonStoredEntry
{
	const RibbonFilter *filter;
	RibbonSqlType type;
	varatt_external id;
	TransactionId author; /* that inserted the datum; or invalid: unknown */
	uint64 snapshot;	  /* number of the held snapshot that has seen it */
	MemoryContext context;
	size_t size; /* of the context */

	/* the cache's */
	dlist_node node;
	uint64 last_used; /* by its clock */
} RibbonStoredEntry;

/*
 * The one found last, while it can be used without another look; else NULL, as
 * when no snapshot protects entries any more.
 */
extern RibbonStoredEntry *ribbon_storedentry_last;

/* When we are loaded. */
extern void ribbon_storedentry_init(void);

/*
 * Read a datum whole, in a context below the current one.  NULL if the held
 * snapshot does not protect it.  If reading fails, nothing has happened.  There
 * must be an active snapshot, an MVCC one.
 */
extern RibbonStoredEntry *ribbon_storedentry_read(RibbonSqlType type,
												  struct varlena *stored);

/*
 * Have the held snapshot protect an entry.  Returns false if it does not, for
 * it may not see the datum that was read.
 */
extern bool ribbon_storedentry_protect(RibbonStoredEntry *entry);

/*
 * Before a transaction commits: release the snapshot, if one is held.  When it
 * aborts: forget it; the server releases it.
 */
extern void ribbon_storedentry_release(bool forget);

#endif /* RIBBON_STOREDENTRY_H */
