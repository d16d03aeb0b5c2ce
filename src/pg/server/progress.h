/*
 * progress.h - what a build shows of itself in shared memory
 *
 * Shared by progress.c, which writes it, and progressview.c, which reads it.
 */
#ifndef RIBBON_PROGRESS_H
#define RIBBON_PROGRESS_H

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
#define RIBBON_PROGRESS_COMMAND ((ProgressCommandType) 0x72696262)

/* The numbers of its entry. */
enum
{
	RIBBON_PROGRESS_AGGREGATE, /* a RibbonAggregate */
	RIBBON_PROGRESS_PHASE,
	RIBBON_PROGRESS_KEYS_READ,
	RIBBON_PROGRESS_KEYS_SOLVED,
	RIBBON_PROGRESS_LAYER, /* from 1 on; 0 before */
	RIBBON_PROGRESS_SHARE, /* of the phase, in these: */
	RIBBON_PROGRESS_TEMP_BYTES,
	RIBBON_PROGRESS_NUMBERS
};
#define RIBBON_PROGRESS_WHOLE 1000000

#endif /* RIBBON_PROGRESS_H */
