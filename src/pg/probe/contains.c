/*
 * contains.c - is this key in this filter, or map?
 *
 *	 ribbon_contains(value, key), value @> key		one C function for each type
 *	 ribbon_contained_by(key, value), key <@ value	and order of the arguments
 *
 * The way of a probe is drawn in contains.h.
 */
#include "probe/contains.h"

#include "miscadmin.h"
#include "value/lookup.h"

/* Keys of a map whose codes are looked up at a time. */
#define BATCH 256

PG_FUNCTION_INFO_V1(ribbon_pg_contains);
PG_FUNCTION_INFO_V1(ribbon_contained_by);
PG_FUNCTION_INFO_V1(ribbon_map_contains);
PG_FUNCTION_INFO_V1(ribbon_map_contained_by);

/* Hashes to look up, and room for as many answers. */
typedef struct Keys
{
	const uint64_t *hashes;
	size_t n;
	bool *answers;
} Keys;

static pg_attribute_always_inline bool contains_key(FunctionCallInfo fcinfo,
													RibbonSqlType type,
													int value_arg, int key_arg);
static bool contains_elsewhere(FunctionCallInfo fcinfo, RibbonProbeSite *site,
							   int value_arg, int key_arg, uint64_t hash);
static bool find_in_filter(void *arg, const RibbonProbed *value);
static bool find_in_map(void *arg, const RibbonProbed *value);

/* ribbon_contains(filter, key) */
Datum
ribbon_pg_contains(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(contains_key(fcinfo, RIBBON_SQL_FILTER, 0, 1));
}

/* ribbon_contained_by(key, filter) */
Datum
ribbon_contained_by(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(contains_key(fcinfo, RIBBON_SQL_FILTER, 1, 0));
}

/* ribbon_contains(map, key) */
Datum
ribbon_map_contains(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(contains_key(fcinfo, RIBBON_SQL_MAP, 0, 1));
}

/* ribbon_contained_by(key, map) */
Datum
ribbon_map_contained_by(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(contains_key(fcinfo, RIBBON_SQL_MAP, 1, 0));
}

/* Is it in a map in memory? */
static pg_attribute_always_inline bool
is_in_map(const RibbonFilter *map, uint64_t hash)
{
	RibbonMapSource source = ribbon_map_source(map);
	RibbonFound found;
	uint64_t code;

	if (!ribbon_get(map, hash, &code))
		return false;
	ribbon_lookup_row(&source, code, &found);
	return found.kind != RIBBON_FOUND_NOTHING;
}

static pg_attribute_always_inline bool
contains_key(FunctionCallInfo fcinfo, RibbonSqlType type, int value_arg,
			 int key_arg)
{
	RibbonProbeSite *site = ribbon_probesite_of_call(fcinfo, type,
													 sizeof(RibbonProbeSite));
	uint64_t hash;
	const void *opened = ribbon_probesite_hash(fcinfo, site, type, value_arg,
											   key_arg, &hash);

	if (unlikely(opened == NULL))
		return contains_elsewhere(fcinfo, site, value_arg, key_arg, hash);
	return type == RIBBON_SQL_FILTER ? ribbon_contains(opened, hash) :
									   is_in_map(opened, hash);
}

/* The value is not the one found last. */
static pg_noinline bool
contains_elsewhere(FunctionCallInfo fcinfo, RibbonProbeSite *site,
				   int value_arg, int key_arg, uint64_t hash)
{
	bool answer;

	while (!ribbon_probe_hashes(site, PG_GETARG_DATUM(value_arg), &hash, 1,
								&answer))
		hash = ribbon_keyhash_row(&site->key_type, PG_GETARG_DATUM(key_arg));
	return answer;
}

bool
ribbon_probe_hashes(RibbonProbeSite *site, Datum datum, const uint64_t *hashes,
					size_t n, bool *answers)
{
	Keys keys = {hashes, n, answers};

	return ribbon_probesite_use(site, datum, (unsigned) n,
								site->cache.opened.type == RIBBON_SQL_FILTER ?
									find_in_filter :
									find_in_map,
								&keys);
}

/* A RibbonProbeUse, whose argument is Keys. */
static bool
find_in_filter(void *arg, const RibbonProbed *value)
{
	const Keys *keys = arg;
	const RibbonFilter *filter = value->opened;

	if (value->fetch == NULL && keys->n == 1)
		keys->answers[0] = ribbon_contains(filter, keys->hashes[0]);
	else if (value->fetch == NULL)
		ribbon_contains_batch(filter, keys->hashes, keys->n, keys->answers);
	else
		for (size_t i = 0; i < keys->n; i++)
		{
			CHECK_FOR_INTERRUPTS();
			keys->answers[i] = ribbon_contains_sliced(filter, keys->hashes[i],
													  value->fetch,
													  value->fetch_arg);
		}
	return true;
}

/*
 * A RibbonProbeUse, whose argument is Keys.  A code that stands for nothing is
 * that of no key of the map.
 */
static bool
find_in_map(void *arg, const RibbonProbed *value)
{
	const Keys *keys = arg;
	const RibbonFilter *map = value->opened;
	RibbonMapSource source = {map, map->dictionary, value->fetch,
							  value->fetch_arg};
	uint64_t codes[BATCH];

	if (value->fetch != NULL)
		source.dictionary = NULL;
	for (size_t i = 0; i < keys->n; i += BATCH)
	{
		const uint64_t *hashes = keys->hashes + i;
		bool *answers = keys->answers + i;
		size_t n = Min(keys->n - i, BATCH);

		if (value->fetch != NULL)
			for (size_t k = 0; k < n; k++)
			{
				CHECK_FOR_INTERRUPTS();
				answers[k] = ribbon_get_sliced(map, hashes[k], value->fetch,
											   value->fetch_arg, &codes[k]);
			}
		else if (n == 1)
			answers[0] = ribbon_get(map, hashes[0], &codes[0]);
		else
			ribbon_get_batch(map, hashes, n, answers, codes);
		ribbon_lookup_sift(&source, codes, n, answers);
	}
	return true;
}
