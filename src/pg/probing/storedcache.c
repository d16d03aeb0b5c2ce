/*
 * storedcache.c - a cache of stored filters and maps that were read whole
 *
 * Which?  Those whose probes have cost as much as reading them (storedcost.c).
 *
 * How long?  As long as the filter's TOAST pointer, by which its entry is
 * found, names the same datum (storedentry.c).  Nothing is cached where the
 * server may let snapshots get too old (old_snapshot_threshold): these protect
 * nothing.
 *
 * Three things do not wait for snapshots, and then the cache is emptied: a
 * subtransaction is rolled back, whose own data are dead at once; a table is
 * given new contents, which a transaction may do at once to one of its own; and
 * the transaction ends.
 *
 * All call sites of a query share the cache, also those of functions that it
 * calls, which each have a life of their own.
 *
 * How much?  As much as a hash table may take, but one filter is cached
 * whatever its size.  If there is no room for another one, it replaces one that
 * was not probed since the other's cost began to be counted; while all entries
 * are in use, the other is probed in slices.  To evict the least recently used
 * one would be worse: a nested loop that goes round more filters than fit would
 * find none in the cache.
 *
 * A map is cached as a filter is, and "filter" stands for both below.
 */
#include "probing/stored.h"

#include "access/detoast.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "probing/probing.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

/* Entries that are looked at for one to evict. */
#define MAX_CANDIDATES 8

/* The cache, in a context of its own below the transaction's. */
typedef struct StoredCache
{
	MemoryContext context;
	MemoryContextCallback callback;
	bool stale;				  /* to be emptied before it is used again */
	RibbonStoredCosts *costs; /* of all that were probed */
	dlist_head entries;		  /* in no particular order */
	size_t size;			  /* of all entries */
	uint64 clock;			  /* counts calls */
} StoredCache;

static StoredCache *cache; /* or NULL */
static bool ending;		   /* the transaction is: cache nothing any more */
RibbonStoredEntry *ribbon_storedcache_last;

static void
forget_last(void)
{
	ribbon_storedcache_last = NULL;
}

/* The cache's context goes away, and everything with it. */
static void
context_is_deleted(void *arg)
{
	cache = NULL;
	forget_last();
}

static void
empty_cache(void)
{
	if (cache != NULL)
		MemoryContextDelete(cache->context);
}

static void
create_cache(void)
{
	MemoryContext context = AllocSetContextCreate(TopTransactionContext,
												  "ribbon filters",
												  ALLOCSET_SMALL_SIZES);
	StoredCache *fresh = MemoryContextAllocZero(context, sizeof(StoredCache));

	fresh->context = context;
	fresh->costs = ribbon_storedcost_create(context);
	dlist_init(&fresh->entries);
	fresh->callback.func = context_is_deleted;
	MemoryContextRegisterResetCallback(context, &fresh->callback);
	cache = fresh;
}

static void
evict(RibbonStoredEntry *entry)
{
	RibbonStoredCost *cost = ribbon_storedcost_find(cache->costs, &entry->id,
													cache->clock);

	if (ribbon_storedcache_last == entry)
		forget_last();
	cache->size -= entry->size;
	dlist_delete(&entry->node);
	cost->entry = NULL;
	ribbon_storedcost_reset(cost, cache->clock);
	MemoryContextDelete(entry->context);
}

/*
 * Does this filter fit?  An entry takes memory, too: that of a small filter as
 * much as the filter.  (So a few thousand fit at most, and always far fewer
 * than there are costs counted.)
 */
static bool
has_room(const RibbonStoredCost *cost)
{
	size_t size = (size_t) cost->id.va_rawsize + sizeof(RibbonStoredEntry);

	return cache->size == 0 || cache->size + size <= get_hash_memory_limit();
}

/*
 * Evict entries until this filter fits, as long as they were not in use since
 * its cost is counted.  Returns false if it does not fit; then its cost is
 * counted anew.
 */
static bool
make_cache_room(RibbonStoredCost *cost)
{
	for (int i = 0; i < MAX_CANDIDATES && !has_room(cost); i++)
	{
		RibbonStoredEntry *candidate =
			dlist_head_element(RibbonStoredEntry, node, &cache->entries);

		/* look at the others first, next time */
		dlist_delete(&candidate->node);
		dlist_push_tail(&cache->entries, &candidate->node);
		if (candidate->last_used < cost->since)
			evict(candidate);
	}
	if (has_room(cost))
		return true;
	ribbon_storedcost_reset(cost, cache->clock);
	return false;
}

