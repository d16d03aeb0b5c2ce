/*
 * probing.h - is this key in this filter, and what does this map have for it?
 *
 * The way of a probe, from the call of a function to the answer:
 *
 *----------
 *	 ribbon_contains(value, key)				row by row: contains.c, get.c
 *	 elements of an array, keys of a page		many keys: array_probe.c, scan/
 *		  |
 *		  |	  with what the call site keeps (RibbonProbeSite)
 *		  v
 *	 key -> hash								key/key.h
 *		  |
 *		  v
 *	 where are the bytes of the value?			callsite.c
 *		  |
 *		  +-- in line, or a copy of it ------->	its header has been decoded, or
 *		  |										is decoded now (headercache.c)
 *		  +-- stored, that of the last row --->	in the cache, and still open
 *		  +-- stored, and worth it ---------->	read whole into a cache for the
 *		  |										query (storedcache.c)
 *		  +-- stored, a first probe ---------->	the header, a byte of thresholds
 *		  |										and two blocks are read from the
 *		  |										TOAST table (slice.c)
 *		  v
 *	 are keys hashed as this value has them?	key/keymismatch.c
 *		  |		no: the key type is adapted to the value, and we start again
 *		  v
 *	 look the hash up							src/core/probe
 *		  |
 *		  v
 *	 true, false; or what the map's code stands for (src/pg/value)
 *----------
 *
 * Keys are hashed before the value is found, because hashing may call any code,
 * and a value that has been found is valid only until other code is called.
 *
 * A "value" is a filter or a map, as in ribbon_datum_open (type.h).
 *
 * Other folders may use ribbon_storedcache_init, the functions of contains.c
 * and get.c, and RibbonProbeSite with its functions, which are at the end.
 */
#ifndef RIBBON_PROBING_H
#define RIBBON_PROBING_H

#include "ribbon_pg.h"

#include "key/key.h"
#include "utils/resowner.h"
#include "utils/snapshot.h"

/*
 * What a call site keeps, in fn_extra if it is a function's.  Made by
 * ribbon_probesite_init.
 */
typedef struct RibbonProbeSite
{
	RibbonKeyHasher hasher;				   /* of keys that are looked up */
	MemoryContext context;				   /* of all that the others point to */
	struct RibbonHeaderEntry **by_address; /* headercache.c; NULL: none yet */
	struct varlena *identity; /* the compressed datum that copy was made from */
	struct varlena *copy;	  /* plain */
} RibbonProbeSite;

/*
 * headercache.c: open a plain value that is in line, or find it among those
 * that the site has opened.  The result belongs to the site.  It is valid until
 * other code is called that may open values, or until value goes away.
 */
extern const RibbonFilter *ribbon_headercache_open(RibbonProbeSite *site,
												   struct varlena *value);

/*
 * snapshot.c: a registered snapshot, which protects the stored values that it
 * sees from being removed.
 */

/*
 * Hold the active snapshot, which must be an MVCC one, unless one is held that
 * protects as much.  Returns the number of the held one.  Values that were seen
 * under this number are protected as long as it stays the same.
 */
extern uint64 ribbon_snapshot_hold(void);

/* Is the snapshot held until this owner is released? */
extern bool ribbon_snapshot_is_held_until(ResourceOwner released);

/*
 * Release the snapshot (end), or note that an aborted transaction has released
 * it (lost).  Both may be called if none is held.
 */
extern void ribbon_snapshot_release(void);
extern void ribbon_snapshot_forget(void);

/*
 * probecost.c: what probes of stored values have cost
 */

/* What is known about a stored value that has been probed. */
typedef struct RibbonProbeCost
{
	varatt_external id;
	char status;   /* the hash table's */
	uint32 chunks; /* chunks read for probes in slices */
	uint64 since;  /* when chunks was 0, by storedcache.c's clock */
	struct RibbonCachedDatum *cached; /* storedcache.c's; NULL: not in memory */
} RibbonProbeCost;

/* An empty table of costs, in this context. */
extern struct probecosts_hash *ribbon_probecost_table(MemoryContext context);

/* Are there more costs than there is memory for? */
extern bool ribbon_probecost_are_many(const struct probecosts_hash *costs);

/*
 * The cost of a value.  If there is none, one is begun; other costs may move
 * then.
 */
extern RibbonProbeCost *ribbon_probecost_find(struct probecosts_hash *costs,
											  const varatt_external *id,
											  uint64 now);

/* Begin to count the cost of a value anew. */
static inline void
ribbon_probecost_reset(RibbonProbeCost *cost, uint64 now)
{
	cost->chunks = 0;
	cost->since = now;
}

/*
 * Have probes in slices cost as much as reading the whole value, or would so
 * many more?  If not, adds their cost to the cost.  (True of a compressed
 * value, which has no slices.)
 */
extern bool ribbon_probecost_charge(RibbonProbeCost *cost, unsigned nprobes);

/*
 * storedcache.c: stored values (VARATT_IS_EXTERNAL_ONDISK) that have been read
 * whole.
 */

/* Register the callbacks that end the keeping of values. */
extern void ribbon_storedcache_init(void);

/*
 * The filter or map for so many probes; NULL if it is to be probed in slices.
 * Valid as long as a result of ribbon_headercache_open.
 */
extern const RibbonFilter *ribbon_storedcache_find(RibbonSqlType type,
												   struct varlena *value,
												   unsigned nprobes);

