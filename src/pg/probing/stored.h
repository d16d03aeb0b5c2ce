/*
 * stored.h - stored filters and maps: in slices, or in a cache
 *
 * A stored datum is a pointer to chunks in a TOAST table
 * (VARATT_IS_EXTERNAL_ONDISK).
 *
 *	 slice.c		reads what a probe needs of it
 *	 storedcost.c	adds up what that has cost, until it pays to read it whole
 *	 storedcache.c	the cache of those that were read whole
 *	 storedentry.c	one of them: reads it, and looks whether it still is what
 *					was read
 *	 snapshot.c		what makes sure that it is, meanwhile
 *
 * The cache uses the others; snapshot.c calls it back.
 */
#ifndef RIBBON_STORED_H
#define RIBBON_STORED_H

#include "ribbon_pg.h"

#include "access/genam.h"
#include "executor/tuptable.h"
#include "lib/ilist.h"
#include "utils/snapshot.h"

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

/* storedentry.c: one in memory, in a context of its own with its bytes */
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
 * Read a datum whole, in a context below the current one.  NULL if the held
 * snapshot does not protect it.  If reading fails, nothing has happened.
 */
extern RibbonStoredEntry *ribbon_storedentry_read(RibbonSqlType type,
												  struct varlena *stored);

/*
 * Have the held snapshot protect an entry.  Returns false if it does not, for
 * it may not see the datum that was read.
 */
extern bool ribbon_storedentry_protect(RibbonStoredEntry *entry);

/*
 * storedcost.c: what is known of a stored datum that has been probed; a hash
 * table of these
 */
typedef struct RibbonStoredCost
{
	varatt_external id;
	char status;   /* the hash table's */
	uint32 chunks; /* cost of its probes in slices, as chunks of a whole */
	uint64 since;  /* by the cache's clock: when it was last set to 0 */
	RibbonStoredEntry *entry; /* NULL: not in the cache */
} RibbonStoredCost;

typedef struct ribbon_costs_hash RibbonStoredCosts;

extern RibbonStoredCosts *ribbon_storedcost_create(MemoryContext context);

/* Is it time to forget them? */
extern bool ribbon_storedcost_are_many(const RibbonStoredCosts *costs);

/* That of a datum; a new one if there is none.  Others may move then. */
extern RibbonStoredCost *ribbon_storedcost_find(RibbonStoredCosts *costs,
												const varatt_external *id,
												uint64 clock);

/* Count from 0 again. */
extern void ribbon_storedcost_reset(RibbonStoredCost *cost, uint64 clock);

/*
 * Add the cost of nprobes probes in slices, and return true.  Or return false,
 * and add nothing, if reading the whole datum costs no more than probes have,
 * or than these would; or if it is compressed, and has no slices.
 */
extern bool ribbon_storedcost_charge(RibbonStoredCost *cost, unsigned nprobes);

/* The one found last, while it can be used without another look; or NULL. */
extern RibbonStoredEntry *ribbon_storedcache_last;

/*
 * The filter or map of a datum, if that is stored and the one found last; else
 * NULL.  Once per row.
 */
static inline const RibbonFilter *
ribbon_storedcache_find_last(RibbonSqlType type, struct varlena *datum)
{
	const RibbonStoredEntry *last = ribbon_storedcache_last;

	if (last == NULL || last->type != type ||
		!VARATT_IS_EXTERNAL_ONDISK(datum) ||
		memcmp(VARDATA_EXTERNAL(datum), &last->id, sizeof(last->id)) != 0)
		return NULL;
	return last->filter;
}

/*
 * snapshot.c: a registered snapshot, which protects the stored data that it
 * sees from being removed.
 */

/*
 * Register a callback for the ends of portals.  released is called whenever the
 * snapshot is not held any more, and must not throw.
 */
extern void ribbon_snapshot_init(void (*released)(void));

/*
 * Hold the active snapshot, which must be an MVCC one, unless one is held that
 * protects as much.  It is held until the portal or the client's message ends.
 * Returns the number of the held one: data that were seen under this number are
 * protected as long as it stays the same.
 */
extern uint64 ribbon_snapshot_hold(void);

/*
 * Before a transaction commits: release the snapshot.  When it aborts: forget
 * it; the server releases it.  Both may be called if none is held.
 */
extern void ribbon_snapshot_release(void);
extern void ribbon_snapshot_forget(void);

/*
 * slice.c
 */

/* A scan of the TOAST table's index, which is begun when it is needed. */
typedef struct RibbonChunkScan
{
	Relation *indexes; /* NULL: not open yet */
	int nindexes;
	int valid;			/* the one of them to use */
	IndexScanDesc scan; /* NULL: not begun yet */
	int64 at;			/* chunk that it is at, or -1 */
	int64 end;			/* chunk that it may get to, or -1 */
} RibbonChunkScan;

/* A stored datum that is open for reading in slices. */
typedef struct RibbonSlices
{
	varatt_external pointer;
	int64 size; /* of its data */
	Relation toast;
	bool by_index;		  /* we read its chunks; else its access method does */
	RibbonChunkScan scan; /* by_index, as the next three */
	int64 chunk;		  /* chunk that data are the bytes of, or -1 */
	const uint8_t *data;
	TupleTableSlot *slot; /* its row, with its buffer pinned */
	union
	{
		struct varlena header;
		char bytes[VARHDRSZ + RIBBON_MAX_SLICE];
	} copy; /* slices that are in several chunks */
} RibbonSlices;

/*
 * Open a stored datum, which must not be compressed if it is to be read.  After
 * an error, the server releases what it holds.
 */
extern void ribbon_slice_open(RibbonSlices *slices,
							  const varatt_external *pointer);

/* A RibbonFetch, whose arg is RibbonSlices. */
extern const uint8_t *ribbon_slice_fetch(void *arg, uint64_t at, size_t length);

extern void ribbon_slice_close(RibbonSlices *slices);

/*
 * Does this MVCC snapshot see the datum, which may be compressed?  Sets *author
 * to the transaction that inserted it.  If only the TOAST table's access method
 * can read its chunks, neither is known: true, and an invalid author.
 */
extern bool ribbon_slice_sees(const varatt_external *pointer, Snapshot snapshot,
							  TransactionId *author);

#endif /* RIBBON_STORED_H */
