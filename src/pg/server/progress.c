/*
 * progress.c - how far is a build?
 *
 * A build of many keys takes minutes.  All sessions can see in the view
 * ribbon_progress (progressview.c) what it is doing.  It is shown as VACUUM and
 * others show their progress: every process has an entry in shared memory, with
 * a command and twenty numbers.  That is there from the start, so nothing needs
 * to be preloaded, and goes when the process does.  Our command is none of the
 * server's, whose views pass over what is not their own.  A process has one
 * entry, so a build within a command that shows its own progress (COPY, CREATE
 * INDEX) leaves that alone, and is not shown.
 *
 * Sets of few keys are not shown, for many of them are built in a second.
 */
#include "server/server.h"

#include "access/xact.h"
#include "server/progress.h"
#include "utils/backend_status.h"

/* Sets of fewer keys, with duplicates, are built in some ten milliseconds. */
#define SHOWN_KEYS 65536

/* What this process shows. */
static struct
{
	RibbonAggregate aggregate; /* of the build that it is at, */
	uint64 nkeys;			   /* for which so many have come; 0: at none */
	int64 spilled;			   /* bytes of its files, of all builds */
} shown;

/*
 * A query may end without having asked for all filters whose keys it has read.
 * (After an error the server has ended the command itself.)
 */
static void
transaction_ends(XactEvent event, void *arg)
{
	(void) event;
	(void) arg;
	ribbon_progress_end();
}

void
ribbon_progress_init(void)
{
	RegisterXactCallback(transaction_ends, NULL);
}

static bool
is_shown(void)
{
	return MyBEEntry != NULL &&
		MyBEEntry->st_progress_command == RIBBON_PROGRESS_COMMAND;
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
static void
update_entry(RibbonPhase phase, int layer, double share)
{
	static const int all[RIBBON_PROGRESS_NUMBERS] = {0, 1, 2, 3, 4, 5, 6};
	int64 numbers[RIBBON_PROGRESS_NUMBERS] = {0};

	if (MyBEEntry == NULL || !pgstat_track_activities)
		return;
	if (!is_shown())
	{
		if (MyBEEntry->st_progress_command != PROGRESS_COMMAND_INVALID)
			return;
		pgstat_progress_start_command(RIBBON_PROGRESS_COMMAND, InvalidOid);
	}
	numbers[RIBBON_PROGRESS_AGGREGATE] = shown.aggregate;
	numbers[RIBBON_PROGRESS_PHASE] = phase;
	numbers[RIBBON_PROGRESS_KEYS_READ] = (int64) shown.nkeys;
	if (phase == RIBBON_SOLVING)
		numbers[RIBBON_PROGRESS_KEYS_SOLVED] =
			(int64) ((layer > 1 ? 1 : share) * (double) shown.nkeys);
	numbers[RIBBON_PROGRESS_LAYER] = layer;
	numbers[RIBBON_PROGRESS_SHARE] = (int64) (share * RIBBON_PROGRESS_WHOLE +
											  0.5);
	numbers[RIBBON_PROGRESS_TEMP_BYTES] = shown.spilled;
	pgstat_progress_update_multi_param(RIBBON_PROGRESS_NUMBERS, all, numbers);
}

void
ribbon_progress_report(RibbonPhase phase, int layer, double share)
{
	if (shown.nkeys >= SHOWN_KEYS)
		update_entry(phase, layer, share);
}

void
ribbon_progress_collected(RibbonAggregate aggregate, uint64_t nkeys)
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
