/*
 * probesite.h - what a call site keeps, and how it comes to a datum
 *
 * What has been opened is valid until it is closed, or other code is called.
 * After an error, the server releases what it holds.
 */
#ifndef RIBBON_PROBESITE_H
#define RIBBON_PROBESITE_H

#include "probing/probing.h"

#include "probing/slice.h"
#include "probing/stored.h"

/*
 * What the site of this call keeps in fn_extra: a struct of size bytes, whose
 * first member is a RibbonProbeSite.  At the first call, ribbon_probesite_make
 * makes that, and the rest is zero.
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

/*
 * Open a datum for nprobes keys, wherever it is.  NULL, and nothing is open, if
 * keys must be hashed anew because the site's hasher was adapted to the datum.
 * Throws if no key of their type can be in it.
 */
extern const RibbonFilter *ribbon_probesite_open(RibbonProbeSite *site,
												 Datum datum, unsigned nprobes);

/*
 * The map that has been opened is read in slices: take a small dictionary along
 * while the slice with the header is at hand, so that no look for a text has to
 * go back there.
 */
extern void ribbon_probesite_take_dictionary(RibbonProbeSite *site);

static inline void
ribbon_probesite_close(const RibbonFilter *filter)
{
	if (unlikely(filter->fetch != NULL))
		ribbon_slice_close(filter->fetch_arg);
}

/*
 * Once per row of a function of one key and one datum, its first two arguments
 * in some order: open the datum, which is argument datum_arg, with *hash as the
 * hash of the key.  No call is made for the stored one of the last row.
 */
static pg_attribute_always_inline const RibbonFilter *
ribbon_probesite_open_row(FunctionCallInfo fcinfo, RibbonProbeSite *site,
						  RibbonSqlType type, int datum_arg, uint64_t *hash)
{
	int key_arg = 1 - datum_arg;
	Datum datum = PG_GETARG_DATUM(datum_arg);
	const RibbonFilter *filter;

	ribbon_keyhash_ensure_argument(&site->hasher, fcinfo, key_arg);
	do
	{
		*hash = ribbon_keyhash_row(&site->hasher, PG_GETARG_DATUM(key_arg));
		filter = ribbon_storedcache_find_last(type, datum);
		if (filter == NULL)
			filter = ribbon_probesite_open(site, datum, 1);
		else if (unlikely(!ribbon_keyhash_adapt(&site->hasher, filter)))
			filter = NULL;
	} while (unlikely(filter == NULL));
	return filter;
}

#endif /* RIBBON_PROBESITE_H */
