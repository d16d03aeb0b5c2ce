/*
 * next_id.c - set the counter that the ids of stored values are taken from
 *
 * For tests in which a value gets the id of another one, which has been deleted
 * and vacuumed away: without this, some four billion values later.
 */
#include "postgres.h"
#include "access/transam.h"
#include "fmgr.h"
#include "storage/lwlock.h"

#if PG_VERSION_NUM < 170000
#define TransamVariables ShmemVariableCache
#endif

PG_MODULE_MAGIC;
PG_FUNCTION_INFO_V1(set_next_id);

Datum
set_next_id(PG_FUNCTION_ARGS)
{
	LWLockAcquire(OidGenLock, LW_EXCLUSIVE);
	TransamVariables->nextOid = PG_GETARG_OID(0);
	TransamVariables->oidCount = 0;
	LWLockRelease(OidGenLock);
	PG_RETURN_VOID();
}
