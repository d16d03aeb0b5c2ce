/*
 * progress.c - how far is a build, and what does it wait for?
 *
 * A build of many keys takes minutes.  All sessions can see in the view
 * ribbon_progress what it is doing.  It is shown as VACUUM and others show
 * their progress: every process has an entry in shared memory, with a command
 * and twenty numbers.  That is there from the start, so nothing needs to be
 * preloaded, and goes when the process does.  Our command is none of the
 * server's, whose views pass over what is not their own.  A process has one
 * entry, so a build within a command that shows its own progress (COPY, CREATE
 * INDEX) leaves that alone, and is not shown.
 *
 * Sets of few keys are not shown, for many of them are built in a second.
 *
 * Who may see which: as in pg_stat_activity, one's own and those of roles that
 * one is a member of, and all of them as a member of pg_read_all_stats.  Like
 * there, a transaction sees what was when it first looked, until
 * pg_stat_clear_snapshot().
 *
 * What a build waits for is in pg_stat_activity.
 */
#include "server/server.h"

#include "access/xact.h"
#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "server/resultrow.h"
#include "utils/acl.h"
#include "utils/backend_progress.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/tuplestore.h"

/*
 * No command of the server has this number: the letters "ribb".  It is no value
 * of the server's enum, which is an int in shared memory, and nothing in the
 * server 15 to 19 uses it as an index or needs to know it:
 *
 *	 pgstat_progress_start_command	stores what it is given
 *	 pgstat_progress_update_...		look at no command
 *	 pgstat_progress_end_command	asks whether it is PROGRESS_COMMAND_INVALID
 *	 pg_stat_get_progress_info		passes over entries of other commands than
 *									the one that its argument names; behind
 *									all views pg_stat_progress_...
 *	 pgstat_bestart					sets PROGRESS_COMMAND_INVALID
 *
 * (backend_progress.c, pgstatfuncs.c, backend_status.c.)  The test
 * test_progress reads all of these views while builds are shown.
 */
#define COMMAND ((ProgressCommandType) 0x72696262)

/* The numbers of its entry. */
enum
{
	AGGREGATE, /* its number */
	PHASE,
	KEYS_READ,
	KEYS_SOLVED,
	LAYER, /* from 1 on; 0 before */
	SHARE, /* of the phase, in these: */
	TEMP_BYTES,
	NUMBERS
};
#define WHOLE 1000000

/* Sets of fewer keys, with duplicates, are built in some ten milliseconds. */
#define SHOWN_KEYS 65536

/* What this process shows. */
static struct
{
	int aggregate; /* of the build that it is at, */
	uint64 nkeys;  /* for which so many have come; 0: at none */
	int64 spilled; /* bytes of its files, of all builds */
} shown;

static RibbonAggregateName name_of;

/*
 * A query may end without having asked for all filters whose keys it has read.
 * (After an error the server has ended the command itself.)
 */
static void
transaction_ends(XactEvent event, void *arg)
{
	ribbon_progress_end();
}

void
ribbon_progress_init(RibbonAggregateName name_of_aggregate)
{
	name_of = name_of_aggregate;
	RegisterXactCallback(transaction_ends, NULL);
}

static bool
is_shown(void)
{
	return MyBEEntry != NULL && MyBEEntry->st_progress_command == COMMAND;
}

void
ribbon_progress_end(void)
{
	shown.nkeys = 0;
	if (is_shown())
		pgstat_progress_end_command();
}

/*
 * Layer 1 is of all keys; those after it are of the few that it has bumped, and
 * begin when it is solved.
 */
