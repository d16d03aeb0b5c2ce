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
 * What a build waits for is in pg_stat_activity.
 */
#include "server/progress.h"

#include "access/xact.h"
#include "compatcalls.h"
#include "utils/backend_progress.h"

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

/* Sets of fewer keys, with duplicates, are built in some ten milliseconds. */
#define SHOWN_KEYS 65536

/* What this process shows. */
static struct
{
	int aggregate; /* of the build that it is at, */
	uint64 nkeys;  /* for which so many have come; 0: at none */
	int64 spilled; /* bytes of its files, of all builds */
} shown;

/*
 * A query may end without having asked for all filters whose keys it has read.
 * (After an error the server has ended the command itself.)
 */
static void
end_with_transaction(XactEvent event, void *arg)
{
	ribbon_progress_end();
}

void
ribbon_progress_init(void)
{
	RegisterXactCallback(end_with_transaction, NULL);
}

const int64 *
ribbon_progress_shown(const PgBackendStatus *entry)
{
	return entry != NULL && entry->st_progress_command == COMMAND ?
		entry->st_progress_param :
		NULL;
}

void
ribbon_progress_end(void)
{
	shown.nkeys = 0;
	if (ribbon_progress_shown(MyBEEntry) != NULL)
		pgstat_progress_end_command();
}

/*
 * Layer 1 is of all keys; those after it are of the few that it has bumped, and
 * begin when it is solved.
 */
void
ribbon_progress_report(RibbonPhase phase, int layer, double share)
{
	int64 numbers[RIBBON_SHOWN_NUMBERS] = {0};
	int all[RIBBON_SHOWN_NUMBERS];

	if (shown.nkeys < SHOWN_KEYS || MyBEEntry == NULL ||
		!pgstat_track_activities)
		return;
	if (ribbon_progress_shown(MyBEEntry) == NULL)
	{
		if (MyBEEntry->st_progress_command != PROGRESS_COMMAND_INVALID)
			return;
		pgstat_progress_start_command(COMMAND, InvalidOid);
	}
	numbers[RIBBON_SHOWN_AGGREGATE] = shown.aggregate;
	numbers[RIBBON_SHOWN_PHASE] = phase;
	numbers[RIBBON_SHOWN_KEYS_READ] = (int64) shown.nkeys;
	if (phase == RIBBON_SOLVING)
		numbers[RIBBON_SHOWN_KEYS_SOLVED] = (int64) ((layer > 1 ? 1 : share) *
													 (double) shown.nkeys);
	numbers[RIBBON_SHOWN_LAYER] = layer;
	numbers[RIBBON_SHOWN_SHARE] = (int64) (share * RIBBON_SHOWN_WHOLE + 0.5);
	numbers[RIBBON_SHOWN_TEMP_BYTES] = shown.spilled;
	for (int i = 0; i < RIBBON_SHOWN_NUMBERS; i++)
		all[i] = i;
	pgstat_progress_update_multi_param(RIBBON_SHOWN_NUMBERS, all, numbers);
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
