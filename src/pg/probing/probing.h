/*
 * probing.h - is this key in this filter, and what does this map have for it?
 *
 * The way of a probe, from the call of a function to the answer:
 *
 *----------
 *	 ribbon_contains(filter, key)				row by row: contains.c, get.c
 *		  |	  elements of an array,				many keys: arrayprobe.c, scan/
 *		  |	  keys of a page
 *		  |
 *		  |	  with what the call site keeps (RibbonProbeSite)
 *		  v
 *	 key -> hash								key/
 *		  |
 *		  v
 *	 where are the bytes of the datum?			probesite.c
 *		  |
 *		  +-- in line, or a copy of it ------->	its header has been decoded, or
 *		  |										is decoded now
 *		  +-- stored, that of the last row --->	the cache's last one, which is
 *		  |										found without a call
 *		  +-- stored, and worth it ---------->	read whole, into the cache of
 *		  |										the transaction (storedcache.c)
 *		  +-- stored, a first probe ---------->	the header, a byte of thresholds
 *		  |										and two blocks are read from the
 *		  |										TOAST table (slice.c)
 *		  v
 *	 are keys hashed as this datum has them?	key/keymismatch.c
 *		  |		no: the hasher is adapted to the datum, and we start again
 *		  v
 *	 look the hash up							src/core/probe
 *		  |
 *		  v
 *	 true, false; or what the map's code stands for (src/pg/value)
 *----------
 *
 * Keys are hashed before the datum is found, because hashing may call any code,
 * and a datum that has been found is valid only until other code is called.
 *
 * A "datum" is a filter or a map as SQL has it (type/type.h), a "value" what a
 * map holds for a key.
 *
 * This header and cost.h are for other folders.  The others are for this one:
 *
 *	 probesite.h	what a call site keeps, and how it comes to a datum
 *	 stored.h		stored data that were read whole: which of them, how long
 *	 slice.h		stored data of which only slices are read
 */
#ifndef RIBBON_PROBING_H
#define RIBBON_PROBING_H

#include "ribbon_pg.h"

#include "access/htup_details.h"
#include "key/key.h"

/* Register the callbacks of the cache of stored data, when we are loaded. */
extern void ribbon_storedcache_init(void);

/*
 * What a call site keeps: a function's in fn_extra, a scan's in its node.
 * ribbon_probesite_init makes it; it goes away with its context.
 */
typedef struct RibbonProbeSite
{
	RibbonKeyHasher hasher;				/* of the keys that are looked up */
	MemoryContext context;				/* of all that the pointers lead to */
	struct RibbonHeaderEntry **headers; /* decoded; NULL: none yet */
	struct varlena *compressed;			/* the datum that plain was made from */
	struct varlena *plain;				/* a datum as it would be in line */
	uint8_t *dictionary;				/* room for a small one, or NULL */
} RibbonProbeSite;

/* Initialize a zeroed site.  What it keeps is allocated in context. */
extern void ribbon_probesite_init(RibbonProbeSite *site, RibbonSqlType type,
								  MemoryContext context);

/* Keys that are looked up at a time, at most: of an array; of any. */
#define RIBBON_ARRAY_PROBES 256
#define RIBBON_MAX_PROBES	Max(RIBBON_ARRAY_PROBES, MaxHeapTuplesPerPage)

/*
 * contains.c: set answers[i] to whether the key with hashes[i] is in the filter
 * or map; n <= RIBBON_MAX_PROBES.  Returns false, and sets none, if keys must
 * be hashed anew because the site's hasher was adapted to the datum.
 */
extern bool ribbon_contains_hashes(RibbonProbeSite *site, Datum datum,
								   const uint64_t *hashes, size_t n,
								   bool *answers);

/*
 * contains.c: ribbon_contains(filter, key), ribbon_contained_by(key, filter),
 * and those of maps; get.c: what a map has for a key.  A scan recognizes them.
 */
extern Datum ribbon_pg_contains(PG_FUNCTION_ARGS);
extern Datum ribbon_contained_by(PG_FUNCTION_ARGS);
extern Datum ribbon_map_contains(PG_FUNCTION_ARGS);
extern Datum ribbon_map_contained_by(PG_FUNCTION_ARGS);
extern Datum ribbon_get_bigint(PG_FUNCTION_ARGS);
extern Datum ribbon_get_text(PG_FUNCTION_ARGS);
extern Datum ribbon_pg_get(PG_FUNCTION_ARGS);

#endif /* RIBBON_PROBING_H */
