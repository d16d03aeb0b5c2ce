/*
 * work.c - what the core asks of its caller: memory, threads, progress
 *
 * The caller's function is only called by the thread that called the library.
 * Others look at a flag, which that one sets.
 */
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* A sort has tables of some 180 kB on the stack. */
#define THREAD_STACK ((size_t) 1024 * 1024)

typedef struct Thread
{
	pthread_t handle;
	bool started;
	RibbonWork *work;
	RibbonTask *task;
	void *arg;
	unsigned i;
	RibbonStatus status;
} Thread;

static bool
is_cancelled(void *arg)
{
	return __atomic_load_n(&((RibbonWork *) arg)->cancelled, __ATOMIC_RELAXED);
}

bool
ribbon_work_report(RibbonWork *work, double share)
{
	double done = work->begin + work->span * (share < 1 ? share : 1);

	if (done > work->share)
		work->share = done;
	if (work->progress != NULL && !is_cancelled(work) &&
		work->progress(work->progress_arg, work->share))
		__atomic_store_n(&work->cancelled, true, __ATOMIC_RELAXED);
	return is_cancelled(work);
}

static bool
interrupted(void *arg)
{
	return ribbon_work_report(arg, 0);
}

/* Layer 0 has nine keys of ten, and layer 1 nearly all of the others. */
static void
progress(void *arg, int layer, double share)
{
	static const double begins[] = {0, 0.9, 0.98, 1};
	int i = layer < 2 ? layer : 2;

	(void) ribbon_work_report(arg,
							  layer == RIBBON_SORTING_SET ? share :
															begins[i] +
									  (begins[i + 1] - begins[i]) * share);
}

RibbonEnv
ribbon_work_env(RibbonWork *work)
{
	RibbonEnv env = ribbon_malloc_env;

	env.arg = work;
	env.interrupted = interrupted;
	env.progress = progress;
	env.run = ribbon_work_run;
	env.nthreads = work->nthreads;
	return env;
}

unsigned
ribbon_work_cores(void)
{
	long ncores = sysconf(_SC_NPROCESSORS_ONLN);

	if (ncores < 1)
		return 1;
	return ncores < RIBBON_MAX_THREADS ? (unsigned) ncores : RIBBON_MAX_THREADS;
}

static void
run_task(Thread *thread, bool is_caller)
{
	RibbonEnv env = ribbon_malloc_env;

	env.arg = thread->work;
	env.interrupted = is_caller ? interrupted : is_cancelled;
	thread->status = thread->task(&env, thread->arg, thread->i);
}

static void *
thread_main(void *arg)
{
	run_task(arg, false);
	return NULL;
}

/* n is at most the number of threads that the core was told. */
RibbonStatus
ribbon_work_run(void *arg, unsigned n, RibbonTask *task, void *task_arg)
{
	Thread threads[RIBBON_MAX_THREADS];
	RibbonStatus status = RIBBON_OK;
	pthread_attr_t attributes;
	sigset_t all, old;

	if (n > RIBBON_MAX_THREADS)
		return RIBBON_OUT_OF_MEMORY;
	for (unsigned i = 0; i < n; i++)
		threads[i] = (Thread){.work = arg,
							  .task = task,
							  .arg = task_arg,
							  .i = i,
							  .started = false};

	/* signals are the program's threads' affair */
	(void) sigfillset(&all);
	(void) pthread_sigmask(SIG_SETMASK, &all, &old);
	if (n > 1 && pthread_attr_init(&attributes) == 0)
	{
		(void) pthread_attr_setstacksize(&attributes, THREAD_STACK);
		for (unsigned i = 1; i < n; i++)
			threads[i].started = pthread_create(&threads[i].handle, &attributes,
												thread_main, &threads[i]) == 0;
		(void) pthread_attr_destroy(&attributes);
	}
	(void) pthread_sigmask(SIG_SETMASK, &old, NULL);

	/* the first, and those whose thread could not be created */
	for (unsigned i = 0; i < n; i++)
		if (!threads[i].started)
			run_task(&threads[i], true);
	for (unsigned i = 0; i < n; i++)
	{
		if (threads[i].started)
			(void) pthread_join(threads[i].handle, NULL);
		if (status == RIBBON_OK)
			status = threads[i].status;
	}
	return status;
}
