/*
 * kept.c - stored filters and maps that are read whole, for the rest of a query
 *
 * A query that probes one stored filter ten million times must not read it ten
 * million times, and one that probes ten thousand filters once each should not
 * read any.  Which of the two a query is shows only while it runs.  So:
 *
 *	 Every stored filter that is probed gets an entry.  Its first probes are
 *	 made in slices (slice.c), and what they cost is added up.  When that is as
 *	 much as reading the filter would have cost, the filter is read, and kept.
 *
 * Whatever is asked of it later, that costs at most about twice as much as
 * knowing it beforehand would have.
 *
 * How long?  A filter is kept under its value's TOAST pointer, which must not
 * go to another value meanwhile.  A snapshot that is held sees to that
 * (held.c), for one statement.  Another statement of the transaction holds
 * another snapshot.  It uses what was kept before if its snapshot sees the
 * value, too, and the transaction that inserted it is still the same: that one
 * cannot have inserted two under one id, for vacuum waits for its end.  This
 * costs a look at the value's first chunk for each filter and statement, unless
 * its snapshot sees the same transactions ended as the one before.
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
 * its size.  If another one would be too many, it takes the place of one that
 * was not probed since the other's entry was made; but while all that are kept
 * are in use, it stays in slices.  That is better than least recently used,
 * which keeps nothing if a nested loop goes round more filters than fit.
 *
 * A map is kept as a filter is, and "filter" stands for both below.
 */
#include "probe/contains.h"

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/xact.h"
#include "common/hashfn.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "server/server.h"
#include "type/type.h"
#include "utils/inval.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"

/*
 * The cost of probing in slices, in chunks read as part of a whole value; a
 * little over two microseconds against a quarter of one.
 */
#define OPEN_COST  4
#define PROBE_COST 4

/* Kept filters that are looked at for one to give up. */
#define MAX_CANDIDATES 8

/* A filter in memory.  It and its bytes are in a context of their own. */
typedef struct KeptFilter
{
	dlist_node node;
	varatt_external id;
	TransactionId author; /* that inserted the value; or invalid: unknown */
	uint64 held;		  /* number of the held snapshot that has seen it */
	uint64 last_used;
	size_t size;
	MemoryContext context;
	RibbonSqlType type;
	void *value; /* a RibbonFilter, or a RibbonMap */
} KeptFilter;

/* What is known of a stored filter. */
typedef struct KeptEntry
{
	varatt_external id;
	char status;	   /* simplehash.h */
	uint32 paid;	   /* for probes in slices */
	uint64 first_seen; /* when we began to count */
	KeptFilter *whole; /* or NULL */
} KeptEntry;

static inline uint32
hash_id(const varatt_external *id)
{
	return murmurhash32(id->va_valueid ^ (id->va_toastrelid << 7));
}

