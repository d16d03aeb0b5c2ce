/*
 * probesite.c - what a call site keeps, and how it comes to a datum
 *
 * The way of a probe is drawn in probing.h, of a datum in line and of a stored
 * one.  One that is compressed in line, after ALTER TABLE ... SET STORAGE, has
 * few bytes: what they stand for is kept until other bytes come.  Others, such
 * as those in a form of their own in memory (expanded), are made plain for each
 * call.
 */
#include "probing/probesite.h"

#include "access/detoast.h"
#include "type/type.h"

RibbonFilter ribbon_probesite_sliced;

void
ribbon_probesite_init(RibbonProbeSite *site, RibbonSqlType type,
					  MemoryContext context)
{
	site->hasher.owner = type;
	site->hasher.probes = true;
	site->context = context;
}

void *
ribbon_probesite_make(FmgrInfo *function, RibbonSqlType type, size_t size)
{
	RibbonProbeSite *site = MemoryContextAllocZero(function->fn_mcxt, size);

	ribbon_probesite_init(site, type, function->fn_mcxt);
	function->fn_extra = site;
	return site;
}

/* One that is compressed, or elsewhere in memory, as it would be in line. */
static struct varlena *
make_plain(RibbonProbeSite *site, struct varlena *datum)
{
	size_t size = VARSIZE_ANY(datum);
	struct varlena *compressed = site->compressed;
	MemoryContext old_context;

	if (compressed != NULL && VARSIZE_ANY(compressed) == size &&
		memcmp(compressed, datum, size) == 0)
		return site->plain;

	site->compressed = NULL; /* should there be an error */
	if (compressed != NULL)
		pfree(compressed);
	if (site->plain != NULL)
		pfree(site->plain);
	site->plain = NULL;

	old_context = MemoryContextSwitchTo(site->context);
	site->plain = detoast_attr(datum);
	if (!VARATT_IS_EXTERNAL(datum))
		site->compressed = memcpy(palloc(size), datum, size);
	MemoryContextSwitchTo(old_context);
	return site->plain;
}

static const RibbonFilter *
open_sliced(RibbonSqlType type, const varatt_external *pointer)
{
	static RibbonSlices slices;
	RibbonFilter *filter = &ribbon_probesite_sliced;

	ribbon_slice_open(&slices, pointer);
	ribbon_datum_check(type,
					   ribbon_open_sliced(VARATT_EXTERNAL_GET_EXTSIZE(*pointer),
										  ribbon_slice_fetch, &slices, filter),
					   filter);
	return filter;
}

static const RibbonFilter *
open_datum(RibbonProbeSite *site, struct varlena *datum, unsigned nprobes)
{
	RibbonSqlType type = site->hasher.owner;
	const RibbonFilter *cached;
	varatt_external pointer;

	/* (a TOAST pointer counts as VARATT_IS_SHORT, too) */
	if (VARATT_IS_EXTERNAL_ONDISK(datum))
	{
		cached = ribbon_storedcache_find(type, datum, nprobes);
		if (likely(cached != NULL))
			return cached;
		VARATT_EXTERNAL_GET_POINTER(pointer, datum);
		if (!VARATT_EXTERNAL_IS_COMPRESSED(pointer))
			return open_sliced(type, &pointer);
	}
	if (VARATT_IS_EXTERNAL(datum) || VARATT_IS_COMPRESSED(datum))
		datum = make_plain(site, datum);
	return ribbon_headercache_open(site, datum);
}

const RibbonFilter *
ribbon_probesite_open(RibbonProbeSite *site, Datum datum, unsigned nprobes)
{
	const RibbonFilter *filter =
		open_datum(site, (struct varlena *) DatumGetPointer(datum), nprobes);

	if (ribbon_keyhash_adapt(&site->hasher, filter))
		return filter;
	ribbon_probesite_close(filter);
	return NULL;
}
