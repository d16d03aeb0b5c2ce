/*
 * stored.h - stored filters and maps that were read whole
 *
 *	 storedcache.c	which of them
 *	 storedentry.c	one of them, and for how long it is the one that its TOAST
 *					pointer names
 */
#ifndef RIBBON_STORED_H
#define RIBBON_STORED_H

#include "ribbon_pg.h"

#include "lib/ilist.h"

/*
 * storedentry.c
 */

/* In a context of its own, with its bytes. */
typedef struct RibbonStoredEntry
{
	const RibbonFilter *filter;
	RibbonSqlType type;
	varatt_external id;
	TransactionId author; /* that inserted the datum; or invalid: unknown */
	uint64 snapshot;	  /* number of the held snapshot that has seen it */
	MemoryContext context;

	/* the cache's */
	dlist_node node;
	uint64 last_used; /* by its clock */
} RibbonStoredEntry;

/*
 * The one read or protected last, while it can be used without another look;
 * else NULL, as when no snapshot protects entries any more.  To be read only.
 */
extern RibbonStoredEntry *ribbon_storedentry_last;

/* Let it be NULL: it goes away, or its pointer may name another datum. */
extern void ribbon_storedentry_forget_last(void);

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

/*
 * storedcache.c
 */

/*
 * The filter or map for nprobes probes; NULL if it is to be probed in slices.
 * It is valid until other code is called that may probe stored data.
 */
extern const RibbonFilter *ribbon_storedcache_find(RibbonSqlType type,
												   struct varlena *stored,
												   unsigned nprobes);

/*
 * The filter or map of a datum, if that is stored and the one found last; else
 * NULL.  Once per row.
 */
static inline const RibbonFilter *
ribbon_storedcache_find_last(RibbonSqlType type, Datum datum)
{
	const RibbonStoredEntry *last = ribbon_storedentry_last;
	const struct varlena *pointer =
		(const struct varlena *) DatumGetPointer(datum);

	if (last == NULL || last->type != type ||
		!VARATT_IS_EXTERNAL_ONDISK(pointer) ||
		memcmp(VARDATA_EXTERNAL(pointer), &last->id, sizeof(last->id)) != 0)
		return NULL;
	return last->filter;
}

#endif /* RIBBON_STORED_H */
