/*
 * get.c - what does this map have for this key?
 *
 *	 map -> key							as bigint	ribbon_get_bigint
 *	 map ->> key						as text		ribbon_get_text
 *	 ribbon_get(map, key, otherwise)	as a value of the type of otherwise
 *
 * The way of a probe is drawn in probing.h.  The key is hashed with the seed
 * of the map that came before; if this one has another, it is hashed again.
 */
#include "probing/probesite.h"

#include "value/value.h"

/* What the function of a call site asks for. */
typedef enum Wanted
{
	WANTED_ANY,
	WANTED_INTEGER,
	WANTED_TYPE /* the site's */
} Wanted;

/* A call site; in fn_extra. */
typedef struct GetSite
{
	RibbonProbeSite base; /* first */
	bool has_type;
	RibbonValueType value_type; /* of ribbon_get's answer, if has_type */
} GetSite;

static inline GetSite *
site_of_call(FunctionCallInfo fcinfo)
{
	return ribbon_probesite_of_call(fcinfo, RIBBON_SQL_MAP, sizeof(GetSite));
}

/* Throw unless the call site can take the map's values. */
static pg_attribute_always_inline void
check_type(GetSite *site, Wanted wanted, const RibbonFilter *map)
{
	unsigned value_class = map->value_class;

	if (wanted == WANTED_TYPE)
		ribbon_decode_check(&site->value_type, map);
	else if (wanted == WANTED_INTEGER &&
			 unlikely(value_class < RIBBON_VALUES_BOOL ||
					  value_class > RIBBON_VALUES_INT8))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("ribbonmap has values of type %s, which -> cannot return as bigint",
						ribbon_lookup_type_name(map, false)),
				 errhint("Use map ->> key, or ribbon_get.")));
}

static pg_attribute_always_inline void
get_value(FunctionCallInfo fcinfo, GetSite *site, Wanted wanted,
		  RibbonFound *found)
{
	uint64_t hash, code;
	const RibbonFilter *map = ribbon_probesite_open_row(fcinfo, &site->base,
														RIBBON_SQL_MAP, 0,
														&hash);

	if (unlikely(map->fetch != NULL))
		ribbon_probesite_take_dictionary(&site->base);
	check_type(site, wanted, map);
	if (ribbon_get(map, hash, &code))
		ribbon_lookup_row(map, code, found);
	else
		found->kind = RIBBON_FOUND_NOTHING;
	ribbon_probesite_close(map);
}

RIBBON_SQL_ENTRY(ribbon_get_bigint)
{
	RibbonFound found;

	get_value(fcinfo, site_of_call(fcinfo), WANTED_INTEGER, &found);
	if (found.kind != RIBBON_FOUND_NUMBER)
		PG_RETURN_NULL();
	PG_RETURN_INT64(found.number);
}

RIBBON_SQL_ENTRY(ribbon_get_text)
{
	RibbonFound found;

	get_value(fcinfo, site_of_call(fcinfo), WANTED_ANY, &found);
	if (found.kind != RIBBON_FOUND_NUMBER && found.kind != RIBBON_FOUND_TEXT)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(ribbon_decode_text(&found));
}

/* Strict in the map and in the key, but not in otherwise. */
RIBBON_SQL_ENTRY(ribbon_pg_get)
{
	RibbonFound found;
	GetSite *site;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();

	site = site_of_call(fcinfo);
	if (unlikely(!site->has_type))
		ribbon_valuetype_init(&site->value_type, fcinfo, 2,
							  "answer of ribbon_get");
	site->has_type = true;
	get_value(fcinfo, site, WANTED_TYPE, &found);
	if (found.kind == RIBBON_FOUND_NOTHING)
	{
		fcinfo->isnull = PG_ARGISNULL(2);
		return PG_GETARG_DATUM(2);
	}
	fcinfo->isnull = found.kind == RIBBON_FOUND_NULL;
	return ribbon_decode_value(&site->value_type, &found);
}
