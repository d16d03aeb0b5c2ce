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

/* Hashes to look up, and room for as many answers. */
typedef struct Keys
{
	const uint64_t *hashes;
	size_t n;
	bool *answers;
} Keys;

/* A RibbonProbeUse, whose argument is Keys. */
static bool
find_keys(void *arg, const RibbonSource *value)
{
	const Keys *keys = arg;

	if (value->fetch == NULL && keys->n > 1)
	{
		ribbon_contains_batch(value->opened, keys->hashes, keys->n,
							  keys->answers);
		return true;
	}
	for (size_t i = 0; i < keys->n; i++)
	{
		CHECK_FOR_INTERRUPTS();
		keys->answers[i] = ribbon_source_contains(value, keys->hashes[i]);
	}
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
		hash = ribbon_keyhash_row(&site->key_type, PG_GETARG_DATUM(key_arg));
	return answer;
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
	return ribbon_contains(opened, hash);
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
