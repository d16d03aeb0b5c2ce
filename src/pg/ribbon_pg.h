/*
 * ribbon_pg.h - what the files of the PostgreSQL glue share
 *
 * The core (ribbon.h) turns 64-bit hashes into bytes and answers probes where
 * those bytes lie.  The glue gives it the server's memory and interrupts
 * (adapter.c), turns values of any type into hashes (key.h),
 * collects them (aggregate.c, options.c; spill.h if they are too many for
 * memory), and carries the bytes as the varlena type ribbonfilter (io.c,
 * filtercache.c, probe.c ...).
 *
 * A ribbonfilter datum is a varlena header and the bytes of docs/format.md,
 * nothing else.
 *
 * A C function has the name of the SQL function it implements, except
 * where the core has that name already: then it begins with ribbon_pg_.
 */
#ifndef RIBBON_PG_H
#define RIBBON_PG_H

#include "compat.h"

#include "access/twophase.h"
#include "storage/proc.h"
#include "utils/snapmgr.h"

#include "key/key.h"
#include "ribbon.h"

/*
 * adapter.c: the core's view of the server, and the server's of the core.
 */

/* Throw the error that describes a status other than RIBBON_OK. */
pg_noreturn extern void ribbon_adapter_report(RibbonStatus status);

/* Throw ERRCODE_DATA_CORRUPTED: a stored filter is not what was stored. */
pg_noreturn extern void ribbon_adapter_report_corrupt(const char *detail);

/*
 * ribbon_build and ribbon_shrink of the core, giving a ribbonfilter datum in
 * context.  They throw what the status calls for.  hashes[] must be in order and
 * distinct (ribbon_adapter_distinct), and stays what it is.
 */
extern struct varlena *ribbon_adapter_build(const RibbonParams *params,
											uint64_t *hashes, size_t nhashes,
											MemoryContext context);

/* The same for the hashes of a store, which is sealed afterwards. */
struct RibbonKeyStore; /* spill.h */
extern struct varlena *ribbon_adapter_build_stored(const RibbonParams *params,
												   struct RibbonKeyStore *keys,
												   MemoryContext context);

/* ribbon_distinct of the core: sort, drop duplicates, or throw. */
extern void ribbon_adapter_distinct(uint64_t *hashes, size_t *nhashes);

/*
 * The same for several arrays at once, at most ribbon_threads_count().  False
 * after an interrupt that turned out to be nothing: their contents are lost.
 */
extern bool ribbon_adapter_distinct_arrays(uint64_t **arrays, size_t *sizes,
										   unsigned narrays);

extern struct varlena *ribbon_adapter_shrink(const RibbonFilter *filter,
											 double fpr, MemoryContext context);

/* ribbon_check of the core, which throws what it finds. */
extern void ribbon_adapter_check(const RibbonFilter *filter);

/*
 * Open a stored filter, which was validated on its way in: whatever is wrong
 * with it now is corruption, and thrown as such.
 */
extern void ribbon_adapter_open(const uint8_t *bytes, size_t nbytes,
								RibbonFilter *filter);
extern void ribbon_adapter_open_header(const uint8_t *header, size_t nheader,
									   size_t nbytes, RibbonFilter *filter);

/* Memory in context, of huge pages where it is large and the system has some. */
extern void *ribbon_adapter_alloc(MemoryContext context, size_t size);

/*
 * detoast.c: PG_DETOAST_DATUM_PACKED that can be interrupted; the same for what
 * such a TOAST pointer to a value that is not compressed names, in context.
 */
extern struct varlena *ribbon_detoast(struct varlena *value);
extern struct varlena *ribbon_detoast_pointer(const varatt_external *pointer,
											  MemoryContext context);

#define RIBBON_GETARG_VARLENA_PP(n) \
	ribbon_detoast((struct varlena *) PG_GETARG_POINTER(n))

/*
 * threads.c: several cores for one build.
 */
extern void ribbon_threads_init(void);

/* How many tasks may be done at once now; at least 1. */
extern unsigned ribbon_threads_count(void);

/*
 * Do task(env, arg, i) for all i below n, which is at most ribbon_threads_count,
 * at once.  RIBBON_INTERRUPTED: the query is about to be cancelled; look for
 * interrupts, and if that returns, do it again.  Does not throw.
 */
extern RibbonStatus ribbon_threads_run(unsigned n, RibbonTask *task, void *arg);

/*
 * progress.c: how far is a build?
 */
extern void ribbon_progress_init(void);

/*
 * Report, now and then and if asked to, that this much (0 .. 1) of a phase is
 * done; may throw.
 */
extern void ribbon_progress_report(const char *phase, int number, double share);

/* The same while keys are coming. */
extern void ribbon_progress_collected(uint64_t nkeys);

/*
 * options.c: the third argument of ribbon_build.
 */
extern void ribbon_options_parse(const char *options, int length,
								 RibbonParams *params);

/*
 * opened.c: filters in line whose headers have been decoded.  Zeroed at first.
 */
typedef struct RibbonOpenedSet
{
	struct RibbonOpened **places; /* by address */
} RibbonOpenedSet;

