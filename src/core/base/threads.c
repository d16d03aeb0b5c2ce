/*
 * threads.c - several cores for one call
 */
#include "base/threads.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

/* A sort needs five tables of 32 kB and one of 16 kB at most (sort.c). */
#define THREAD_STACK ((size_t) 1024 * 1024)

typedef struct Thread
{
	pthread_t handle;
	bool started;
	const RibbonEnv *env;
	RibbonTask *task;
	void *arg;
	unsigned i;
	RibbonStatus status;
} Thread;

/* The C library opens a file to find out, which is much for a small set. */
unsigned
ribbon_threads_cores(void)
{
	static unsigned known;
	unsigned cores = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (cores == 0)
	{
		long online = sysconf(_SC_NPROCESSORS_ONLN);

		cores = online < 1				? 1 :
			online < RIBBON_MAX_THREADS ? (unsigned) online :
										  RIBBON_MAX_THREADS;
		__atomic_store_n(&known, cores, __ATOMIC_RELAXED);
	}
	return cores;
}

static void *
thread_main(void *arg)
{
	Thread *thread = arg;

	thread->status = thread->task(thread->env, thread->arg, thread->i);
	return NULL;
}

/* All but the first, or as many as can be created. */
static void
start_threads(Thread *threads, unsigned n)
{
	pthread_attr_t attributes;
	sigset_t all, old;

	/* a thread begins with the signal mask of its creator */
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
}

RibbonStatus
ribbon_threads_run(const RibbonEnv *own, const RibbonEnv *others, unsigned n,
				   RibbonTask *task, void *arg, void (*waits)(bool))
{
	Thread threads[RIBBON_MAX_THREADS];
	RibbonStatus status = RIBBON_OK;

	for (unsigned i = 0; i < n; i++)
		threads[i] = (Thread){.env = others, .task = task, .arg = arg, .i = i};
	start_threads(threads, n);

	for (unsigned i = 0; i < n; i++)
		if (!threads[i].started)
			threads[i].status = task(own, arg, i);
	if (waits != NULL)
		waits(true);
	for (unsigned i = 0; i < n; i++)
	{
		if (threads[i].started)
			(void) pthread_join(threads[i].handle, NULL);
		if (status == RIBBON_OK)
			status = threads[i].status;
	}
	if (waits != NULL)
		waits(false);
	return status;
}
