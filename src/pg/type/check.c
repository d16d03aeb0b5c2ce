/*
 * check.c - is a stored filter or map still what was stored?
 *
 * Probes trust a value after a look at its header.  ribbon_check reads all of
 * it, and returns true or throws with what is wrong.  What it cannot see is in
 * check.c of the core.
 */
#include "type/type.h"

#include "server/server.h"
#include "value/lookup.h"

PG_FUNCTION_INFO_V1(ribbon_pg_check);
PG_FUNCTION_INFO_V1(ribbon_pg_map_check);

/* ribbon_check(filter) */
Datum
ribbon_pg_check(PG_FUNCTION_ARGS)
{
	struct varlena *value = RIBBON_GETARG_VARLENA_PP(0);
	RibbonEnv env = ribbon_env_create();
	RibbonFilter filter;
	RibbonStatus status;

	ribbon_value_open((const uint8_t *) VARDATA_ANY(value),
					  VARSIZE_ANY_EXHDR(value), &filter);
	status = ribbon_check(&env, &filter);
	if (status != RIBBON_OK)
		ribbon_error_throw(RIBBON_SQL_FILTER, status);

	PG_FREE_IF_COPY(value, 0);
	PG_RETURN_BOOL(true);
}

/* ribbon_check(map) */
Datum
ribbon_pg_map_check(PG_FUNCTION_ARGS)
{
	struct varlena *value = RIBBON_GETARG_VARLENA_PP(0);
	RibbonEnv env = ribbon_env_create();
	RibbonFilter planes[RIBBON_MAP_PLANES];
	RibbonMap map;
	RibbonStatus status;
	const char *objection;

	ribbon_value_open_map((const uint8_t *) VARDATA_ANY(value),
						  VARSIZE_ANY_EXHDR(value), &map, planes);
	objection = ribbon_lookup_check(&map);
	if (objection != NULL)
		ribbon_error_corrupt(RIBBON_SQL_MAP, objection);
	status = ribbon_map_check(&env, &map);
	if (status != RIBBON_OK)
		ribbon_error_corrupt(RIBBON_SQL_MAP, ribbon_status_text(status));

	PG_FREE_IF_COPY(value, 0);
	PG_RETURN_BOOL(true);
}
