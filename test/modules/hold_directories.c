/*
 * hold_directories.c - keep directories open, as many as one may
 *
 * For tests of what is done at the end of a transaction, where the server's
 * AllocateDir would throw now.
 */
#include "postgres.h"
#include "fmgr.h"
#include "storage/fd.h"

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(hold_directories);

Datum
hold_directories(PG_FUNCTION_ARGS)
{
	MemoryContext context = CurrentMemoryContext;

	PG_TRY();
	{
		while (AllocateDir(".") != NULL)
			;
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		FlushErrorState();
	}
	PG_END_TRY();
	PG_RETURN_VOID();
}
