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

#include "miscadmin.h"
#include "value/value.h"

/* Keys of a map whose codes are looked up at a time. */
#define BATCH 256

/* Hashes to look up, and room for as many answers. */
typedef struct Keys
{
	const uint64_t *hashes;
	size_t n;
	bool *answers;
} Keys;

/* Look keys up in a filter. */
static void
find_in_filter(const RibbonOpenDatum *datum, const Keys *keys)
{
	const RibbonFilter *filter = datum->filter;

	if (datum->fetch != NULL)
		for (size_t i = 0; i < keys->n; i++)
		{
			CHECK_FOR_INTERRUPTS();
			keys->answers[i] = ribbon_contains_sliced(filter, keys->hashes[i],
													  datum->fetch,
													  datum->fetch_arg);
		}
	else if (keys->n == 1)
		keys->answers[0] = ribbon_contains(filter, keys->hashes[0]);
	else
		ribbon_contains_batch(filter, keys->hashes, keys->n, keys->answers);
}

/*
 * Look up to BATCH keys up in a map.  A key is in it if it has a code, and the
 * code stands for a value.
 */
static void
find_in_map(const RibbonOpenDatum *datum, const Keys *keys)
{
	const RibbonFilter *map = datum->filter;
	RibbonSource source = {map, datum->fetch == NULL ? map->dictionary : NULL,
						   datum->fetch, datum->fetch_arg};
	uint64_t codes[BATCH];

	if (datum->fetch != NULL)
		for (size_t i = 0; i < keys->n; i++)
		{
			CHECK_FOR_INTERRUPTS();
			keys->answers[i] = ribbon_get_sliced(map, keys->hashes[i],
												 datum->fetch, datum->fetch_arg,
												 &codes[i]);
		}
	else if (keys->n == 1)
		keys->answers[0] = ribbon_get(map, keys->hashes[0], &codes[0]);
	else
		ribbon_get_batch(map, keys->hashes, keys->n, keys->answers, codes);
	ribbon_lookup_sift(&source, codes, keys->n, keys->answers);
}

/* A RibbonProbeUse, whose argument is Keys. */
static void
find_keys(void *arg, const RibbonOpenDatum *datum)
{
	const Keys *keys = arg;

	if (!datum->filter->has_values)
		find_in_filter(datum, keys);
	else
		for (size_t i = 0; i < keys->n; i += BATCH)
			find_in_map(datum,
						&(Keys){keys->hashes + i, Min(keys->n - i, BATCH),
								keys->answers + i});
}

bool
ribbon_probe_hashes(RibbonProbeSite *site, Datum datum, const uint64_t *hashes,
					size_t n, bool *answers)
{
	Keys keys = {hashes, n, answers};

	return ribbon_probesite_use(site, datum, (unsigned) n, find_keys, &keys);
}

/* The datum is not the one found last. */
static pg_noinline bool
contains_elsewhere(FunctionCallInfo fcinfo, RibbonProbeSite *site,
				   int datum_arg, int key_arg, uint64_t hash)
{
	bool answer;
	Keys keys = {&hash, 1, &answer};

	ribbon_probesite_use_key(fcinfo, site, datum_arg, key_arg, &hash, find_keys,
							 &keys);
	return answer;
}

/* Is it in a map in memory? */
static pg_attribute_always_inline bool
is_in_map(const RibbonFilter *map, uint64_t hash)
{
	RibbonSource source = ribbon_source_in_memory(map);
	RibbonFound found;
	uint64_t code;

	if (!ribbon_get(map, hash, &code))
		return false;
	ribbon_lookup_row(&source, code, &found);
	return found.kind != RIBBON_FOUND_NOTHING;
}

static pg_attribute_always_inline bool
contains_key(FunctionCallInfo fcinfo, RibbonSqlType type, int datum_arg,
			 int key_arg)
{
	RibbonProbeSite *site = ribbon_probesite_of_call(fcinfo, type,
													 sizeof(RibbonProbeSite));
	uint64_t hash;
	const RibbonFilter *filter =
		ribbon_probesite_hash(fcinfo, site, type, datum_arg, key_arg, &hash);

	if (unlikely(filter == NULL))
		return contains_elsewhere(fcinfo, site, datum_arg, key_arg, hash);
	return type == RIBBON_SQL_FILTER ? ribbon_contains(filter, hash) :
									   is_in_map(filter, hash);
}

/* One function of SQL for each type, and each order of its arguments. */
#define CONTAINS(name, type, datum_arg, key_arg) \
	PG_FUNCTION_INFO_V1(name); \
	Datum name(PG_FUNCTION_ARGS) \
	{ \
		PG_RETURN_BOOL(contains_key(fcinfo, type, datum_arg, key_arg)); \
	} \
	extern Datum name(PG_FUNCTION_ARGS)

CONTAINS(ribbon_pg_contains, RIBBON_SQL_FILTER, 0, 1);
CONTAINS(ribbon_contained_by, RIBBON_SQL_FILTER, 1, 0);
CONTAINS(ribbon_map_contains, RIBBON_SQL_MAP, 0, 1);
CONTAINS(ribbon_map_contained_by, RIBBON_SQL_MAP, 1, 0);
