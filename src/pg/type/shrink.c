/*
 * shrink.c - a smaller filter of the same keys, at a higher false-positive rate
 *
 * The core drops result bits; the keys are not needed [RF 5.1].
 */
#include "type/type.h"

#include "server/server.h"

PG_FUNCTION_INFO_V1(ribbon_pg_shrink);

/* ribbon_shrink(filter, fpr) */
Datum
ribbon_pg_shrink(PG_FUNCTION_ARGS)
{
	struct varlena *stored = RIBBON_GETARG_VARLENA_PP(0);
	RibbonEnv env = ribbon_env_create();
	struct varlena *result;
	RibbonFilter filter;
	RibbonStatus status;
	uint8_t *bytes = NULL;
	size_t nbytes = 0;

	ribbon_datum_open(RIBBON_SQL_FILTER, stored, &filter);
	ribbon_error_check_fpr(PG_GETARG_FLOAT8(1), false);
	status = ribbon_shrink(&env, &filter, PG_GETARG_FLOAT8(1), VARHDRSZ, &bytes,
						   &nbytes);
	result = ribbon_datum_finish(RIBBON_SQL_FILTER, status, bytes, nbytes);

	PG_FREE_IF_COPY(stored, 0);
	PG_RETURN_POINTER(result);
}
