/*
 * contains.h - is this key in this filter, and what does this map have for it?
 *
 *	 probe.c		@>, <@, ribbon_contains of filters
 *	 array_probe.c	ribbon_contains_any, ribbon_contains_all
 *	 get.c			->, ->>, ribbon_get; @>, <@, ribbon_contains of maps
 *	 probecache.c	where is the filter, or map?  One of
 *	 opened.c		in line: its header has been decoded
 *	 kept.c, held.c	stored, and read whole for the rest of a query
 *	 slice.c		stored, and probed where it is
 *
 * "Value" stands for either, as in RibbonOpenValue (type.h); const void * is a
 * RibbonFilter or a RibbonMap, by the type that was asked for.
 *
 * For other folders are ribbon_kept_init, and what a
 * call site keeps (probe.c, get.c at the end).
 */
#ifndef RIBBON_CONTAINS_H
#define RIBBON_CONTAINS_H

#include "ribbon_pg.h"

#include "executor/tuptable.h"
#include "key/key.h"
#include "utils/relcache.h"
#include "utils/snapmgr.h"

/*
 * opened.c: values in line whose headers have been decoded.  Zeroed at first,
 * except for type.
 */
typedef struct RibbonOpenedSet
{
	RibbonSqlType type;
	struct RibbonOpened **places; /* by address */
} RibbonOpenedSet;

/* The filter or map at a plain value, as ribbon_probecache_open. */
extern const void *ribbon_opened_find(RibbonOpenedSet *set,
									  MemoryContext context,
									  struct varlena *value);

/*
 * probecache.c: a filter or map ready for probing, kept across calls.
 */

/*
 * Of a call site.  Lives in fn_extra, zeroed at first except for context and
 * opened.type.
 */
typedef struct RibbonProbeCache
{
	MemoryContext context; /* of all that the others point to */
	RibbonOpenedSet opened;
	struct varlena *identity; /* the compressed datum that copy was made from */
	struct varlena *copy;	  /* plain */
} RibbonProbeCache;

/* The value that a datum stands for: it may be a pointer to another. */
extern struct varlena *ribbon_probecache_follow(Datum datum);

/*
 * Open a value for so many probes.  NULL: it is stored, and to be probed in
 * slices.  What this gives is the cache's, and good until anything else is
 * called that may look at values, or until value goes away; so hash the keys
 * first.
 */
extern const void *ribbon_probecache_open(RibbonProbeCache *cache,
										  struct varlena *value,
										  unsigned nprobes);

/*
 * held.c: a snapshot that protects stored values from when it has seen them.
 */

/*
 * Hold the active snapshot, which is of MVCC, or go on with one that is held.
 * The result is its number: what was seen under the same number is protected.
 */
extern uint64 ribbon_held_begin(void);

/* Is it to be held until this owner is released? */
extern bool ribbon_held_until(ResourceOwner released);

/*
 * Let it go; or the transaction, which aborted, has done so.  Nothing may be
 * held.
 */
extern void ribbon_held_end(void);
extern void ribbon_held_lost(void);

/*
 * kept.c: stored values (VARATT_IS_EXTERNAL_ONDISK) that have been read whole.
 */

/* Register the callbacks that end it. */
extern void ribbon_kept_init(void);

/* The filter or map, or NULL; as ribbon_probecache_open. */
extern const void *ribbon_kept_find(RibbonSqlType type, struct varlena *value,
									unsigned nprobes);

/* The one found last, as long as it is good without a look. */
typedef struct RibbonKeptLast
{
	const RibbonFilter *filter; /* or NULL */
	const RibbonMap *map;		/* likewise */
	varatt_external id;
} RibbonKeptLast;

extern RibbonKeptLast ribbon_kept_last;

static inline void
ribbon_kept_forget_last(void)
{
	ribbon_kept_last.filter = NULL;
	ribbon_kept_last.map = NULL;
}

