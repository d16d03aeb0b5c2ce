/*
 * contains.c - is this key in this filter, or map?
 *
 *	 filter @> key		ribbon_contains(filter, key)
 *	 key <@ filter		ribbon_contained_by(key, filter)
 *
 * These are two C functions for filters, and two for maps.  The way of a probe
 * is drawn in probing.h.
 */
#include "probing/probesite.h"

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

/* Set answers[i] to that for hashes[i]. */
static void
find_keys(const RibbonFilter *filter, const uint64_t *hashes, size_t n,
		  bool *answers)
{
	uint64_t codes[RIBBON_MAX_PROBES];

	if (n == 1)
		answers[0] = find_key(filter, filter->has_values, hashes[0]);
	else if (!filter->has_values)
		ribbon_contains_batch(filter, hashes, n, answers);
	else
	{
		Assert(n <= RIBBON_MAX_PROBES);
		ribbon_get_batch(filter, hashes, n, answers, codes);
		ribbon_lookup_sift(filter, codes, n, answers);
	}
}

bool
ribbon_probe_hashes(RibbonProbeSite *site, Datum datum, const uint64_t *hashes,
					size_t n, bool *answers)
{
	const RibbonFilter *filter = ribbon_probesite_open(site, datum,
													   (unsigned) n);

	if (filter == NULL)
		return false;
	find_keys(filter, hashes, n, answers);
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
