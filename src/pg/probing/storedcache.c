/*
 * storedcache.c - a cache of stored filters and maps that were read whole
 *
 * Which?  A query that probes one filter ten million times must not read it ten
 * million times, and one that probes ten thousand filters once each should not
 * read any.  Which of the two a query is shows only while it runs.  So the
 * first probes of a filter are made in slices (slice.c), and their cost is
 * added up.  When it is that of reading the filter, it is read.  Whatever is
 * asked of it later, that costs at most about twice as much as knowing it
 * beforehand would have.
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
#include "access/heaptoast.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "compatcalls.h"
#include "miscadmin.h"
#include "probing/cost.h"
#include "probing/probing.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/snapmgr.h"

/* Entries that are looked at for one to evict. */
#define MAX_CANDIDATES 8

/* What is known of a filter that has been probed; a hash table of these. */
typedef struct StoredCost
{
	varatt_external id;
	char status;   /* the hash table's */
	uint32 chunks; /* cost of its probes in slices, as chunks of a whole */
	uint64 since;  /* by the cache's clock: when it was last set to 0 */
	RibbonStoredEntry *entry; /* NULL: not in the cache */
} StoredCost;

#define SH_PREFIX		costs
#define SH_ELEMENT_TYPE StoredCost
#define SH_KEY_TYPE		varatt_external
#define SH_KEY			id
#define SH_HASH_KEY(table, key) \
	murmurhash32((key).va_valueid ^ ((key).va_toastrelid << 7))
#define SH_EQUAL(table, a, b) (memcmp(&(a), &(b), sizeof(a)) == 0)
#define SH_SCOPE			  static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* The cache, in a context of its own below the transaction's. */
typedef struct StoredCache
{
	MemoryContext context;
	MemoryContextCallback callback;
	bool stale;			/* to be emptied before it is used again */
	costs_hash *costs;	/* of all that were probed */
	dlist_head entries; /* in no particular order */
	size_t size;		/* of all entries */
	uint64 clock;		/* counts calls */
} StoredCache;

static StoredCache *cache; /* or NULL */
static bool ending;		   /* the transaction is: cache nothing any more */

/* The cache's context goes away, and everything with it. */
static void
context_is_deleted(void *arg)
{
	cache = NULL;
	ribbon_storedentry_forget_last();
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
	fresh->costs = costs_create(context, 8, NULL);
	dlist_init(&fresh->entries);
	fresh->callback.func = context_is_deleted;
	MemoryContextRegisterResetCallback(context, &fresh->callback);
	cache = fresh;
}

/* Count from 0 again. */
static void
reset_cost(StoredCost *cost)
{
	cost->chunks = 0;
	cost->since = cache->clock;
}

/*
 * Add the cost of nprobes probes in slices, and return true.  Or return false,
 * and add nothing, if reading the whole filter costs no more than probes have,
 * or than these would without the first; or if it is compressed, and has no
 * slices.
 */
static bool
charge_probes(StoredCost *cost, unsigned nprobes)
{
	uint32 whole = VARATT_EXTERNAL_GET_EXTSIZE(cost->id) / TOAST_MAX_CHUNK_SIZE;

	whole = Max(whole, 1); /* one probe of a small filter is no reason */
	if (VARATT_EXTERNAL_IS_COMPRESSED(cost->id) || cost->chunks >= whole ||
		RIBBON_COST_PROBE_CHUNKS * (uint64) nprobes >=
			whole + RIBBON_COST_PROBE_CHUNKS)
		return false;
	cost->chunks += RIBBON_COST_OPEN_CHUNKS +
		RIBBON_COST_PROBE_CHUNKS * nprobes;
	return true;
}

/* Are more counted than there is memory for?  Then all are forgotten. */
static bool
are_costs_many(void)
{
	return cache->costs->members >=
		Max(get_hash_memory_limit() / 8 / sizeof(StoredCost), 1000);
}

static void
evict(RibbonStoredEntry *entry)
{
	StoredCost *cost = costs_lookup(cache->costs, entry->id);

	ribbon_storedentry_forget_last();
	cache->size -= MemoryContextMemAllocated(entry->context, true);
	dlist_delete(&entry->node);
	cost->entry = NULL;
	reset_cost(cost);
	MemoryContextDelete(entry->context);
}

/*
 * Does this filter fit?  An entry takes memory, too: that of a small filter as
 * much as the filter.  (So a few thousand fit at most, and always far fewer
 * than there are costs counted.)
 */
static bool
has_room(const StoredCost *cost)
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
make_cache_room(StoredCost *cost)
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
	reset_cost(cost);
	return false;
}

/* Read a filter into the cache; or count its cost anew: nothing protects it. */
static bool
add_entry(StoredCost *cost, RibbonSqlType type, struct varlena *stored)
{
	RibbonStoredEntry *entry = ribbon_storedentry_read(type, stored);

	if (entry == NULL)
	{
		reset_cost(cost);
		return false;
	}
	MemoryContextSetParent(entry->context, cache->context);
	dlist_push_tail(&cache->entries, &entry->node);
	cache->size += MemoryContextMemAllocated(entry->context, true);
	cost->entry = entry;
	return true;
}

const RibbonFilter *
ribbon_storedcache_find(RibbonSqlType type, struct varlena *stored,
						unsigned nprobes)
{
	StoredCost *cost;
	varatt_external id;
	bool found;

	if (unlikely(ending || ribbon_snapshots_expire() || !ActiveSnapshotSet() ||
				 GetActiveSnapshot()->snapshot_type != SNAPSHOT_MVCC))
		return NULL;
	if (unlikely(cache != NULL && (cache->stale || are_costs_many())))
		empty_cache();
	if (unlikely(cache == NULL))
		create_cache();

	/* the last one has been in use until now, which was not written down */
	cache->clock++;
	if (ribbon_storedentry_last != NULL)
		ribbon_storedentry_last->last_used = cache->clock;

	VARATT_EXTERNAL_GET_POINTER(id, stored);
	cost = costs_insert(cache->costs, id, &found);
	if (!found)
	{
		cost->entry = NULL;
		reset_cost(cost);
	}
	/* (of another type only if there is a cast between the two) */
	if (cost->entry != NULL &&
		(cost->entry->type != type || !ribbon_storedentry_protect(cost->entry)))
		evict(cost->entry);
	if (cost->entry == NULL &&
		(charge_probes(cost, nprobes) || !make_cache_room(cost) ||
		 !add_entry(cost, type, stored)))
		return NULL;
	cost->entry->last_used = cache->clock;
	return cost->entry->filter;
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
		empty_cache();
	ribbon_storedentry_release(!ending);
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
			ribbon_storedentry_forget_last();
		}
	}
}

void
ribbon_storedcache_init(void)
{
	ribbon_storedentry_init();
	RegisterXactCallback(transaction_ends, NULL);
	RegisterSubXactCallback(subtransaction_ends, NULL);
	CacheRegisterRelcacheCallback(table_changed, (Datum) 0);
}
