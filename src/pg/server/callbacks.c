/*
 * callbacks.c - the callbacks of the core, by means of the server
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
 * - Threads call back only what throws nothing (task_interrupted).  They use
 *   memory of malloc, which a task frees before it ends, and are joined before
 *   the backend looks for interrupts.
 *
 * Threads (base/threads.h) sort hashes and solve for them when all rows have
 * come.  Background workers would do worse: there may be none left, they take
 * milliseconds to start, and they see of the backend's memory only what is
 * shared, which is scarce in containers.
 *
 * The server is not made for threads.  So ours touch nothing of it: no palloc,
 * no ereport, no interrupts.  They only look at two flags that signal handlers
 * set, and come to an early end if the query is to be cancelled or the backend
 * to exit; only then does the backend deal with that, alone again.  Nothing it
 * does can find a thread at work.
 *
 * How many?  As many as a query may use processes: this one, and as
 * max_parallel_workers_per_gather says.  ribbon.build_threads can say
 * otherwise.  But every user may set these two, so there are never more than
 * the server has cores; nor than it could have workers, for
 * max_worker_processes can be set only when the server starts; nor than 64.
 * And what threads take beside the first two must fit into work_mem.
 */
#include "server/server.h"

#include "access/parallel.h"
#include "base/threads.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "server/progress.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/wait_event.h"

/*
 * What each thread but the first takes at most, to build a map.  For a filter
 * it is 15 MB (ribbon_build in ribbon_core.h).
 */
#define THREAD_BYTES ((size_t) 20 * 1024 * 1024)

static int build_threads = -1;

void
ribbon_env_init(void)
{
	DefineCustomIntVariable("ribbon.build_threads",
							"Threads that may build a filter or map when all keys are there.",
							"-1 means one more than max_parallel_workers_per_gather.",
							&build_threads, -1, -1, RIBBON_MAX_THREADS,
							PGC_USERSET, 0, NULL, NULL, NULL);
}

/* How many tasks may be done at once now; at least 1. */
static unsigned
count_threads(void)
{
	/* (the second is worth its memory, however small work_mem is) */
	size_t affordable = 2 + (size_t) work_mem * 1024 / THREAD_BYTES;
	size_t n = build_threads < 0 ? max_parallel_workers_per_gather + 1 :
								   Max(build_threads, 1);

	/* a parallel worker is one of several processes already */
	if (IsParallelWorker())
		return 1;
	n = Min(n, affordable);
	n = Min(n, (size_t) max_worker_processes + 1);
	return (unsigned) Min(n, ribbon_threads_cores());
}

static void *
env_alloc(void *arg, size_t size)
{
	if (!AllocHugeSizeIsValid(size))
		return NULL;
	return MemoryContextAllocExtended((MemoryContext) arg, size,
									  MCXT_ALLOC_HUGE | MCXT_ALLOC_NO_OOM);
}

/*
 * It throws if there is no memory, for PostgreSQL 15 has no function that does
 * not.  Sets ask the budget before they grow, and go to a file beyond it.
 */
static void *
env_resize(void *arg, void *ptr, size_t size)
{
	return AllocHugeSizeIsValid(size) ? repalloc_huge(ptr, size) : NULL;
}

static void
env_free(void *arg, void *ptr)
{
	if (ptr != NULL)
		pfree(ptr);
}

static bool
env_interrupted(void *arg)
{
	CHECK_FOR_INTERRUPTS();
	return false;
}

static bool
task_interrupted(void *arg)
{
	return (QueryCancelPending || ProcDiePending) &&
		INTERRUPTS_CAN_BE_PROCESSED();
}

static void
show_wait(bool begins)
{
	if (begins)
		pgstat_report_wait_start(ribbon_wait_event(RIBBON_WAIT_THREADS));
	else
		pgstat_report_wait_end();
}

static RibbonStatus
env_run(void *arg, unsigned n, RibbonTask *task, void *task_arg)
{
	/* malloc and free are the C library's, and know of threads */
	RibbonEnv env = ribbon_malloc_env;
	RibbonStatus status;

	env.interrupted = task_interrupted;
	(void) ribbon_wait_event(RIBBON_WAIT_THREADS); /* if it throws, then now */
	do
	{
		status = ribbon_threads_run(&env, &env, n, task, task_arg, show_wait);
		CHECK_FOR_INTERRUPTS();
	} while (status == RIBBON_INTERRUPTED);
	return status;
}

static void
env_progress(void *arg, int layer, double share)
{
	if (layer == RIBBON_SORTING_SET)
		ribbon_progress_report(RIBBON_SORTING, 0, share);
	else
		ribbon_progress_report(RIBBON_SOLVING, layer + 1, share);
}

RibbonEnv
ribbon_env_memory(MemoryContext context)
{
	return (RibbonEnv){.arg = context,
					   .alloc = env_alloc,
					   .free = env_free,
					   .resize = env_resize};
}

RibbonEnv
ribbon_env_create(MemoryContext context)
{
	RibbonEnv env = ribbon_env_memory(context);

	env.interrupted = env_interrupted;
	env.run = env_run;
	env.nthreads = count_threads();
	env.progress = env_progress;
	return env;
}
