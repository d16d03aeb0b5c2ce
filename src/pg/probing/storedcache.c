/*
 * storedcache.c - stored filters and maps that have been read whole
 *
 * When the probes of a filter in slices have cost as much as reading it would
 * (probecost.c), it is read, and kept.
 *
 * How long?  A filter is kept under its value's TOAST pointer, which must not
 * go to another value meanwhile.  A snapshot that is held sees to that
 * (snapshot.c), for one statement.  Another statement of the transaction holds
 * another snapshot.  It uses what was kept before if its snapshot sees the
 * value, too, and the transaction that inserted it is still the same: that one
 * cannot have inserted two under one id, for vacuum waits for its end.  This
 * costs a look at the value's first chunk for each filter and statement.
 *
 * Nothing is kept where the server may let snapshots get too old
 * (old_snapshot_threshold), for such a one protects nothing.
 *
 * Three things do not wait for snapshots, and then all is forgotten: a
 * subtransaction is rolled back, whose own values are dead at once; a table is
 * given new contents, which a transaction may do at once to one of its own; and
 * the transaction ends.
 *
 * All call sites of a query share what is kept, also those of functions that it
 * calls, which each have a life of their own.
 *
 * How much?  As much as a hash table may take, but one filter is kept whatever
 * its size.  If there is no room for another one, it replaces one that was not
 * probed since the other's cost began to be counted; while all that are kept
 * are in use, it stays in slices.  To replace the least recently used one would
 * be worse: a nested loop that goes round more filters than fit would find none
 * kept.
 *
 * A map is kept as a filter is, and "filter" stands for both below.
 */
#include "probing/probing.h"

#include "access/detoast.h"
#include "access/xact.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "server/server.h"
#include "type/type.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

/* Kept filters that are looked at for one to give up. */
#define MAX_CANDIDATES 8

/* A filter in memory.  It and its bytes are in a context of their own. */
struct RibbonCachedDatum
{
	dlist_node node;
	varatt_external id;
	TransactionId author; /* that inserted the value; or invalid: unknown */
	uint64 held;		  /* number of the held snapshot that has seen it */
	uint64 last_used;
	size_t size;
	MemoryContext context;
	RibbonSqlType type;
	RibbonFilter *value;
};
typedef struct RibbonCachedDatum CachedDatum;

/* All of it.  It lives in a context of its own, below the transaction's. */
typedef struct StoredCache
{
	MemoryContext context;
	MemoryContextCallback callback;
	bool stale; /* forget all, next time */
	struct probecosts_hash *costs;
	dlist_head filters; /* CachedDatum, in no particular order */
	CachedDatum *last;	/* the one found last, or NULL */
	size_t size;		/* of all of them */
	uint64 clock;		/* counts calls */
} StoredCache;

static StoredCache *cache;
static bool ending; /* the transaction is: keep nothing any more */
RibbonStoredLast ribbon_storedcache_last;

/* Remember the filter found last; or forget it (NULL). */
static void
set_last(CachedDatum *filter)
{
	if (cache != NULL)
		cache->last = filter;
	ribbon_storedcache_last.opened = NULL;
	if (filter == NULL)
		return;
	ribbon_storedcache_last.id = filter->id;
	ribbon_storedcache_last.type = filter->type;
	ribbon_storedcache_last.opened = filter->value;
}

/* The context goes away, and everything with it. */
static void
forget_all(void *arg)
{
	(void) arg;
	cache = NULL;
	set_last(NULL);
}

/* Start with nothing. */
static void
start_anew(void)
{
	MemoryContext context;
	StoredCache *fresh;

	if (cache != NULL)
		MemoryContextDelete(cache->context);
	context = AllocSetContextCreate(TopTransactionContext, "ribbon filters",
									ALLOCSET_SMALL_SIZES);
	fresh = MemoryContextAllocZero(context, sizeof(StoredCache));
	fresh->context = context;
	fresh->costs = ribbon_probecost_table(context);
	dlist_init(&fresh->filters);
	fresh->callback.func = forget_all;
	MemoryContextRegisterResetCallback(context, &fresh->callback);
	cache = fresh;
}

