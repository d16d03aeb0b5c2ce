/*
 * check.c - is a stored filter or map still what was stored?
 *
 * Probes trust a datum after a look at its header.  ribbon_check reads all of
 * it, and returns true or throws with what is wrong.  What it cannot see is in
 * format/check.c of the core.
 */
#include "type/type.h"

#include "server/server.h"
#include "values/dictionary.h"

/* ribbon_check(filter), ribbon_check(map) */
static Datum
check_value(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	struct varlena *stored = RIBBON_GETARG_VARLENA_PP(0);
	RibbonEnv env = ribbon_env_create();
	RibbonFilter filter;
	RibbonStatus status;

	ribbon_datum_open(type, stored, &filter);
	status = ribbon_dictionary_check(&env, &filter);
	if (status == RIBBON_OK)
		status = ribbon_check(&env, &filter);
	if (status != RIBBON_OK)
		ribbon_error_throw(type, status);

	PG_FREE_IF_COPY(stored, 0);
	PG_RETURN_BOOL(true);
}

RIBBON_SQL_PAIR(ribbon_pg_check, ribbon_pg_map_check, check_value);
