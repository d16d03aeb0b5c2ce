/*
 * module.c - the module's magic block
 *
 * There is nothing to set up: no hooks, no shared memory, no settings.  The
 * core picks its probe kernel by itself.
 */
#include "ribbon_pg.h"

RIBBON_MODULE_MAGIC;
