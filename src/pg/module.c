/*
 * module.c - the module's magic block, and what is set up when it is loaded
 *
 * No shared memory is reserved, so nothing needs to be preloaded.  The core
 * picks its kernel by itself.  The planner is hooked into for scans that probe
 * by the page.  Callbacks for the ends of transactions are registered here,
 * once: a leader that aggregates in parallel has to look after files of its
 * workers although it may never have made one.
 */
#include "ribbon_pg.h"

#include "probing/probing.h"
#include "scan/scan.h"
#include "server/progress.h"
#include "server/server.h"
#include "spill/spill.h"
#include "utils/builtins.h"
#include "utils/guc.h"

RIBBON_MODULE_MAGIC;

extern void _PG_init(void);

void
_PG_init(void)
{
	ribbon_env_init();
	ribbon_progress_init();
	ribbon_spill_init();
	ribbon_storedcache_init();
	ribbon_scan_init();
	MarkGUCPrefixReserved("ribbon");
}

/* ribbon_version(): that of the library, not of the catalogue */
RIBBON_SQL_ENTRY(ribbon_version)
{
	PG_RETURN_TEXT_P(cstring_to_text(RIBBON_VERSION));
}