/* The value found last, while it can be used without another look. */
typedef struct RibbonStoredLast
{
	const RibbonFilter *opened; /* or NULL */
	RibbonSqlType type;
	varatt_external id;
} RibbonStoredLast;

extern RibbonStoredLast ribbon_storedcache_last;

/* The filter or map if it is this value again, else NULL.  Once per row. */
static inline const RibbonFilter *
ribbon_storedcache_find_last(RibbonSqlType type, struct varlena *value)
{
	const RibbonStoredLast *last = &ribbon_storedcache_last;

	if (last->opened == NULL || last->type != type ||
		!VARATT_IS_EXTERNAL_ONDISK(value) ||
		memcmp(VARDATA_EXTERNAL(value), &last->id, sizeof(last->id)) != 0)
		return NULL;
	return last->opened;
}

/*
 * slice.c: reading chunks of a stored value (VARATT_IS_EXTERNAL_ONDISK).
 */

/* Uses the size bytes of a value, which fetch(fetch_arg, ...) reads. */
typedef bool (*RibbonSliceUse)(void *arg, size_t size, RibbonFetch fetch,
							   void *fetch_arg);

/*
 * Open a value, which must not be compressed, call use, and close the value.
 * Returns what use returned.
 */
extern bool ribbon_slice_use(struct varlena *value, RibbonSliceUse use,
							 void *arg);

/*
 * Does this MVCC snapshot see the value, which may be compressed?  Sets *author
 * to the transaction that inserted it.  If only the TOAST table's access method
 * can read its chunks, neither is known: true, and an invalid author.
 */
extern bool ribbon_slice_sees(const varatt_external *pointer, Snapshot snapshot,
							  TransactionId *author);

/*
 * contains.c: ribbon_contains(value, key) and ribbon_contained_by(key, value);
 * get.c: what a map has for a key.
 */
extern Datum ribbon_pg_contains(PG_FUNCTION_ARGS);
extern Datum ribbon_contained_by(PG_FUNCTION_ARGS);
extern Datum ribbon_map_contains(PG_FUNCTION_ARGS);
extern Datum ribbon_map_contained_by(PG_FUNCTION_ARGS);
extern Datum ribbon_get_bigint(PG_FUNCTION_ARGS);
extern Datum ribbon_get_text(PG_FUNCTION_ARGS);
extern Datum ribbon_pg_get(PG_FUNCTION_ARGS);

/*
 * callsite.c: how a call site comes to a value.
 */

/* Initialize a zeroed site.  What it keeps is allocated in context. */
extern void ribbon_probesite_init(RibbonProbeSite *site, RibbonSqlType type,
								  MemoryContext context);

/*
 * The site of this call, in fn_extra.  It is the first member of a struct of
 * size bytes, which are zero at the first call.
 */
extern void *ribbon_probesite_of_call(FunctionCallInfo fcinfo,
									  RibbonSqlType type, size_t size);

/* A value that can be looked into. */
typedef struct RibbonProbed
{
	const RibbonFilter *opened;
	RibbonFetch fetch; /* for functions of the core that read slices; NULL if
						* the value is in memory */
	void *fetch_arg;
} RibbonProbed;

/*
 * Uses a value.  Returns false, and has done nothing, if keys must be hashed
 * anew because the site's key type was adapted to the value.
 */
typedef bool (*RibbonProbeUse)(void *arg, const RibbonProbed *value);

/*
 * Find a value for so many probes, wherever it is, and use it.  Returns what
 * use returned.
 */
extern bool ribbon_probesite_use(RibbonProbeSite *site, Datum datum,
								 unsigned nprobes, RibbonProbeUse use,
								 void *arg);

/*
 * Are keys hashed as this value needs them?  If not, the key type is adapted,
 * and keys must be hashed anew; or this throws, if they do not fit at all.
 */
static pg_attribute_always_inline bool
ribbon_probesite_adapt(RibbonProbeSite *site, const RibbonFilter *opened)
{
	return ribbon_keyhash_fits(&site->hasher, opened);
}

/*
 * Once per row: set *hash to the hash of the key, which is argument key_arg.
 * If argument value_arg is the stored value that was found last, returns its
 * filter or map, which the hash fits.  Else returns NULL, and
 * ribbon_probesite_use is to be called.
 */
static pg_attribute_always_inline const RibbonFilter *
ribbon_probesite_hash(FunctionCallInfo fcinfo, RibbonProbeSite *site,
					  RibbonSqlType type, int value_arg, int key_arg,
					  uint64_t *hash)
{
	struct varlena *value =
		(struct varlena *) DatumGetPointer(PG_GETARG_DATUM(value_arg));
	const RibbonFilter *opened;

	if (unlikely(!site->hasher.has_type))
		ribbon_keyhash_set_argument(&site->hasher, fcinfo, key_arg);
	do
	{
		*hash = ribbon_keyhash_row(&site->hasher, PG_GETARG_DATUM(key_arg));
		opened = ribbon_storedcache_find_last(type, value);
	} while (opened != NULL && unlikely(!ribbon_probesite_adapt(site, opened)));
	return opened;
}

/*
 * contains.c: set answers[i] to whether the key with hashes[i] is in the value.
 * Returns false, and sets none, if keys must be hashed anew because the site's
 * key type was adapted to the value.
 */
extern bool ribbon_probe_hashes(RibbonProbeSite *site, Datum datum,
								const uint64_t *hashes, size_t n,
								bool *answers);

#endif /* RIBBON_PROBING_H */
