/*
 * module.c - the module's magic block and its settings
 *
 * There are no hooks and no shared memory.  The core picks its kernel by itself.
 */
#include "ribbon_pg.h"

#include "utils/guc.h"

RIBBON_MODULE_MAGIC;

extern void _PG_init(void);

void
_PG_init(void)
{
	ribbon_threads_init();
	ribbon_progress_init();
	MarkGUCPrefixReserved("ribbon");
}
