/*
 * callsite.c - what a call site keeps, and how it comes to a value
 *
 * The way of a probe is drawn in probing.h.  A query probes the same value
 * over and over: a constant, or the one row of a table that a nested loop comes
 * back to.  How the value arrives decides what there is to save.
 *
 *	 in line	The bytes are before us, and are probed where they lie.  What
 *				can be saved is decoding the header: headercache.c.
 *
 *	 stored		A pointer to the TOAST table, which names the value.  Has it
 *				been read already, or is it to be probed in slices?
 *				storedcache.c knows.
 *
 *	 compressed	in line, after ALTER TABLE ... SET STORAGE: the
 *				bytes, which are few, name themselves, and what they stand for
 *				is kept until others come.
 *
 *	 others		such as values in a form of their own in memory, are made plain
 *				for every call.
 */
#include "probing/probing.h"

#include "access/detoast.h"
#include "type/type.h"

/* A RibbonProbeUse, to be made of slices. */
typedef struct SlicedUse
{
	RibbonProbeSite *site;
	RibbonProbeUse use;
	void *arg;
} SlicedUse;

void
ribbon_probesite_init(RibbonProbeSite *site, RibbonSqlType type,
					  MemoryContext context)
{
	site->hasher.owner = type;
	site->hasher.probes = true;
	site->context = context;
}

void *
ribbon_probesite_of_call(FunctionCallInfo fcinfo, RibbonSqlType type,
						 size_t size)
{
	FmgrInfo *function = fcinfo->flinfo;

	if (unlikely(function->fn_extra == NULL))
	{
		RibbonProbeSite *site = MemoryContextAllocZero(function->fn_mcxt, size);

		ribbon_probesite_init(site, type, function->fn_mcxt);
		function->fn_extra = site;
	}
	return function->fn_extra;
}

/* The value that a datum stands for: it may be a pointer to another. */
static struct varlena *
follow(Datum datum)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(datum);

	while (unlikely(VARATT_IS_EXTERNAL_INDIRECT(value)))
	{
		struct varatt_indirect redirect;

		VARATT_EXTERNAL_GET_POINTER(redirect, value);
		value = redirect.pointer;
	}
	return value;
}

/*
 * A value that is compressed, or elsewhere in memory, as it would be in line.
 */
static struct varlena *
make_plain(RibbonProbeSite *site, struct varlena *value)
{
	size_t size = VARSIZE_ANY(value);
	struct varlena *identity = site->identity;
	MemoryContext old_context;

	if (identity != NULL && VARSIZE_ANY(identity) == size &&
		memcmp(identity, value, size) == 0)
		return site->copy;

	site->identity = NULL; /* should there be an error */
	if (identity != NULL)
		pfree(identity);
	if (site->copy != NULL)
		pfree(site->copy);
	site->copy = NULL;

	old_context = MemoryContextSwitchTo(site->context);
	site->copy = detoast_attr(value);
	if (!VARATT_IS_EXTERNAL(value))
		site->identity = memcpy(palloc(size), value, size);
	MemoryContextSwitchTo(old_context);
	return site->copy;
}

/* NULL: it is to be probed in slices. */
static const RibbonFilter *
find_value(RibbonProbeSite *site, struct varlena *value, unsigned nprobes)
{
	/* (a TOAST pointer counts as VARATT_IS_SHORT, too) */
	if (VARATT_IS_EXTERNAL_ONDISK(value))
	{
		const RibbonFilter *kept = ribbon_storedcache_find(site->hasher.owner,
														   value, nprobes);
		varatt_external pointer;

		VARATT_EXTERNAL_GET_POINTER(pointer, value);
		if (likely(kept != NULL) || !VARATT_EXTERNAL_IS_COMPRESSED(pointer))
			return kept;
	}
	if (VARATT_IS_EXTERNAL(value) || VARATT_IS_COMPRESSED(value))
		value = make_plain(site, value);

	return ribbon_headercache_open(site, value);
}

/* A RibbonSliceUse. */
static bool
use_slices(void *arg, size_t size, RibbonFetch fetch, void *fetch_arg)
{
	const SlicedUse *sliced = arg;
	RibbonFilter filter;
	RibbonProbed probed = {&filter, fetch, fetch_arg};

	ribbon_datum_open_sliced(sliced->site->hasher.owner, size, fetch, fetch_arg,
							 &filter);
	return ribbon_probesite_adapt(sliced->site, &filter) &&
		sliced->use(sliced->arg, &probed);
}

bool
ribbon_probesite_use(RibbonProbeSite *site, Datum datum, unsigned nprobes,
					 RibbonProbeUse use, void *arg)
{
	struct varlena *value = follow(datum);
	RibbonProbed whole = {.opened = find_value(site, value, nprobes)};
	SlicedUse sliced = {site, use, arg};

	if (unlikely(whole.opened == NULL))
		return ribbon_slice_use(value, use_slices, &sliced);
	return ribbon_probesite_adapt(site, whole.opened) && use(arg, &whole);
}
