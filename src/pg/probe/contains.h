/*
 * contains.h - is this key in this filter, and what does this map have for it?
 *
 * The way of a probe, from the call of a function to the answer:
 *
 *----------
 *	 ribbon_contains(value, key)				row by row: contains.c, get.c
 *	 elements of an array, keys of a page		many keys: array_probe.c, scan/
 *		  |
 *		  |	  what the call site keeps (RibbonProbeSite)
 *		  v
 *	 key -> hash								key/keyhash.h
 *		  |
 *		  v
 *	 where are the bytes of the value?			callsite.c
 *		  |
 *		  +-- in line, or a copy of it ------->	its header has been decoded, or
 *		  |										is now (opened.c)
 *		  +-- stored, the one of the last row->	as it is (ribbon_kept_again)
 *		  +-- stored, and worth it ---------->	read whole, and kept for the
 *		  |										query (bill.c, kept.c, held.c)
 *		  +-- stored, a first probe ---------->	the header, a byte of thresholds
 *		  |										and two blocks are read from the
 *		  |										TOAST table (slice.c)
 *		  v
 *	 are keys hashed as this value has them?	key/keyclass.c
 *		  |		no: the key type is adapted to the value, and we start again
 *		  v
 *	 look the hash up							src/core/probe
 *		  |
 *		  v
 *	 true, false; or what the map's code stands for (src/pg/value)
 *----------
 *
 * Keys are hashed first, because that may call anything, and a value that has
 * been found is good only until something else is called.
 *
 * A "value" is a filter or a map, as in ribbon_value_open (type.h).
 *
 * For other folders are ribbon_kept_init, the functions of contains.c and
 * get.c, RibbonProbeSite and what is done with one (at the end).
 */
#ifndef RIBBON_CONTAINS_H
#define RIBBON_CONTAINS_H

#include "ribbon_pg.h"

#include "key/keyhash.h"
#include "utils/resowner.h"
#include "utils/snapshot.h"

/*
 * What a call site keeps, in fn_extra if it is a function's.  Made by
 * ribbon_probesite_init.
 */
typedef struct RibbonProbeSite
{
	RibbonKeyType key_type;			  /* not decided at first, but for its of */
	MemoryContext context;			  /* of all that the others point to */
	struct RibbonOpened **by_address; /* opened.c; NULL: none yet */
	struct varlena *identity; /* the compressed datum that copy was made from */
	struct varlena *copy;	  /* plain */
} RibbonProbeSite;

/*
 * opened.c: the filter or map at a plain value, in line, whose header has been
 * decoded, or is now.  It is the site's, and good until anything else is called
 * that may look at values, or until value goes away.
 */
extern const RibbonFilter *ribbon_opened_find(RibbonProbeSite *site,
											  struct varlena *value);

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
 * bill.c: what probes of stored values have cost, in a table of kept.c's
 */

/* What is known of a stored value that has been probed. */
typedef struct RibbonBill
{
	varatt_external id;
	char status;				   /* the hash table's */
	uint32 paid;				   /* for probes in slices, in chunks */
	uint64 begun;				   /* when that was 0; of kept.c's clock */
	struct RibbonKeptValue *whole; /* kept.c's; NULL: not in memory */
} RibbonBill;

/* An empty table of bills, in this context. */
extern struct bills_hash *ribbon_bill_table(MemoryContext context);

/* Are there more bills than there is memory for? */
extern bool ribbon_bill_are_many(const struct bills_hash *bills);

/*
 * The bill of a value.  If there is none, one is begun now, and others may be
 * elsewhere then.
 */
extern RibbonBill *ribbon_bill_find(struct bills_hash *bills,
									const varatt_external *id, uint64 now);

/* Begin to count the cost of a value anew. */
static inline void
ribbon_bill_begin(RibbonBill *bill, uint64 now)
{
	bill->paid = 0;
	bill->begun = now;
}

/*
 * Has as much been paid as reading the whole value costs, or is it about to be?
 * If not, probing so many keys in slices is added to the bill.  (Of a
 * compressed value there are no slices.)
 */
extern bool ribbon_bill_is_paid(RibbonBill *bill, unsigned nprobes);

