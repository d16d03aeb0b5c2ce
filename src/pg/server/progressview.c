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
#include "server/resultrow.h"
#include "utils/acl.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

PG_FUNCTION_INFO_V1(ribbon_progress_builds);

static const char *const phases[] = {"collecting", "sorting", "solving"};

/*
 * Is it a build, and may one see it?  The numbers are those of a session whose
 * library may be another version's, so the phase is looked at.
 */
static bool
is_for_us(const PgBackendStatus *entry)
{
	return entry != NULL &&
		entry->st_progress_command == RIBBON_PROGRESS_COMMAND &&
		(uint64) entry->st_progress_param[RIBBON_PROGRESS_PHASE] <
		lengthof(phases) &&
		(has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		 has_privs_of_role(GetUserId(), entry->st_userid));
}

/*
 * What is not known yet is NULL: how many keys will come; what is to be solved,
 * before.
 */
static void
put_build(ReturnSetInfo *result, const PgBackendStatus *entry)
{
	const int64 *numbers = entry->st_progress_param;
	int64 phase = numbers[RIBBON_PROGRESS_PHASE];
	RibbonAggregate aggregate =
		(RibbonAggregate) numbers[RIBBON_PROGRESS_AGGREGATE];
	bool solving = phase == RIBBON_SOLVING;
	double percent = 100.0 * (double) numbers[RIBBON_PROGRESS_SHARE] /
		RIBBON_PROGRESS_WHOLE;
	RibbonResultRow row = ribbon_resultrow_create(result->setDesc);

	ribbon_resultrow_put(&row, "pid", true, Int32GetDatum(entry->st_procpid));
	ribbon_resultrow_put(&row, "datid", true,
						 ObjectIdGetDatum(entry->st_databaseid));
	ribbon_resultrow_put(&row, "usesysid", true,
						 ObjectIdGetDatum(entry->st_userid));
	ribbon_resultrow_put(&row, "aggregate", true,
						 CStringGetTextDatum(ribbon_aggregate_name(aggregate)));
	ribbon_resultrow_put(&row, "phase", true,
						 CStringGetTextDatum(phases[phase]));
	ribbon_resultrow_put(&row, "keys_read", true,
						 Int64GetDatum(numbers[RIBBON_PROGRESS_KEYS_READ]));
	ribbon_resultrow_put(&row, "keys_solved", solving,
						 Int64GetDatum(numbers[RIBBON_PROGRESS_KEYS_SOLVED]));
	ribbon_resultrow_put(&row, "layer", solving,
						 Int32GetDatum((int32) numbers[RIBBON_PROGRESS_LAYER]));
	ribbon_resultrow_put(&row, "percent", phase != RIBBON_COLLECTING,
						 Float8GetDatum(percent));
	ribbon_resultrow_put(&row, "temp_bytes", true,
						 Int64GetDatum(numbers[RIBBON_PROGRESS_TEMP_BYTES]));
	tuplestore_putvalues(result->setResult, result->setDesc, row.values,
						 row.nulls);
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

		if (is_for_us(entry))
			put_build((ReturnSetInfo *) fcinfo->resultinfo, entry);
	}
	PG_RETURN_VOID();
}
