/*
 * contains.c - is this key in this filter, or map?
 *
 *	 filter @> key		ribbon_contains(filter, key)
 *	 key <@ filter		ribbon_contained_by(key, filter)
 *
 * These are two C functions for filters, and two for maps.
 * The way of a probe is drawn in probing.h.
 */
#include "probing/probesite.h"

#include "value/value.h"

/*
 * Set answers[i] to whether the key with hashes[i] is in a map.  It is if it
 * has a code, and the code stands for a value.
 */
static void
find_in_map(const RibbonFilter *map, const uint64_t *hashes, size_t n,
			bool *answers)
{
	uint64_t codes[RIBBON_ARRAY_CHUNK];

	for (size_t i = 0; i < n; i += RIBBON_ARRAY_CHUNK)
	{
		size_t nhashes = Min(n - i, RIBBON_ARRAY_CHUNK);

		if (nhashes == 1)
			answers[i] = ribbon_get(map, hashes[i], codes);
		else
			ribbon_get_batch(map, hashes + i, nhashes, answers + i, codes);
		ribbon_lookup_sift(map, codes, nhashes, answers + i);
	}
}

static void
find_keys(const RibbonFilter *filter, const uint64_t *hashes, size_t n,
		  bool *answers)
{
	if (filter->has_values)
		find_in_map(filter, hashes, n, answers);
	else if (n == 1)
		answers[0] = ribbon_contains(filter, hashes[0]);
	else
		ribbon_contains_batch(filter, hashes, n, answers);
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
	ribbon_probesite_close(site, filter);
	return true;
}

static pg_attribute_always_inline bool
is_in_map(const RibbonFilter *map, uint64_t hash)
{
	RibbonFound found;
	uint64_t code;

	if (!ribbon_get(map, hash, &code))
		return false;
	ribbon_lookup_row(map, code, &found);
	return found.kind != RIBBON_FOUND_NOTHING;
}

static pg_attribute_always_inline bool
contains_key(FunctionCallInfo fcinfo, RibbonSqlType type, int datum_arg)
{
	RibbonProbeSite *site = ribbon_probesite_of_call(fcinfo, type,
													 sizeof(RibbonProbeSite));
	uint64_t hash;
	const RibbonFilter *filter = ribbon_probesite_open_row(fcinfo, site, type,
														   datum_arg, &hash);
	bool answer = type == RIBBON_SQL_FILTER ? ribbon_contains(filter, hash) :
											  is_in_map(filter, hash);

	ribbon_probesite_close(site, filter);
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
