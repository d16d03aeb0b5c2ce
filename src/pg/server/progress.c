/*
 * progress.c - how far is a build?
 *
 * A build of many keys takes minutes.  With ribbon.progress_interval set, a
 * notice says every so many seconds what it is doing:
 *
 *	 NOTICE:  ribbon_build: 250000000 keys collected
 *	 NOTICE:  ribbon_build: sorting, 40 % done
 *	 NOTICE:  ribbon_build: solving layer 1, 70 % done
 *
 * A report looks for interrupts, as every notice does, and so may throw.
 */
#include "server/server.h"

#include "access/xact.h"
#include "utils/guc.h"
#include "utils/timestamp.h"

static int interval; /* seconds; 0: say nothing */
static TimestampTz last_report;
static const char *builder = "ribbon_build"; /* the aggregate at work */

static bool is_due(void);

void
ribbon_progress_init(void)
{
	DefineCustomIntVariable("ribbon.progress_interval",
							"Time between notices that tell how far ribbon_build is.",
							"0 turns them off.", &interval, 0, 0, 86400,
							PGC_USERSET, GUC_UNIT_S, NULL, NULL, NULL);
}

void
ribbon_progress_begin(const char *aggregate)
{
	builder = aggregate;
}

void
ribbon_progress_report(const char *phase, int number, double share)
{
	if (likely(interval == 0) || !is_due())
		return;
	if (number > 0)
		ereport(NOTICE,
				(errmsg("%s: %s %d, %.0f %% done", builder, phase, number,
						100 * share)));
	else
		ereport(NOTICE,
				(errmsg("%s: %s, %.0f %% done", builder, phase, 100 * share)));
}

void
ribbon_progress_collected(uint64_t nkeys)
{
	if (unlikely(interval > 0) && is_due())
		ereport(NOTICE,
				(errmsg("%s: %llu keys collected", builder,
						(unsigned long long) nkeys)));
}

/* The first report of a transaction comes after an interval, too. */
static bool
is_due(void)
{
	TimestampTz now = GetCurrentTimestamp();
	TimestampTz start = GetCurrentStatementStartTimestamp();

	if (!TimestampDifferenceExceeds(Max(last_report, start), now,
									interval * 1000))
		return false;
	last_report = now;
	return true;
}
