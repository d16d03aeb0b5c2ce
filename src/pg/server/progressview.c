/*
 * progressview.c - the builds of all sessions, for the view ribbon_progress
 *
 * Who may see which: as in pg_stat_activity, one's own and those of roles that
 * one is a member of, and all of them as a member of pg_read_all_stats.  Like
 * there, a transaction sees what was when it first looked, until
 * pg_stat_clear_snapshot().
 */
#include "server/server.h"

#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "server/progress.h"
#include "utils/acl.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(ribbon_progress_builds);

/* The columns, in the order of the function's OUT parameters. */
enum
{
	BUILD_PID,
	BUILD_DATID,
	BUILD_USESYSID,
	BUILD_AGGREGATE,
	BUILD_PHASE,
	BUILD_KEYS_READ,
	BUILD_KEYS_SOLVED,
	BUILD_LAYER,
	BUILD_PERCENT,
	BUILD_TEMP_BYTES,
	BUILD_NCOLUMNS
};

static const char *const phases[] = {"collecting", "sorting", "solving"};

static bool
may_see(const PgBackendStatus *entry)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), entry->st_userid);
}

/*
 * What is not known yet is NULL: how many keys will come; what is to be solved
 * before it is.  The numbers are those of a session whose library may be
 * another version's, so the phase is looked at.
 */
static void
put_build(ReturnSetInfo *result, const PgBackendStatus *entry)
{
	const int64 *numbers = entry->st_progress_param;
	RibbonAggregate aggregate =
		(RibbonAggregate) numbers[RIBBON_PROGRESS_AGGREGATE];
	int64 phase = numbers[RIBBON_PROGRESS_PHASE];
	Datum values[BUILD_NCOLUMNS] = {0};
	bool nulls[BUILD_NCOLUMNS] = {0};

	if (phase < 0 || phase >= (int64) lengthof(phases))
		return;
	values[BUILD_PID] = Int32GetDatum(entry->st_procpid);
	values[BUILD_DATID] = ObjectIdGetDatum(entry->st_databaseid);
	values[BUILD_USESYSID] = ObjectIdGetDatum(entry->st_userid);
	values[BUILD_AGGREGATE] =
		CStringGetTextDatum(ribbon_aggregate_name(aggregate));
	values[BUILD_PHASE] = CStringGetTextDatum(phases[phase]);
	values[BUILD_KEYS_READ] = Int64GetDatum(numbers[RIBBON_PROGRESS_KEYS_READ]);
	values[BUILD_KEYS_SOLVED] =
		Int64GetDatum(numbers[RIBBON_PROGRESS_KEYS_SOLVED]);
	values[BUILD_LAYER] = Int32GetDatum((int32) numbers[RIBBON_PROGRESS_LAYER]);
	values[BUILD_PERCENT] =
		Float8GetDatum(100.0 * (double) numbers[RIBBON_PROGRESS_SHARE] /
					   RIBBON_PROGRESS_WHOLE);
	values[BUILD_TEMP_BYTES] =
		Int64GetDatum(numbers[RIBBON_PROGRESS_TEMP_BYTES]);
	nulls[BUILD_KEYS_SOLVED] = phase != RIBBON_SOLVING;
	nulls[BUILD_LAYER] = phase != RIBBON_SOLVING;
	nulls[BUILD_PERCENT] = phase == RIBBON_COLLECTING;
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* ribbon_progress_builds(): a row for each process that builds. */
Datum
ribbon_progress_builds(PG_FUNCTION_ARGS)
{
	int nentries = pgstat_fetch_stat_numbackends();

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 1; i <= nentries; i++)
	{
		const PgBackendStatus *entry = ribbon_backend_status(i);

		if (entry != NULL &&
			entry->st_progress_command == RIBBON_PROGRESS_COMMAND &&
			may_see(entry))
			put_build((ReturnSetInfo *) fcinfo->resultinfo, entry);
	}
	PG_RETURN_VOID();
}