static void
evict(CachedDatum *filter)
{
	RibbonProbeCost *cost = ribbon_probecost_find(cache->costs, &filter->id,
												  cache->clock);

	if (cache->last == filter)
		set_last(NULL);
	cache->size -= filter->size;
	dlist_delete(&filter->node);
	cost->cached = NULL;
	ribbon_probecost_reset(cost, cache->clock);
	MemoryContextDelete(filter->context);
}

/*
 * Does this filter fit?  A small one is little more than what is known of it.
 * (That is why a few thousand fit at most, and always far fewer than costs.)
 */
static bool
has_room(const RibbonProbeCost *cost)
{
	size_t size = (size_t) cost->id.va_rawsize + sizeof(CachedDatum);

	return cache->size == 0 || cache->size + size <= get_hash_memory_limit();
}

/*
 * Give up filters until this one fits, as long as they were not in use since
 * its cost was begun; else begin its cost anew.
 */
static bool
make_room(RibbonProbeCost *cost)
{
	for (int i = 0; i < MAX_CANDIDATES && !has_room(cost); i++)
	{
		CachedDatum *candidate = dlist_head_element(CachedDatum, node,
													&cache->filters);

		/* look at the others first, next time */
		dlist_delete(&candidate->node);
		dlist_push_tail(&cache->filters, &candidate->node);
		if (candidate->last_used < cost->since)
			evict(candidate);
	}
	if (has_room(cost))
		return true;
	ribbon_probecost_reset(cost, cache->clock);
	return false;
}

/* Is it the value that has been read?  If so, it is protected from now on. */
static bool
is_same(CachedDatum *filter)
{
	uint64 held = ribbon_snapshot_hold();
	TransactionId author;

	if (filter->held == held)
		return true;
	if (!TransactionIdIsValid(filter->author) ||
		!ribbon_slice_sees(&filter->id, GetActiveSnapshot(), &author) ||
		author != filter->author)
		return false;
	filter->held = held;
	return true;
}

/*
 * Read a filter and keep it, if its value is one that the snapshot protects: it
 * may have come from an older one, of a cursor that is closed before the
 * statement ends.  If reading fails, nothing has happened.
 */
static bool
keep(RibbonProbeCost *cost, RibbonSqlType type, struct varlena *value)
{
	MemoryContext context;
	MemoryContext old_context;
	RibbonFilter opened;
	CachedDatum *filter;
	struct varlena *whole;
	TransactionId author;
	uint64 held = ribbon_snapshot_hold();

	if (!ribbon_slice_sees(&cost->id, GetActiveSnapshot(), &author))
	{
		ribbon_probecost_reset(cost, cache->clock);
		return false;
	}

	context = AllocSetContextCreate(CurrentMemoryContext, "ribbon filter",
									ALLOCSET_SMALL_SIZES);
	old_context = MemoryContextSwitchTo(context);
	MemoryContextSetIdentifier(context,
							   psprintf("%s %u of TOAST table %u",
										ribbon_sqltype_name(type),
										cost->id.va_valueid,
										cost->id.va_toastrelid));
	if (VARATT_EXTERNAL_IS_COMPRESSED(cost->id))
		whole = detoast_attr(value);
	else
		whole = ribbon_detoast_pointer(&cost->id);
	ribbon_datum_open(type, (const uint8_t *) VARDATA_ANY(whole),
					  VARSIZE_ANY_EXHDR(whole), &opened);
	filter = palloc(sizeof(CachedDatum));
	filter->type = type;
	filter->value = palloc(ribbon_filter_size(&opened));
	memcpy(filter->value, &opened, ribbon_filter_size(&opened));
	MemoryContextSwitchTo(old_context);

	filter->id = cost->id;
	filter->author = author;
	filter->held = held;
	filter->size = MemoryContextMemAllocated(context, true);
	filter->context = context;
	MemoryContextSetParent(context, cache->context);
	dlist_push_tail(&cache->filters, &filter->node);
	cache->size += filter->size;
	cost->cached = filter;
	return true;
}

