/*
 * threads.c - several cores for one build
 *
 * What is left to do when all rows have come, sorting hashes and solving for
 * them, is arithmetic on memory that is there already, cut by the core into
 * tasks that do not depend on one another.  Threads are made for that: tasks
 * take some 20 ms, a thread starts in 20 us, and memory need not be shared by
 * way of segments.  Of background workers there may be none left; they take
 * milliseconds to start, and could be given nothing but what lies
 * in shared memory, which is scarce in containers.
 *
 * The server is not made for threads.  So ours touch nothing of it: no palloc,
 * no ereport, no interrupts.  All signals are blocked in them.  They only look
 * at two flags that signal handlers set, and come to an early end if the query
 * is to be cancelled or the backend to exit; only then does the backend deal
 * with that, alone again.  Nothing it does can find a thread at work.
 *
 * How many?  As many as a query may use processes: this one, and as
 * max_parallel_workers_per_gather says.  ribbon.build_threads can say
 * otherwise.  But every user may set these two, so there are never more than
 * the server has cores; nor than it could have workers, for
 * max_worker_processes can be set only when the server starts; nor than 64.
 * And what threads take beside the first two must fit into work_mem.
 */
#include "server/server.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "access/parallel.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "utils/guc.h"
#include "utils/wait_event.h"

#define MAX_THREADS 64

/* A sort needs five tables of 32 kB and one of 16 kB at most (sort.c). */
#define THREAD_STACK (1024 * 1024)

/* What each takes beside the first: a window's band and hashes. */
#define THREAD_BYTES ((size_t) 15 * 1024 * 1024)

typedef struct Thread
{
	pthread_t handle;
	bool started;
	RibbonTask *task;
	void *arg;
	unsigned i;
	RibbonStatus status;
} Thread;

static int build_threads = -1;

void
ribbon_threads_init(void)
{
	DefineCustomIntVariable("ribbon.build_threads",
							"Threads that may work on a ribbonfilter at the end of ribbon_build.",
							"-1 means one more than max_parallel_workers_per_gather.",
							&build_threads, -1, -1, MAX_THREADS, PGC_USERSET, 0,
							NULL, NULL, NULL);
}

/* The C library opens a file to find out, which is much for a small group. */
static long
count_cores(void)
{
	static long ncores = 0;

	if (ncores == 0)
		ncores = sysconf(_SC_NPROCESSORS_ONLN);
	return ncores;
}

unsigned
ribbon_threads_count(void)
{
	long ncores = count_cores();
	/* (the second is worth its memory, however small work_mem is) */
	size_t affordable = 2 + (size_t) work_mem * 1024 / THREAD_BYTES;
	size_t n = build_threads < 0 ? max_parallel_workers_per_gather + 1 :
								   Max(build_threads, 1);

	/* a parallel worker is one of several processes already */
	if (IsParallelWorker())
		return 1;
	n = Min(n, affordable);
	n = Min(n, (size_t) max_worker_processes + 1);
	if (ncores > 0)
		n = Min(n, (size_t) ncores);
	return (unsigned) Min(n, MAX_THREADS);
}

static bool
task_interrupted(void *arg)
{
	(void) arg;
	return (QueryCancelPending || ProcDiePending) &&
		INTERRUPTS_CAN_BE_PROCESSED();
}

static void
run_task(Thread *thread)
{
	/* malloc and free are the C library's, and know of threads */
	RibbonEnv env = ribbon_malloc_env;

	env.interrupted = task_interrupted;
	thread->status = thread->task(&env, thread->arg, thread->i);
}

static void *
thread_main(void *arg)
{
	run_task((Thread *) arg);
	return NULL;
}

/* All but the first, or as many as can be created. */
static void
start_threads(Thread *threads, unsigned n)
{
	pthread_attr_t attributes;
	sigset_t all, old;

	/* a thread begins with the signal mask of its creator */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	if (pthread_attr_init(&attributes) == 0)
	{
		(void) pthread_attr_setstacksize(&attributes, THREAD_STACK);
		for (unsigned i = 1; i < n; i++)
			threads[i].started = pthread_create(&threads[i].handle, &attributes,
												thread_main, &threads[i]) == 0;
		pthread_attr_destroy(&attributes);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

RibbonStatus
ribbon_threads_run(unsigned n, RibbonTask *task, void *arg)
{
	Thread threads[MAX_THREADS];
	RibbonStatus status = RIBBON_OK;
	uint32 wait = n > 1 ? ribbon_wait_event(RIBBON_WAIT_THREADS) : 0;

	Assert(n <= MAX_THREADS);
	for (unsigned i = 0; i < n; i++)
		threads[i] = (Thread){.task = task, .arg = arg, .i = i};
	start_threads(threads, n);

	/* the first, and those whose thread could not be created */
	for (unsigned i = 0; i < n; i++)
		if (!threads[i].started)
			run_task(&threads[i]);
	if (n > 1)
		pgstat_report_wait_start(wait);
	for (unsigned i = 0; i < n; i++)
	{
		if (threads[i].started)
			pthread_join(threads[i].handle, NULL);
		if (status == RIBBON_OK)
			status = threads[i].status;
	}
	if (n > 1)
		pgstat_report_wait_end();
	return status;
}