/* Is it this value again?  Its filter, or NULL; once per row. */
static inline const RibbonFilter *
ribbon_kept_again(struct varlena *value)
{
	const RibbonKeptLast *last = &ribbon_kept_last;

	if (last->filter == NULL || !VARATT_IS_EXTERNAL_ONDISK(value) ||
		memcmp(VARDATA_EXTERNAL(value), &last->id, sizeof(last->id)) != 0)
		return NULL;
	return last->filter;
}

/* The same of a map. */
static inline const RibbonMap *
ribbon_kept_map_again(struct varlena *value)
{
	const RibbonKeptLast *last = &ribbon_kept_last;

	if (last->map == NULL || !VARATT_IS_EXTERNAL_ONDISK(value) ||
		memcmp(VARDATA_EXTERNAL(value), &last->id, sizeof(last->id)) != 0)
		return NULL;
	return last->map;
}

/*
 * slice.c: reading chunks of a stored value (VARATT_IS_EXTERNAL_ONDISK).
 */

/* What is to be done with size bytes that fetch(fetch_arg, ...) reads. */
typedef bool (*RibbonSliceUse)(void *arg, size_t size, RibbonFetch fetch,
							   void *fetch_arg);

/*
 * Open a value, which must not be compressed, use it, and close it; the result
 * is that of use.
 */
extern bool ribbon_slice_use(struct varlena *value, RibbonSliceUse use,
							 void *arg);

/*
 * Does this snapshot, of MVCC, see the value, which may be compressed?  *author
 * is the transaction that inserted it.  A TOAST table whose chunks only its
 * access method can read keeps both to itself: true, and an invalid author.
 */
extern bool ribbon_slice_sees(const varatt_external *pointer, Snapshot snapshot,
							  TransactionId *author);

/*
 * probe.c: ribbon_contains(filter, key) and ribbon_contained_by(key, filter);
 * get.c: the same of maps, and what they have for a key.
 */
extern Datum ribbon_pg_contains(PG_FUNCTION_ARGS);
extern Datum ribbon_contained_by(PG_FUNCTION_ARGS);
extern Datum ribbon_map_contains(PG_FUNCTION_ARGS);
extern Datum ribbon_map_contained_by(PG_FUNCTION_ARGS);
extern Datum ribbon_get_bigint(PG_FUNCTION_ARGS);
extern Datum ribbon_get_text(PG_FUNCTION_ARGS);
extern Datum ribbon_get(PG_FUNCTION_ARGS);

/*
 * What a call site keeps, that of a function in fn_extra.  Zeroed at first,
 * except for filter.context.
 */
typedef struct RibbonProbeSite
{
	RibbonKeyType key_type;
	RibbonProbeCache filter;
} RibbonProbeSite;

/* Keys to be looked for in slices of a stored value, by a RibbonSliceUse. */
typedef struct RibbonSlicedProbe
{
	RibbonKeyType *key_type;
	const uint64_t *hashes;
	size_t n;
	bool *answers;
} RibbonSlicedProbe;

/* That of this call; its key type is yet to be decided if it is new. */
extern RibbonProbeSite *ribbon_probe_site(FunctionCallInfo fcinfo);

/*
 * Are the keys with these hashes in the filter?  answers[i] for hashes[i].
 * False if they must be hashed anew first: the site's key type has been
 * adapted.
 */
extern bool ribbon_probe_hashes(RibbonProbeSite *site, Datum filter,
								const uint64_t *hashes, size_t n,
								bool *answers);

/*
 * get.c: the same of a map.  The site is one of ribbon_map_probe_init, zeroed
 * before.
 */
extern void ribbon_map_probe_init(RibbonProbeSite *site);
extern bool ribbon_map_probe_hashes(RibbonProbeSite *site, Datum map,
									const uint64_t *hashes, size_t n,
									bool *answers);

#endif /* RIBBON_CONTAINS_H */
