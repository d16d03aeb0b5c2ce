/*
 * segments.c - no shared memory to spare, and plans that are written and read
 *
 * The server has a number of segments for all processes; a query that finds
 * none left runs without workers.
 */
#include "postgres.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "nodes/nodes.h"
#include "storage/dsm.h"
#include "utils/builtins.h"
#include "utils/plancache.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(hold_segments);
PG_FUNCTION_INFO_V1(plan_text);

/* hold_segments(): take all segments there are, until the session ends */
Datum
hold_segments(PG_FUNCTION_ARGS)
{
	dsm_segment *segment;

	while ((segment = dsm_create(1, DSM_CREATE_NULL_IF_MAXSEGMENTS)) != NULL)
		dsm_pin_mapping(segment);
	PG_RETURN_VOID();
}

/* plan_text(query, times): its plan as text, read and written so many times */
Datum
plan_text(PG_FUNCTION_ARGS)
{
	MemoryContext context = CurrentMemoryContext;
	SPIPlanPtr prepared;
	CachedPlan *plan;
	char *written;
	text *result;

	SPI_connect();
	prepared = SPI_prepare(text_to_cstring(PG_GETARG_TEXT_PP(0)), 0, NULL);
	plan = GetCachedPlan(linitial(SPI_plan_get_plan_sources(prepared)), NULL,
						 NULL, NULL);
	written = nodeToString(linitial(plan->stmt_list));
	for (int i = 0; i < PG_GETARG_INT32(1); i++)
		written = nodeToString(stringToNode(written));
	ReleaseCachedPlan(plan, NULL);
	MemoryContextSwitchTo(context);
	result = cstring_to_text(written);
	SPI_finish();
	PG_RETURN_TEXT_P(result);
}
