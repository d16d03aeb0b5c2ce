/*
 * contains.c - is this key in this filter, or map?
 *
 *	 ribbon_contains(value, key), value @> key		one C function for each type
 *	 ribbon_contained_by(key, value), key <@ value	and order of the arguments
 *
 * The way of a probe is drawn in probing.h.
 */
#include "probing/probing.h"

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

/*
 * Find up to BATCH keys, and in a map their codes; one that stands for nothing
 * is that of no key of the map.
 */
static void
find_codes(const RibbonProbed *value, const uint64_t *hashes, size_t n,
		   bool *answers)
{
	const RibbonFilter *opened = value->opened;
	RibbonMapSource source = {opened,
							  value->fetch == NULL ? opened->dictionary : NULL,
							  value->fetch, value->fetch_arg};
	uint64_t codes[BATCH];

	if (value->fetch != NULL)
		for (size_t i = 0; i < n; i++)
		{
			CHECK_FOR_INTERRUPTS();
			answers[i] = opened->has_values ?
				ribbon_get_sliced(opened, hashes[i], value->fetch,
								  value->fetch_arg, &codes[i]) :
				ribbon_contains_sliced(opened, hashes[i], value->fetch,
									   value->fetch_arg);
		}
	else if (n == 1)
		answers[0] = ribbon_get(opened, hashes[0], &codes[0]);
	else
		ribbon_get_batch(opened, hashes, n, answers, codes);
	if (opened->has_values)
		ribbon_lookup_sift(&source, codes, n, answers);
}

/* A RibbonProbeUse, whose argument is Keys. */
static bool
find_keys(void *arg, const RibbonProbed *value)
{
	const Keys *keys = arg;
	const RibbonFilter *opened = value->opened;

	if (opened->has_values || value->fetch != NULL)
		for (size_t i = 0; i < keys->n; i += BATCH)
			find_codes(value, keys->hashes + i, Min(keys->n - i, BATCH),
					   keys->answers + i);
	else if (keys->n == 1)
		keys->answers[0] = ribbon_contains(opened, keys->hashes[0]);
	else
		ribbon_contains_batch(opened, keys->hashes, keys->n, keys->answers);
	return true;
}

bool
ribbon_probe_hashes(RibbonProbeSite *site, Datum datum, const uint64_t *hashes,
					size_t n, bool *answers)
{
	Keys keys = {hashes, n, answers};

	return ribbon_probesite_use(site, datum, (unsigned) n, find_keys, &keys);
}

/* The value is not the one found last. */
static pg_noinline bool
contains_elsewhere(FunctionCallInfo fcinfo, RibbonProbeSite *site,
				   int value_arg, int key_arg, uint64_t hash)
{
	bool answer;

	while (!ribbon_probe_hashes(site, PG_GETARG_DATUM(value_arg), &hash, 1,
								&answer))
		hash = ribbon_keyhash_row(&site->hasher, PG_GETARG_DATUM(key_arg));
	return answer;
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
	const RibbonFilter *opened =
		ribbon_probesite_hash(fcinfo, site, type, value_arg, key_arg, &hash);

	if (unlikely(opened == NULL))
		return contains_elsewhere(fcinfo, site, value_arg, key_arg, hash);
	return type == RIBBON_SQL_FILTER ? ribbon_contains(opened, hash) :
									   is_in_map(opened, hash);
}

/* One function of SQL for each type, and each order of its arguments. */
#define CONTAINS(name, type, value_arg, key_arg) \
	PG_FUNCTION_INFO_V1(name); \
	Datum name(PG_FUNCTION_ARGS) \
	{ \
		PG_RETURN_BOOL(contains_key(fcinfo, type, value_arg, key_arg)); \
	} \
	extern Datum name(PG_FUNCTION_ARGS)

CONTAINS(ribbon_pg_contains, RIBBON_SQL_FILTER, 0, 1);
CONTAINS(ribbon_contained_by, RIBBON_SQL_FILTER, 1, 0);
CONTAINS(ribbon_map_contains, RIBBON_SQL_MAP, 0, 1);
CONTAINS(ribbon_map_contained_by, RIBBON_SQL_MAP, 1, 0);
