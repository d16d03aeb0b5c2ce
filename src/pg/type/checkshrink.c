/*
 * checkshrink.c - ribbon_check and ribbon_shrink, which the core does
 */
#include "type/type.h"

#include "server/server.h"
#include "values/dictionary.h"

/*
 * ribbon_check(filter), ribbon_check(map)
 *
 * Probes trust a datum after a look at its header.  This reads all of it.
 */
static Datum
check_value(FunctionCallInfo fcinfo, RibbonSqlType type)
{
	struct varlena *stored = RIBBON_GETARG_VARLENA_PP(0);
	RibbonEnv env = ribbon_env_create(CurrentMemoryContext);
	RibbonFilter filter;

	ribbon_datum_open(type, stored, &filter);
	ribbon_error_check(type, ribbon_dictionary_check(&env, &filter));
	ribbon_error_check(type, ribbon_check(&env, &filter));
	PG_RETURN_BOOL(true);
}

RIBBON_SQL_PAIR(ribbon_pg_check, ribbon_pg_map_check, check_value);

/* ribbon_shrink(filter, fpr) */
RIBBON_SQL_ENTRY(ribbon_pg_shrink)
{
	struct varlena *stored = RIBBON_GETARG_VARLENA_PP(0);
	RibbonEnv env = ribbon_env_create(CurrentMemoryContext);
	RibbonFilter filter;
	RibbonStatus status;
	uint8_t *bytes = NULL;
	size_t nbytes = 0;

	ribbon_datum_open(RIBBON_SQL_FILTER, stored, &filter);
	ribbon_error_check_fpr(PG_GETARG_FLOAT8(1), false);
	status = ribbon_shrink(&env, &filter, PG_GETARG_FLOAT8(1), VARHDRSZ, &bytes,
						   &nbytes);
	PG_RETURN_POINTER(ribbon_datum_finish(RIBBON_SQL_FILTER, status, bytes,
										  nbytes));
}