/*
 * kept.c: stored values (VARATT_IS_EXTERNAL_ONDISK) that have been read whole.
 */

/* Register the callbacks that end it. */
extern void ribbon_kept_init(void);

/*
 * The filter or map, which is to be probed so often; NULL: it is to be probed
 * in slices.  Good for as long as what ribbon_opened_find gives.
 */
extern const RibbonFilter *ribbon_kept_find(RibbonSqlType type,
											struct varlena *value,
											unsigned nprobes);

/* The value found last, as long as it is good without a look. */
typedef struct RibbonKeptLast
{
	const RibbonFilter *opened; /* or NULL */
	RibbonSqlType type;
	varatt_external id;
} RibbonKeptLast;

extern RibbonKeptLast ribbon_kept_last;

/* Is it this value again?  The filter or map, or NULL; once per row. */
static inline const RibbonFilter *
ribbon_kept_again(RibbonSqlType type, struct varlena *value)
{
	const RibbonKeptLast *last = &ribbon_kept_last;

	if (last->opened == NULL || last->type != type ||
		!VARATT_IS_EXTERNAL_ONDISK(value) ||
		memcmp(VARDATA_EXTERNAL(value), &last->id, sizeof(last->id)) != 0)
		return NULL;
	return last->opened;
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

/* Make a site, which is zeroed; what it keeps is of context. */
extern void ribbon_probesite_init(RibbonProbeSite *site, RibbonSqlType type,
								  MemoryContext context);

/*
 * The site of this call.  It is the first member of a struct of size bytes,
 * which is zeroed when it is new.
 */
extern void *ribbon_probesite_of_call(FunctionCallInfo fcinfo,
									  RibbonSqlType type, size_t size);

/* A value that can be looked into. */
typedef struct RibbonProbed
{
	const RibbonFilter *opened;
	RibbonFetch fetch; /* for the functions of the core that read slices; */
	void *fetch_arg;   /* NULL: the value is in memory */
} RibbonProbed;

/*
 * What is done with a value.  False: keys must be hashed anew first, for the
 * site's key type was adapted to the value; then nothing has been done.
 */
typedef bool (*RibbonProbeUse)(void *arg, const RibbonProbed *value);

/*
 * Find a value for so many probes and use it, wherever it is.  False as above.
 */
extern bool ribbon_probesite_use(RibbonProbeSite *site, Datum datum,
								 unsigned nprobes, RibbonProbeUse use,
								 void *arg);

/*
 * Are keys hashed as this value has them?  If not, this throws, or they must be
 * hashed anew.
 */
static pg_attribute_always_inline bool
ribbon_probesite_fits(RibbonProbeSite *site, const RibbonFilter *opened)
{
	return ribbon_keyclass_fits(&site->key_type, opened) &&
		ribbon_keyhash_seed(&site->key_type, opened->seed);
}

/*
 * Once per row: hash the key that is this argument.  The result is the filter
 * or map that is the other one, if it is the stored value that was found last,
 * and the hash is one for it; or NULL: then it is for ribbon_probesite_use.
 */
static pg_attribute_always_inline const RibbonFilter *
ribbon_probesite_hash(FunctionCallInfo fcinfo, RibbonProbeSite *site,
					  RibbonSqlType type, int value_arg, int key_arg,
					  uint64_t *hash)
{
	struct varlena *value =
		(struct varlena *) DatumGetPointer(PG_GETARG_DATUM(value_arg));
	const RibbonFilter *opened;

	if (unlikely(!site->key_type.decided))
		ribbon_keytype_decide_argument(&site->key_type, fcinfo, key_arg);
	do
	{
		*hash = ribbon_keyhash_row(&site->key_type, PG_GETARG_DATUM(key_arg));
		opened = ribbon_kept_again(type, value);
	} while (opened != NULL && unlikely(!ribbon_probesite_fits(site, opened)));
	return opened;
}

/*
 * contains.c: are the keys with these hashes in the value?  answers[i] for
 * hashes[i].  False if they must be hashed anew first: the site's key type has
 * been adapted.
 */
extern bool ribbon_probe_hashes(RibbonProbeSite *site, Datum datum,
								const uint64_t *hashes, size_t n,
								bool *answers);

#endif /* RIBBON_CONTAINS_H */