/* The filter at a plain value, as ribbon_filtercache_open. */
extern const RibbonFilter *ribbon_opened_find(RibbonOpenedSet *set,
											  MemoryContext context,
											  struct varlena *value);

/*
 * filtercache.c: a filter ready for probing, kept across calls.
 */

/* Lives in fn_extra, zeroed at first except for context. */
typedef struct RibbonFilterCache
{
	MemoryContext context; /* of all that the others point to */
	RibbonOpenedSet opened;
	struct varlena *identity; /* the compressed datum that copy was made from */
	struct varlena *copy;	  /* plain */
} RibbonFilterCache;

/* The value that a datum stands for: it may be a pointer to another. */
extern struct varlena *ribbon_filtercache_follow(Datum datum);

/*
 * Open a value for so many probes.  NULL: it is stored, and to be probed in
 * slices.  The filter is good until anything else is called that may look at
 * filters, or until value goes away; so hash the keys first.
 */
extern const RibbonFilter *ribbon_filtercache_open(RibbonFilterCache *cache,
												   struct varlena *value,
												   unsigned nprobes);

/* Decode a value's header, reading no more of it; not RIBBON_OK: corrupt. */
extern RibbonStatus ribbon_filtercache_read_header(Datum datum,
												   RibbonFilter *filter);

/*
 * ends.c: has another transaction ended since?
 */

/* A number that rises when another snapshot is asked about than the last time. */
extern uint32 ribbon_ends_number(Snapshot snapshot);

/*
 * A number that is higher, modulo 2^32, for a snapshot that sees the end of a
 * transaction that another does not see.  (A standby lists the running ones
 * elsewhere.)
 */
static inline uint32
ribbon_ends_seen(Snapshot snapshot)
{
	if (unlikely(max_prepared_xacts > 0))
		return ribbon_ends_number(snapshot);
	return snapshot->xmax -
		(snapshot->takenDuringRecovery ? (uint32) snapshot->subxcnt :
										 snapshot->xcnt);
}

/*
 * kept.c: stored filters (VARATT_IS_EXTERNAL_ONDISK) that have been read whole.
 */

/* The filter, or NULL; as ribbon_filtercache_open. */
extern const RibbonFilter *ribbon_kept_find(struct varlena *value,
											unsigned nprobes);

/* The one found last, and until when that holds. */
typedef struct RibbonKeptLast
{
	const RibbonFilter *filter; /* or NULL */
	varatt_external id;
	TransactionId xmin;
	uint32 ends; /* seen by the newest snapshot that it is good for */
} RibbonKeptLast;

extern RibbonKeptLast ribbon_kept_last;

/* Is it this value again?  Its filter, or NULL; once per row. */
static inline const RibbonFilter *
ribbon_kept_again(struct varlena *value)
{
	const RibbonKeptLast *last = &ribbon_kept_last;
	Snapshot snapshot;

	if (last->filter == NULL || !VARATT_IS_EXTERNAL_ONDISK(value) ||
		memcmp(VARDATA_EXTERNAL(value), &last->id, sizeof(last->id)) != 0 ||
		last->xmin != MyProc->xmin || !ActiveSnapshotSet())
		return NULL;
	snapshot = GetActiveSnapshot();
	if (snapshot->snapshot_type != SNAPSHOT_MVCC ||
		(int32) (ribbon_ends_seen(snapshot) - last->ends) > 0)
		return NULL;
	return last->filter;
}

/*
 * slice.c: probing a stored filter without reading it.  The value must be
 * VARATT_IS_EXTERNAL_ONDISK and not compressed.
 */

/* Copy the value's first bytes, at most RIBBON_MAX_HEADER. */
extern void ribbon_slice_read(struct varlena *value, size_t length,
							  uint8_t *out);

/*
 * The transaction that inserted a value, which may be compressed; invalid if
 * the TOAST table's access method keeps that to itself.
 */
extern TransactionId ribbon_slice_author(const varatt_external *pointer);

/* Answer for n hashes of keys of this type, as ribbon_probe_hashes. */
extern bool ribbon_slice_probe(struct varlena *value, RibbonKeyType *key_type,
							   const uint64_t *hashes, size_t n, bool *answers);

/*
 * analyze.c: the means of a column's filters, as pg_statistic has them.
 */
#define RIBBON_STATISTIC_KIND 21030 /* from the range for private use */

enum
{
	RIBBON_STATISTIC_KEYS,
	RIBBON_STATISTIC_FPR,
	RIBBON_STATISTIC_BYTES,
	RIBBON_STATISTICS
};

/*
 * probe.c: what a call site of a probing function keeps in fn_extra.
 */
typedef struct RibbonProbeSite
{
	RibbonKeyType key_type;
	RibbonFilterCache filter;
} RibbonProbeSite;

extern RibbonProbeSite *ribbon_probe_site(FunctionCallInfo fcinfo);

/*
 * Are the keys with these hashes in the filter?  answers[i] for hashes[i].  False
 * if they must be hashed anew first: the site's key type has been adapted.
 */
extern bool ribbon_probe_hashes(RibbonProbeSite *site, Datum filter,
								const uint64_t *hashes, size_t n,
								bool *answers);

#endif /* RIBBON_PG_H */
