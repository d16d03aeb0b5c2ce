/*
 * env.c - the callbacks of the core, by means of the server
 *
 * Memory, which may be refused; interrupts; threads; and reports of how far a
 * build is.
 *
 * A callback may throw, which is a longjmp out of the core.  Nothing leaks:
 *
 * - All that the core has allocated is of a memory context, which the server
 *   resets when it cleans up after an error.
 * - Sets that the core makes while it builds go likewise.  Those of aggregates
 *   give their blocks back to their spill then (spillset.c).
 * - Threads never call back.  They use memory of malloc, which a task frees
 *   before it ends, and are joined before the backend looks for interrupts.
 */
#include "server/server.h"

#include "miscadmin.h"
#include "utils/memutils.h"

static void *
env_alloc(void *arg, size_t size)
{
	if (!AllocHugeSizeIsValid(size))
		return NULL;
	return MemoryContextAllocExtended((MemoryContext) arg, size,
									  MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
}

static void
env_free(void *arg, void *ptr)
{
	(void) arg;
	if (ptr != NULL)
		pfree(ptr);
}

static bool
env_interrupted(void *arg)
{
	(void) arg;
	CHECK_FOR_INTERRUPTS();
	return false;
}

static RibbonStatus
env_run(void *arg, unsigned n, RibbonTask *task, void *task_arg)
{
	RibbonStatus status;

	(void) arg;
	do
	{
		status = ribbon_threads_run(n, task, task_arg);
		CHECK_FOR_INTERRUPTS();
	} while (status == RIBBON_INTERRUPTED);
	return status;
}

static void
env_progress(void *arg, int layer, double share)
{
	(void) arg;
	if (layer == RIBBON_SORTING_SET)
		ribbon_progress_report(RIBBON_SORTING, 0, share);
	else
		ribbon_progress_report(RIBBON_SOLVING, layer + 1, share);
}

RibbonEnv
ribbon_env_create(MemoryContext context)
{
	return (RibbonEnv){.arg = context,
					   .alloc = env_alloc,
					   .free = env_free,
					   .interrupted = env_interrupted,
					   .run = env_run,
					   .nthreads = ribbon_threads_count(),
					   .progress = env_progress};
}