static inline bool
same_id(const varatt_external *a, const varatt_external *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

#define SH_PREFIX				entries
#define SH_ELEMENT_TYPE			KeptEntry
#define SH_KEY_TYPE				varatt_external
#define SH_KEY					id
#define SH_HASH_KEY(table, key) hash_id(&(key))
#define SH_EQUAL(table, a, b)	same_id(&(a), &(b))
#define SH_SCOPE				static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* All of it.  It lives in a context of its own, below the transaction's. */
typedef struct Kept
{
	MemoryContext context;
	MemoryContextCallback callback;
	bool stale; /* forget all, next time */
	entries_hash *entries;
	dlist_head filters; /* KeptFilter, in no particular order */
	KeptFilter *last;	/* the one found last, or NULL */
	size_t size;		/* of all of them */
	uint64 clock;		/* counts calls */
} Kept;

static Kept *kept;
static bool ending; /* the transaction is: keep nothing any more */
RibbonKeptLast ribbon_kept_last;

static KeptFilter *find_filter(RibbonSqlType type, struct varlena *value,
							   const varatt_external *id, unsigned nprobes);
static void set_last(KeptFilter *filter);
static KeptEntry *get_entry(const varatt_external *id);
static void begin_count(KeptEntry *entry);
static bool is_paid(KeptEntry *entry, unsigned nprobes);
static bool make_room(KeptEntry *entry);
static bool has_room(const KeptEntry *entry);
static bool is_same(KeptFilter *filter);
static bool keep(KeptEntry *entry, RibbonSqlType type, struct varlena *value);
static void give_up(KeptFilter *filter);
static void begin(void);
static void forget_counts(void);
static void forget(void *arg);
static void owner_released(ResourceReleasePhase phase, bool commit,
						   bool top_level, void *arg);
static void transaction_ends(XactEvent event, void *arg);
static void subtransaction_ends(SubXactEvent event, SubTransactionId id,
								SubTransactionId parent, void *arg);
static void table_changed(Datum arg, Oid toast);

void
ribbon_kept_init(void)
{
	RegisterResourceReleaseCallback(owner_released, NULL);
	RegisterXactCallback(transaction_ends, NULL);
	RegisterSubXactCallback(subtransaction_ends, NULL);
	CacheRegisterRelcacheCallback(table_changed, (Datum) 0);
}

const void *
ribbon_kept_find(RibbonSqlType type, struct varlena *value, unsigned nprobes)
{
	varatt_external id;
	KeptFilter *found;

	VARATT_EXTERNAL_GET_POINTER(id, value);
	if (unlikely(ending || ribbon_snapshots_expire() || !ActiveSnapshotSet() ||
				 GetActiveSnapshot()->snapshot_type != SNAPSHOT_MVCC))
		return NULL;
	if (unlikely(kept == NULL || kept->stale))
		begin();

	/* the last one has been in use until now, which was not written down */
	kept->clock++;
	if (kept->last != NULL)
		kept->last->last_used = kept->clock;
	found = find_filter(type, value, &id, nprobes);
	return found == NULL ? NULL : found->value;
}

static KeptFilter *
find_filter(RibbonSqlType type, struct varlena *value,
			const varatt_external *id, unsigned nprobes)
{
	KeptEntry *entry = get_entry(id);

	/* (of another type only if somebody has made a cast between them) */
	if (entry->whole != NULL &&
		(entry->whole->type != type || !is_same(entry->whole)))
		give_up(entry->whole);
	if (entry->whole == NULL &&
		(!is_paid(entry, nprobes) || !make_room(entry) ||
		 !keep(entry, type, value)))
		return NULL;
	entry->whole->last_used = kept->clock;
	set_last(entry->whole);
	return entry->whole;
}

/* Remember the filter found last; or forget it (NULL). */
static void
set_last(KeptFilter *filter)
{
	if (kept != NULL)
		kept->last = filter;
	ribbon_kept_forget_last();
	if (filter == NULL)
		return;
	ribbon_kept_last.id = filter->id;
	ribbon_kept_last.opened[filter->type] = filter->value;
}

static KeptEntry *
get_entry(const varatt_external *id)
{
	KeptEntry *entry = entries_lookup(kept->entries, *id);
	bool found;

	if (entry != NULL)
		return entry;

	if (kept->entries->members >=
		Max(get_hash_memory_limit() / 8 / sizeof(KeptEntry), 1000))
		forget_counts();
	entry = entries_insert(kept->entries, *id, &found);
	begin_count(entry);
	entry->whole = NULL;
	return entry;
}

/* Forget what has been paid for a filter. */
static void
begin_count(KeptEntry *entry)
{
	entry->paid = 0;
	entry->first_seen = kept->clock;
}

/*
 * Is it time to read the filter?  If not, probing so many keys in slices is
 * added to the bill.  Of a compressed value there are no slices.
 */
static bool
is_paid(KeptEntry *entry, unsigned nprobes)
{
	uint32 nchunks = VARATT_EXTERNAL_GET_EXTSIZE(entry->id) /
		TOAST_MAX_CHUNK_SIZE;

	nchunks = Max(nchunks, 1); /* one probe of a small value is no reason */
	if (VARATT_EXTERNAL_IS_COMPRESSED(entry->id) || entry->paid >= nchunks ||
		PROBE_COST * (uint64) nprobes >= nchunks + PROBE_COST)
		return true;
	entry->paid += OPEN_COST + PROBE_COST * nprobes;
	return false;
}

/*
 * Give up filters until this one fits, as long as they were not in use since
 * we began to count for it; else begin to count anew.
 */
static bool
make_room(KeptEntry *entry)
{
	for (int i = 0; i < MAX_CANDIDATES; i++)
	{
		KeptFilter *candidate;

		if (has_room(entry))
			return true;
		candidate = dlist_head_element(KeptFilter, node, &kept->filters);
		if (candidate->last_used < entry->first_seen)
			give_up(candidate);
		else
		{
			/* look at the others first, next time */
			dlist_delete(&candidate->node);
			dlist_push_tail(&kept->filters, &candidate->node);
		}
	}
	if (has_room(entry))
		return true;
	begin_count(entry);
	return false;
}

/*
 * Does this filter fit?  A small one is little more than what is known of it.
 * (That is why a few thousand fit at most, and always far fewer than entries.)
 */
static bool
has_room(const KeptEntry *entry)
{
	size_t size = (size_t) entry->id.va_rawsize + sizeof(KeptFilter);

	return kept->size == 0 || kept->size + size <= get_hash_memory_limit();
}

/* Is it the value that has been read?  If so, it is protected from now on. */
static bool
is_same(KeptFilter *filter)
{
	uint64 held = ribbon_held_begin();
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
keep(KeptEntry *entry, RibbonSqlType type, struct varlena *value)
{
	MemoryContext context;
	MemoryContext old_context;
	RibbonOpenValue opened;
	KeptFilter *filter;
	struct varlena *whole;
	TransactionId author;
	uint64 held = ribbon_held_begin();

	if (!ribbon_slice_sees(&entry->id, GetActiveSnapshot(), &author))
	{
		begin_count(entry);
		return false;
	}

	context = AllocSetContextCreate(CurrentMemoryContext, "ribbon filter",
									ALLOCSET_SMALL_SIZES);
	old_context = MemoryContextSwitchTo(context);
	MemoryContextSetIdentifier(context,
							   psprintf("%s %u of TOAST table %u",
										ribbon_sqltype_name(type),
										entry->id.va_valueid,
										entry->id.va_toastrelid));
	if (VARATT_EXTERNAL_IS_COMPRESSED(entry->id))
		whole = detoast_attr(value);
	else
		whole = ribbon_detoast_pointer(&entry->id);
	ribbon_value_open_any(type, (const uint8_t *) VARDATA_ANY(whole),
						  VARSIZE_ANY_EXHDR(whole), &opened);
	filter = palloc(sizeof(KeptFilter));
	filter->type = type;
	filter->value = palloc(ribbon_value_size(&opened));
	ribbon_value_copy(&opened, filter->value);
	MemoryContextSwitchTo(old_context);

	filter->id = entry->id;
	filter->author = author;
	filter->held = held;
	filter->size = MemoryContextMemAllocated(context, true);
	filter->context = context;
	MemoryContextSetParent(context, kept->context);
	dlist_push_tail(&kept->filters, &filter->node);
	kept->size += filter->size;
	entry->whole = filter;
	return true;
}

static void
give_up(KeptFilter *filter)
{
	KeptEntry *entry = entries_lookup(kept->entries, filter->id);

	if (kept->last == filter)
		set_last(NULL);
	kept->size -= filter->size;
	dlist_delete(&filter->node);
	entry->whole = NULL;
	begin_count(entry);
	MemoryContextDelete(filter->context);
}

/* Start with nothing. */
static void
begin(void)
{
	MemoryContext context;
	Kept *fresh;

	if (kept != NULL)
		MemoryContextDelete(kept->context);
	context = AllocSetContextCreate(TopTransactionContext, "ribbon filters",
									ALLOCSET_SMALL_SIZES);
	fresh = MemoryContextAllocZero(context, sizeof(Kept));
	fresh->context = context;
	fresh->entries = entries_create(context, 8, NULL);
	dlist_init(&fresh->filters);
	fresh->callback.func = forget;
	MemoryContextRegisterResetCallback(context, &fresh->callback);
	kept = fresh;
}

/* Forget all entries but those of filters that are kept. */
static void
forget_counts(void)
{
	dlist_iter iter;
	entries_hash *old_entries = kept->entries;

	kept->entries = entries_create(kept->context, 8, NULL);
	dlist_foreach(iter, &kept->filters)
	{
		KeptFilter *filter = dlist_container(KeptFilter, node, iter.cur);
		bool found;
		KeptEntry *entry = entries_insert(kept->entries, filter->id, &found);

		begin_count(entry);
		entry->whole = filter;
	}
	entries_destroy(old_entries);
}

/* The context goes away, and everything with it. */
static void
forget(void *arg)
{
	(void) arg;
	kept = NULL;
	set_last(NULL);
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
		ribbon_held_until(CurrentResourceOwner))
	{
		set_last(NULL);
		ribbon_held_end();
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
	if (ending && kept != NULL)
		MemoryContextDelete(kept->context);
	if (ending)
		ribbon_held_end();
	else
		ribbon_held_lost();
}

static void
subtransaction_ends(SubXactEvent event, SubTransactionId id,
					SubTransactionId parent, void *arg)
{
	(void) id;
	(void) parent;
	(void) arg;
	if (event == SUBXACT_EVENT_ABORT_SUB && kept != NULL)
		MemoryContextDelete(kept->context);
}

/* Something about this table, or any, changed: its contents, perhaps. */
static void
table_changed(Datum arg, Oid toast)
{
	dlist_iter iter;

	(void) arg;
	if (kept == NULL)
		return;
	dlist_foreach(iter, &kept->filters)
	{
		KeptFilter *filter = dlist_container(KeptFilter, node, iter.cur);

		/* not at once: it may be while tables are opened to read a filter */
		if (!OidIsValid(toast) || filter->id.va_toastrelid == toast)
		{
			kept->stale = true;
			ribbon_kept_forget_last();
		}
	}
}
