/*
 * probe.c - is this key in this filter?
 *
 * One C function for each order of the arguments.
 *
 * What a call site has found out, the key's class and the filter ready for
 * probing, stays in fn_extra.
 */
#include "probe/contains.h"

#include "key/keyhash.h"
#include "miscadmin.h"
#include "type/type.h"

PG_FUNCTION_INFO_V1(ribbon_pg_contains);
PG_FUNCTION_INFO_V1(ribbon_contained_by);

static inline bool probe(FunctionCallInfo fcinfo, int filter_arg, int key_arg);
static bool probe_slices(void *arg, size_t size, RibbonFetch fetch,
						 void *fetch_arg);

/* ribbon_contains(filter, key) */
Datum
ribbon_pg_contains(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(probe(fcinfo, 0, 1));
}

/* ribbon_contained_by(key, filter) */
Datum
ribbon_contained_by(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(probe(fcinfo, 1, 0));
}

RibbonProbeSite *
ribbon_probe_site(FunctionCallInfo fcinfo)
{
	RibbonProbeSite *site = fcinfo->flinfo->fn_extra;

	if (unlikely(site == NULL))
	{
		site = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
									  sizeof(RibbonProbeSite));
		site->filter.context = fcinfo->flinfo->fn_mcxt;
		fcinfo->flinfo->fn_extra = site;
	}
	return site;
}

static inline bool
probe(FunctionCallInfo fcinfo, int filter_arg, int key_arg)
{
	RibbonProbeSite *site = ribbon_probe_site(fcinfo);
	Datum datum = PG_GETARG_DATUM(filter_arg);
	const RibbonFilter *filter;
	uint64_t hash;
	bool answer;

	if (unlikely(!site->key_type.decided))
		ribbon_keytype_decide_argument(&site->key_type, fcinfo, key_arg);

	for (;;)
	{
		hash = ribbon_keyhash_row(&site->key_type, PG_GETARG_DATUM(key_arg));
		filter = ribbon_kept_again((struct varlena *) DatumGetPointer(datum));
		if (unlikely(filter == NULL))
		{
			if (ribbon_probe_hashes(site, datum, &hash, 1, &answer))
				return answer;
		}
		else if (ribbon_keyclass_fits(&site->key_type, filter))
			return ribbon_contains(filter, hash);
	}
}

/*
 * The keys have been hashed before, because that may call anything, and a
 * filter that has been opened is good only until something else is called.  So
 * if it turns out that they are to be hashed in another way, we start again.
 */
bool
ribbon_probe_hashes(RibbonProbeSite *site, Datum datum, const uint64_t *hashes,
					size_t n, bool *answers)
{
	struct varlena *value = ribbon_probecache_follow(datum);
	const RibbonFilter *filter = ribbon_probecache_open(&site->filter, value,
														(unsigned) n);

	if (unlikely(filter == NULL))
	{
		RibbonSlicedProbe sliced = {&site->key_type, hashes, n, answers};

		return ribbon_slice_use(value, probe_slices, &sliced);
	}
	if (!ribbon_keyclass_fits(&site->key_type, filter))
		return false;
	if (n == 1)
		answers[0] = ribbon_contains(filter, hashes[0]);
	else
		ribbon_contains_batch(filter, hashes, n, answers);
	return true;
}

/* A RibbonSliceUse. */
static bool
probe_slices(void *arg, size_t size, RibbonFetch fetch, void *fetch_arg)
{
	const RibbonSlicedProbe *probe = arg;
	RibbonFilter filter;
	size_t nheader = Min(size, RIBBON_MAX_HEADER);

	ribbon_value_open_header(fetch(fetch_arg, 0, nheader), nheader, size,
							 &filter);
	if (!ribbon_keyclass_fits(probe->key_type, &filter))
		return false;
	for (size_t i = 0; i < probe->n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		probe->answers[i] = ribbon_contains_sliced(&filter, probe->hashes[i],
												   fetch, fetch_arg);
	}
	return true;
}