void
ribbon_progress_report(RibbonPhase phase, int layer, double share)
{
	static const int all[NUMBERS] = {0, 1, 2, 3, 4, 5, 6};
	int64 numbers[NUMBERS] = {0};

	if (shown.nkeys < SHOWN_KEYS || MyBEEntry == NULL ||
		!pgstat_track_activities)
		return;
	if (!is_shown())
	{
		if (MyBEEntry->st_progress_command != PROGRESS_COMMAND_INVALID)
			return;
		pgstat_progress_start_command(COMMAND, InvalidOid);
	}
	numbers[AGGREGATE] = shown.aggregate;
	numbers[PHASE] = phase;
	numbers[KEYS_READ] = (int64) shown.nkeys;
	if (phase == RIBBON_SOLVING)
		numbers[KEYS_SOLVED] = (int64) ((layer > 1 ? 1 : share) *
										(double) shown.nkeys);
	numbers[LAYER] = layer;
	numbers[SHARE] = (int64) (share * WHOLE + 0.5);
	numbers[TEMP_BYTES] = shown.spilled;
	pgstat_progress_update_multi_param(NUMBERS, all, numbers);
}

void
ribbon_progress_collected(int aggregate, uint64_t nkeys)
{
	shown.aggregate = aggregate;
	shown.nkeys = nkeys;
	ribbon_progress_report(RIBBON_COLLECTING, 0, 0);
}

void
ribbon_progress_spilled(int64_t nbytes)
{
	shown.spilled += nbytes;
}

static const char *const phases[] = {"collecting", "sorting", "solving"};

/*
 * Is it a build, and may one see it?  The numbers are those of a session whose
 * library may be another version's, so they are looked at.
 */
static bool
is_for_us(const PgBackendStatus *entry)
{
	return entry != NULL && entry->st_progress_command == COMMAND &&
		name_of((uint64) entry->st_progress_param[AGGREGATE]) != NULL &&
		(uint64) entry->st_progress_param[PHASE] < lengthof(phases) &&
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
	int64 phase = numbers[PHASE];
	const char *aggregate = name_of((uint64) numbers[AGGREGATE]);
	bool solving = phase == RIBBON_SOLVING;
	double percent = 100.0 * (double) numbers[SHARE] / WHOLE;
	const RibbonResultColumn columns[] = {
		{"pid", true, Int32GetDatum(entry->st_procpid)},
		{"datid", true, ObjectIdGetDatum(entry->st_databaseid)},
		{"usesysid", true, ObjectIdGetDatum(entry->st_userid)},
		{"aggregate", true, CStringGetTextDatum(aggregate)},
		{"phase", true, CStringGetTextDatum(phases[phase])},
		{"keys_read", true, Int64GetDatum(numbers[KEYS_READ])},
		{"keys_solved", solving, Int64GetDatum(numbers[KEYS_SOLVED])},
		{"layer", solving, Int32GetDatum((int32) numbers[LAYER])},
		{"percent", phase != RIBBON_COLLECTING, Float8GetDatum(percent)},
		{"temp_bytes", true, Int64GetDatum(numbers[TEMP_BYTES])},
	};

	tuplestore_puttuple(result->setResult,
						ribbon_resultrow_form(result->setDesc, columns,
											  lengthof(columns)));
}

/* ribbon_progress_builds(): a row for each process that builds. */
RIBBON_SQL_ENTRY(ribbon_progress_builds)
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

/*
 * PostgreSQL 17 and later let an extension name its own; the type is Extension.
 * Before, reading and writing are those of the server's own temporary files,
 * and the rest is Extension, which says no more.
 */
uint32
ribbon_wait_event(RibbonWait wait)
{
	static struct
	{
		const char *name;
		uint32 otherwise;
		uint32 event; /* 0: not asked for yet */
	} waits[] = {
		[RIBBON_WAIT_READ] = {"RibbonBuildRead", WAIT_EVENT_BUFFILE_READ},
		[RIBBON_WAIT_WRITE] = {"RibbonBuildWrite", WAIT_EVENT_BUFFILE_WRITE},
		[RIBBON_WAIT_THREADS] = {"RibbonBuildThreads", PG_WAIT_EXTENSION},
	};

	if (waits[wait].event == 0)
		waits[wait].event = ribbon_new_wait_event(waits[wait].name,
												  waits[wait].otherwise);
	return waits[wait].event;
}