/* Read a filter into the cache; or count its cost anew: nothing protects it. */
static bool
add_entry(RibbonStoredCost *cost, RibbonSqlType type, struct varlena *stored)
{
	RibbonStoredEntry *entry = ribbon_storedentry_read(type, stored);

	if (entry == NULL)
	{
		ribbon_storedcost_reset(cost, cache->clock);
		return false;
	}
	MemoryContextSetParent(entry->context, cache->context);
	dlist_push_tail(&cache->entries, &entry->node);
	cache->size += entry->size;
	cost->entry = entry;
	return true;
}

/* A filter, which may be added; NULL: probe it in slices. */
static const RibbonFilter *
find_filter(RibbonSqlType type, struct varlena *stored, unsigned nprobes)
{
	RibbonStoredCost *cost;
	varatt_external id;

	VARATT_EXTERNAL_GET_POINTER(id, stored);
	cost = ribbon_storedcost_find(cache->costs, &id, cache->clock);

	/* (of another type only if there is a cast between the two) */
	if (cost->entry != NULL &&
		(cost->entry->type != type || !ribbon_storedentry_protect(cost->entry)))
		evict(cost->entry);
	if (cost->entry == NULL &&
		(ribbon_storedcost_charge(cost, nprobes) || !make_cache_room(cost) ||
		 !add_entry(cost, type, stored)))
		return NULL;
	cost->entry->last_used = cache->clock;
	ribbon_storedcache_last = cost->entry;
	return cost->entry->filter;
}

const RibbonFilter *
ribbon_storedcache_find(RibbonSqlType type, struct varlena *stored,
						unsigned nprobes)
{
	if (unlikely(ending || ribbon_snapshots_expire() || !ActiveSnapshotSet() ||
				 GetActiveSnapshot()->snapshot_type != SNAPSHOT_MVCC))
		return NULL;
	if (unlikely(cache != NULL &&
				 (cache->stale || ribbon_storedcost_are_many(cache->costs))))
		empty_cache();
	if (unlikely(cache == NULL))
		create_cache();

	/* the last one has been in use until now, which was not written down */
	cache->clock++;
	if (ribbon_storedcache_last != NULL)
		ribbon_storedcache_last->last_used = cache->clock;
	return find_filter(type, stored, nprobes);
}

/*
 * What is registered must be given back before a transaction commits.  The
 * server does it for one that aborts.
 */
static void
transaction_ends(XactEvent event, void *arg)
{
	ending = event == XACT_EVENT_PRE_COMMIT ||
		event == XACT_EVENT_PARALLEL_PRE_COMMIT ||
		event == XACT_EVENT_PRE_PREPARE;
	if (ending)
	{
		empty_cache();
		ribbon_snapshot_release();
	}
	else
		ribbon_snapshot_forget();
}

static void
subtransaction_ends(SubXactEvent event, SubTransactionId id,
					SubTransactionId parent, void *arg)
{
	if (event == SUBXACT_EVENT_ABORT_SUB)
		empty_cache();
}

/* Something about this table, or any, changed: its contents, perhaps. */
static void
table_changed(Datum arg, Oid toast)
{
	dlist_iter iter;

	if (cache == NULL)
		return;
	dlist_foreach(iter, &cache->entries)
	{
		RibbonStoredEntry *entry = dlist_container(RibbonStoredEntry, node,
												   iter.cur);

		/* not at once: it may be while tables are opened to read a filter */
		if (!OidIsValid(toast) || entry->id.va_toastrelid == toast)
		{
			cache->stale = true;
			forget_last();
		}
	}
}

void
ribbon_storedcache_init(void)
{
	/* nothing protects the last one then, until it is looked at again */
	ribbon_snapshot_init(forget_last);
	RegisterXactCallback(transaction_ends, NULL);
	RegisterSubXactCallback(subtransaction_ends, NULL);
	CacheRegisterRelcacheCallback(table_changed, (Datum) 0);
}
