/*
 * probesite.h - what a call site keeps, and how it comes to a datum
 *
 * A function of one key and one datum, its first two arguments in some order,
 * goes two ways.  ribbon_probesite_hash hashes the key, and gives the datum if
 * it is the stored one of the last row: that takes no call.  Any other is
 * opened by ribbon_probesite_open_key, and closed by the function.
 */
#ifndef RIBBON_PROBESITE_H
#define RIBBON_PROBESITE_H

#include "probing/probing.h"

#include "probing/slice.h"
#include "probing/stored.h"

/*
 * Elements of an array, and keys of a map, that are looked up at a time; the
 * core cuts them into batches of its own, of RIBBON_BATCH.
 */
#define RIBBON_ARRAY_CHUNK 256

/*
 * The site of this call, in fn_extra.  It is the first member of a struct of
 * size bytes, which are zero at the first call; then ribbon_probesite_make
 * makes it.
 */
extern void *ribbon_probesite_make(FmgrInfo *function, RibbonSqlType type,
								   size_t size);

static inline void *
ribbon_probesite_of_call(FunctionCallInfo fcinfo, RibbonSqlType type,
						 size_t size)
{
	FmgrInfo *function = fcinfo->flinfo;

	return likely(function->fn_extra != NULL) ?
		function->fn_extra :
		ribbon_probesite_make(function, type, size);
}

/* A filter or map that has been opened for a probe. */
typedef struct RibbonOpenDatum
{
	const RibbonFilter *filter;
	RibbonFilter sliced; /* in slices, this one; and then open are */
	RibbonSlices slices;
} RibbonOpenDatum;

/*
 * Open a datum for nprobes keys, wherever it is.  It is valid until it is
 * closed, or other code is called.  Returns false, and has closed it, if keys
 * must be hashed anew because the site's hasher was adapted to the datum.
 * Throws if no key of their type can be in it.
 */
extern bool ribbon_probesite_open(RibbonProbeSite *site, Datum datum,
								  unsigned nprobes, RibbonOpenDatum *opened);

static inline void
ribbon_probesite_close(RibbonOpenDatum *opened)
{
	if (opened->filter->fetch != NULL)
		ribbon_slice_close(&opened->slices);
}

/*
 * Open the datum that is argument datum_arg, with *hash as the hash of the key.
 * At first it is what ribbon_probesite_hash has set; if the hasher is adapted,
 * it is set again.
 */
static inline void
ribbon_probesite_open_key(FunctionCallInfo fcinfo, RibbonProbeSite *site,
						  int datum_arg, uint64_t *hash,
						  RibbonOpenDatum *opened)
{
	while (!ribbon_probesite_open(site, PG_GETARG_DATUM(datum_arg), 1, opened))
		*hash = ribbon_keyhash_row(&site->hasher,
								   PG_GETARG_DATUM(1 - datum_arg));
}

/*
 * Once per row: set *hash to the hash of the key.  Returns the filter or map of
 * argument datum_arg, which the hash fits, if it is the stored one found last.
 * Else returns NULL, and ribbon_probesite_open_key is to be called.
 */
static pg_attribute_always_inline const RibbonFilter *
ribbon_probesite_hash(FunctionCallInfo fcinfo, RibbonProbeSite *site,
					  RibbonSqlType type, int datum_arg, uint64_t *hash)
{
	int key_arg = 1 - datum_arg;
	struct varlena *datum =
		(struct varlena *) DatumGetPointer(PG_GETARG_DATUM(datum_arg));
	const RibbonFilter *filter;

	if (unlikely(!site->hasher.has_type))
		ribbon_keyhash_set_argument(&site->hasher, fcinfo, key_arg);
	do
	{
		*hash = ribbon_keyhash_row(&site->hasher, PG_GETARG_DATUM(key_arg));
		filter = ribbon_storedcache_find_last(type, datum);
	} while (filter != NULL &&
			 unlikely(!ribbon_keyhash_adapt(&site->hasher, filter)));
	return filter;
}

/*
 * headercache.c: open a datum that is in line and not compressed, or find it
 * among those that the site has opened.  The result belongs to the site.  It is
 * valid until other code is called that may open data, or until the datum goes
 * away.
 */
extern const RibbonFilter *ribbon_headercache_open(RibbonProbeSite *site,
												   struct varlena *datum);

#endif /* RIBBON_PROBESITE_H */
