/*
 * shrink.c - a smaller filter of the same keys, at a higher false-positive rate
 *
 * The core drops result bits; the keys are not needed [RF 5.1].
 */
#include "ribbon_pg.h"

PG_FUNCTION_INFO_V1(ribbon_pg_shrink);

/* ribbon_shrink(filter, fpr) */
Datum
ribbon_pg_shrink(PG_FUNCTION_ARGS)
{
	struct varlena *value = RIBBON_GETARG_VARLENA_PP(0);
	struct varlena *result;
	RibbonFilter filter;

	ribbon_adapter_open((const uint8_t *) VARDATA_ANY(value),
						VARSIZE_ANY_EXHDR(value), &filter);
	result = ribbon_adapter_shrink(&filter, PG_GETARG_FLOAT8(1),
								   CurrentMemoryContext);

	PG_FREE_IF_COPY(value, 0);
	PG_RETURN_POINTER(result);
}
