/*
 * wait.c - what a build waits for, as pg_stat_activity names it
 *
 * PostgreSQL 17 and later let an extension name its own; the type is Extension.
 * Before, reading and writing are those of the server's own temporary files,
 * and the rest is Extension, which says no more.
 */
#include "server/server.h"

#include "utils/wait_event.h"

uint32
ribbon_wait_event(RibbonWait wait)
{
	static uint32 events[RIBBON_NWAITS]; /* 0: not asked for yet */
	static const char *const names[RIBBON_NWAITS] = {
		[RIBBON_WAIT_READ] = "RibbonBuildRead",
		[RIBBON_WAIT_WRITE] = "RibbonBuildWrite",
		[RIBBON_WAIT_THREADS] = "RibbonBuildThreads",
	};
	static const uint32 otherwise[RIBBON_NWAITS] = {
		[RIBBON_WAIT_READ] = WAIT_EVENT_BUFFILE_READ,
		[RIBBON_WAIT_WRITE] = WAIT_EVENT_BUFFILE_WRITE,
		[RIBBON_WAIT_THREADS] = PG_WAIT_EXTENSION,
	};

	if (events[wait] == 0)
		events[wait] = ribbon_new_wait_event(names[wait], otherwise[wait]);
	return events[wait];
}