static CachedDatum *
find_filter(RibbonSqlType type, struct varlena *value,
			const varatt_external *id, unsigned nprobes)
{
	RibbonProbeCost *cost = ribbon_probecost_find(cache->costs, id,
												  cache->clock);

	/* (of another type only if there is a cast between the two) */
	if (cost->cached != NULL &&
		(cost->cached->type != type || !is_same(cost->cached)))
		evict(cost->cached);
	if (cost->cached == NULL &&
		(!ribbon_probecost_charge(cost, nprobes) || !make_room(cost) ||
		 !keep(cost, type, value)))
		return NULL;
	cost->cached->last_used = cache->clock;
	set_last(cost->cached);
	return cost->cached;
}

const RibbonFilter *
ribbon_storedcache_find(RibbonSqlType type, struct varlena *value,
						unsigned nprobes)
{
	varatt_external id;
	CachedDatum *found;

	VARATT_EXTERNAL_GET_POINTER(id, value);
	if (unlikely(ending || ribbon_snapshots_expire() || !ActiveSnapshotSet() ||
				 GetActiveSnapshot()->snapshot_type != SNAPSHOT_MVCC))
		return NULL;
	if (unlikely(cache == NULL || cache->stale ||
				 ribbon_probecost_are_many(cache->costs)))
		start_anew();

	/* the last one has been in use until now, which was not written down */
	cache->clock++;
	if (cache->last != NULL)
		cache->last->last_used = cache->clock;
	found = find_filter(type, value, &id, nprobes);
	return found == NULL ? NULL : found->value;
}

/*
 * A statement has ended, if this was its portal's.  What is kept stays, but the
 * next statement has to look at it.
 */
static void
owner_released(ResourceReleasePhase phase, bool commit, bool top_level,
			   void *arg)
{
	(void) commit;
	(void) arg;
	if (phase == RESOURCE_RELEASE_BEFORE_LOCKS && !top_level &&
		ribbon_snapshot_is_held_until(CurrentResourceOwner))
	{
		set_last(NULL);
		ribbon_snapshot_release();
	}
}

/*
 * What is registered must be given back before a transaction commits.  One that
 * aborts has done so for us.
 */
static void
transaction_ends(XactEvent event, void *arg)
{
	(void) arg;
	ending = event == XACT_EVENT_PRE_COMMIT ||
		event == XACT_EVENT_PARALLEL_PRE_COMMIT ||
		event == XACT_EVENT_PRE_PREPARE;
	set_last(NULL);
	if (ending && cache != NULL)
		MemoryContextDelete(cache->context);
	if (ending)
		ribbon_snapshot_release();
	else
		ribbon_snapshot_forget();
}

static void
subtransaction_ends(SubXactEvent event, SubTransactionId id,
					SubTransactionId parent, void *arg)
{
	(void) id;
	(void) parent;
	(void) arg;
	if (event == SUBXACT_EVENT_ABORT_SUB && cache != NULL)
		MemoryContextDelete(cache->context);
}

/* Something about this table, or any, changed: its contents, perhaps. */
static void
table_changed(Datum arg, Oid toast)
{
	dlist_iter iter;

	(void) arg;
	if (cache == NULL)
		return;
	dlist_foreach(iter, &cache->filters)
	{
		CachedDatum *filter = dlist_container(CachedDatum, node, iter.cur);

		/* not at once: it may be while tables are opened to read a filter */
		if (!OidIsValid(toast) || filter->id.va_toastrelid == toast)
		{
			cache->stale = true;
			set_last(NULL);
		}
	}
}

void
ribbon_storedcache_init(void)
{
	RegisterResourceReleaseCallback(owner_released, NULL);
	RegisterXactCallback(transaction_ends, NULL);
	RegisterSubXactCallback(subtransaction_ends, NULL);
	CacheRegisterRelcacheCallback(table_changed, (Datum) 0);
}
