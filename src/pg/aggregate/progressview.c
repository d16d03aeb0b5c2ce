/*
 * progressview.c - the view ribbon_progress: what builds of all sessions do
 *
 * Who may see which: as in pg_stat_activity, one's own and those of roles that
 * one is a member of, and all of them as a member of pg_read_all_stats.  Like
 * there, a transaction sees what was when it first looked, until
 * pg_stat_clear_snapshot().
 */
#include "aggregate/buildparams.h"

#include "catalog/pg_authid.h"
#include "compatcalls.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "server/progress.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

static const char *const phases[] = {"collecting", "sorting", "solving"};

/* Another version of the library may show what this one does not know. */
static bool
is_known(const int64 *numbers)
{
	return (uint64) numbers[RIBBON_SHOWN_AGGREGATE] < RIBBON_NAGGREGATES &&
		(uint64) numbers[RIBBON_SHOWN_PHASE] < lengthof(phases);
}

static bool
may_see(Oid user)
{
	return has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), user);
}

/*
 * What is not known yet is NULL: how many keys will come; what is to be solved,
 * before.
 */
static void
put_build(ReturnSetInfo *result, const PgBackendStatus *entry,
		  const int64 *numbers)
{
	RibbonAggregate aggregate =
		(RibbonAggregate) numbers[RIBBON_SHOWN_AGGREGATE];
	int64 phase = numbers[RIBBON_SHOWN_PHASE];
	double share = (double) numbers[RIBBON_SHOWN_SHARE];
	bool unsolved = phase != RIBBON_SOLVING;
	Datum values[] = {
		Int32GetDatum(entry->st_procpid),
		ObjectIdGetDatum(entry->st_databaseid),
		ObjectIdGetDatum(entry->st_userid),
		CStringGetTextDatum(ribbon_aggregate_info(aggregate)->name),
		CStringGetTextDatum(phases[phase]),
		Int64GetDatum(numbers[RIBBON_SHOWN_KEYS_READ]),
		Int64GetDatum(numbers[RIBBON_SHOWN_KEYS_SOLVED]),
		Int32GetDatum((int32) numbers[RIBBON_SHOWN_LAYER]),
		Float8GetDatum(100 * share / RIBBON_SHOWN_WHOLE),
		Int64GetDatum(numbers[RIBBON_SHOWN_TEMP_BYTES]),
	};
	/* keys_solved, layer, and percent */
	bool nulls[lengthof(values)] =
		{[6] = unsolved, [7] = unsolved, [8] = phase == RIBBON_COLLECTING};

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* ribbon_progress_builds(): a row for each process that builds. */
RIBBON_SQL_ENTRY(ribbon_progress_builds)
{
	int nentries = pgstat_fetch_stat_numbackends();

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 1; i <= nentries; i++)
	{
		const PgBackendStatus *entry = ribbon_backend_status(i);
		const int64 *numbers = ribbon_progress_shown(entry);

		if (entry != NULL && numbers != NULL && is_known(numbers) &&
			may_see(entry->st_userid))
			put_build((ReturnSetInfo *) fcinfo->resultinfo, entry, numbers);
	}
	PG_RETURN_VOID();
}
