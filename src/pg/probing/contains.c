/*
 * contains.c - is this key in this filter, or map?
 *
 *	 filter @> key		ribbon_contains(filter, key)
 *	 key <@ filter		ribbon_contained_by(key, filter)
 *
 * These are two C functions for filters, and two for maps.  ribbon_member asks
 * an exact set, if it can know.  The way of a probe is drawn in probing.h.
 */
#include "probing/probesite.h"

#include "utils/timestamp.h"
#include "value/value.h"

/*
 * Is the key with this hash in the filter, or map?  In a map it is if it has a
 * code, and the code stands for a value; no text is read for that.
 */
static pg_attribute_always_inline bool
find_key(const RibbonFilter *filter, bool is_map, uint64_t hash)
{
	RibbonFound found;
	uint64_t code;
	bool known;

	if (!is_map)
		return ribbon_contains(filter, hash);
	known = ribbon_get(filter, hash, &code);
	if (filter->value_class == RIBBON_VALUES_DICTIONARY)
		ribbon_lookup_sift(filter, &code, 1, &known);
	else if (known)
	{
		ribbon_lookup_row(filter, code, &found);
		known = found.kind != RIBBON_FOUND_NOTHING;
	}
	return known;
}

bool
ribbon_contains_hashes(RibbonProbeSite *site, Datum datum,
					   const uint64_t *hashes, size_t n, bool *answers)
{
	const RibbonFilter *filter = ribbon_probesite_open(site, datum,
													   (unsigned) n);
	uint64_t codes[RIBBON_MAX_PROBES];

	Assert(n <= RIBBON_MAX_PROBES);
	if (filter == NULL)
		return false;
	if (n == 1)
		answers[0] = find_key(filter, filter->has_values, hashes[0]);
	else if (!filter->has_values)
		ribbon_contains_batch(filter, hashes, n, answers);
	else
	{
		ribbon_get_batch(filter, hashes, n, answers, codes);
		ribbon_lookup_sift(filter, codes, n, answers);
	}
	ribbon_probesite_close(filter);
	return true;
}

static pg_attribute_always_inline bool
contains_key(FunctionCallInfo fcinfo, RibbonSqlType type, int datum_arg)
{
	RibbonProbeSite *site = ribbon_probesite_of_call(fcinfo, type,
													 sizeof(RibbonProbeSite));
	uint64_t hash;
	const RibbonFilter *filter = ribbon_probesite_open_row(fcinfo, site, type,
														   datum_arg, &hash);
	bool answer = find_key(filter, type == RIBBON_SQL_MAP, hash);

	ribbon_probesite_close(filter);
	return answer;
}

/* One function of SQL for each type, and each order of its arguments. */
RIBBON_SQL_FUNCTION(ribbon_pg_contains,
					BoolGetDatum(contains_key(fcinfo, RIBBON_SQL_FILTER, 0)));
RIBBON_SQL_FUNCTION(ribbon_contained_by,
					BoolGetDatum(contains_key(fcinfo, RIBBON_SQL_FILTER, 1)));
RIBBON_SQL_FUNCTION(ribbon_map_contains,
					BoolGetDatum(contains_key(fcinfo, RIBBON_SQL_MAP, 0)));
RIBBON_SQL_FUNCTION(ribbon_map_contained_by,
					BoolGetDatum(contains_key(fcinfo, RIBBON_SQL_MAP, 1)));

/*
 * Can the exact set know whether a key of this time is in it?  It may say as of
 * when it is right, and knows nothing of keys that are newer; of no keys at all
 * it knows nothing.
 */
static bool
can_know(const RibbonFilter *filter, TimestampTz time)
{
	if (!filter->has_as_of && filter->is_exact && filter->universe == 0)
		return false; /* built of no rows, and so of no options */
	if (!filter->has_as_of)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("ribbonfilter has no as_of time"),
				 errdetail("ribbon_member needs an exact set that was built with the option as_of."),
				 errhint("Build it with as_of, as in ribbon_build_exact(key, member, 'as_of=now').")));
	return time <= filter->as_of;
}

/* ribbon_member(filter, key, key_time): NULL for a key newer than as_of */
RIBBON_SQL_ENTRY(ribbon_member)
{
	RibbonProbeSite *site = ribbon_probesite_of_call(fcinfo, RIBBON_SQL_FILTER,
													 sizeof(RibbonProbeSite));
	TimestampTz time = PG_GETARG_TIMESTAMPTZ(2);
	uint64_t hash;
	const RibbonFilter *filter =
		ribbon_probesite_open_row(fcinfo, site, RIBBON_SQL_FILTER, 0, &hash);
	bool member = false;

	if (can_know(filter, time))
		member = ribbon_contains(filter, hash);
	else
		fcinfo->isnull = true;
	ribbon_probesite_close(filter);
	return BoolGetDatum(member);
}
