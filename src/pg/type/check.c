/*
 * check.c - is a stored filter still what was stored?
 *
 * Probes trust a value after a look at its header.  ribbon_check reads all of
 * it, and throws with what is wrong.  What it cannot see is in check.c of
 * the core.
 */
#include "type/type.h"

#include "server/server.h"

PG_FUNCTION_INFO_V1(ribbon_pg_check);

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
		ribbon_error_throw(status);

	PG_FREE_IF_COPY(value, 0);
	PG_RETURN_VOID();
}
