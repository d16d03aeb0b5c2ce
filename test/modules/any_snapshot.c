/*
 * any_snapshot.c - probe while the active snapshot sees every row
 *
 * No statement has such a snapshot, but an extension's function may push one,
 * and may execute a plan under it.
 */
#include "postgres.h"
#include "catalog/pg_type_d.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(contains_under_any);
PG_FUNCTION_INFO_V1(query_under_any);

/* contains_under_any(regprocedure of ribbon_contains, ribbonfilter, int4) */
Datum
contains_under_any(PG_FUNCTION_ARGS)
{
	FmgrInfo *contains = fcinfo->flinfo->fn_extra;
	Datum result;

	if (contains == NULL)
	{
		MemoryContext old_context =
			MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
		Oid filter = get_fn_expr_argtype(fcinfo->flinfo, 1);
		List *args = list_make2(makeNullConst(filter, -1, InvalidOid),
								makeNullConst(INT4OID, -1, InvalidOid));

		contains = palloc(sizeof(FmgrInfo));
		fmgr_info(PG_GETARG_OID(0), contains);
		fmgr_info_set_expr((Node *) makeFuncExpr(PG_GETARG_OID(0), BOOLOID,
												 args, InvalidOid, InvalidOid,
												 COERCE_EXPLICIT_CALL),
						   contains);
		MemoryContextSwitchTo(old_context);
		fcinfo->flinfo->fn_extra = contains;
	}
	PushActiveSnapshot(SnapshotAny);
	result = FunctionCall2(contains, PG_GETARG_DATUM(1), PG_GETARG_DATUM(2));
	PopActiveSnapshot();
	PG_RETURN_DATUM(result);
}

/* query_under_any(text): the first column of the first row, as text */
Datum
query_under_any(PG_FUNCTION_ARGS)
{
	MemoryContext context = CurrentMemoryContext;
	SPIPlanPtr plan;
	char *value;
	text *result;

	SPI_connect();
	plan = SPI_prepare(text_to_cstring(PG_GETARG_TEXT_PP(0)), 0, NULL);
	if (plan == NULL ||
		SPI_execute_snapshot(plan, NULL, NULL, SnapshotAny, InvalidSnapshot,
							 true, false, 1) != SPI_OK_SELECT)
		elog(ERROR, "the query failed");
	value = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
	MemoryContextSwitchTo(context);
	result = cstring_to_text(value == NULL ? "" : value);
	SPI_finish();
	PG_RETURN_TEXT_P(result);
}
