/*
 * callsite.c - what a call site keeps, and how it comes to a value
 *
 * The way of a probe is drawn in contains.h.
 */
#include "probe/contains.h"

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
	site->key_type.of = type;
	site->cache.context = context;
	site->cache.opened.type = type;
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

/* A RibbonSliceUse. */
static bool
use_slices(void *arg, size_t size, RibbonFetch fetch, void *fetch_arg)
{
	const SlicedUse *sliced = arg;
	RibbonFilter filter;
	RibbonProbed probed = {&filter, fetch, fetch_arg};

	ribbon_value_open_sliced(sliced->site->cache.opened.type, size, fetch,
							 fetch_arg, &filter);
	return ribbon_probesite_fits(sliced->site, &filter) &&
		sliced->use(sliced->arg, &probed);
}

bool
ribbon_probesite_use(RibbonProbeSite *site, Datum datum, unsigned nprobes,
					 RibbonProbeUse use, void *arg)
{
	struct varlena *value = ribbon_probecache_follow(datum);
	RibbonProbed whole = {
		.opened = ribbon_probecache_open(&site->cache, value, nprobes)};
	SlicedUse sliced = {site, use, arg};

	if (unlikely(whole.opened == NULL))
		return ribbon_slice_use(value, use_slices, &sliced);
	return ribbon_probesite_fits(site, whole.opened) && use(arg, &whole);
}
