/*
 * work.c - what the core asks of its caller: memory, threads, progress
 *
 * The caller's function is only called by the thread that called the library.
 * Others look at a flag, which that one sets.
 */
#include "work.h"

#include "base/threads.h"

#include <stdlib.h>

static bool
is_cancelled(void *arg)
{
	return __atomic_load_n(&((RibbonWork *) arg)->cancelled, __ATOMIC_RELAXED);
}

/* Say that this share of the current span is done; true: it is to end. */
static bool
report_share(RibbonWork *work, double share)
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
is_interrupted(void *arg)
{
	return report_share(arg, 0);
}

/* Layer 0 has nine keys of ten, and layer 1 nearly all of the others. */
static void
report_layer(void *arg, int layer, double share)
{
	static const double begins[] = {0, 0.9, 0.98, 1};
	int i = layer < 2 ? layer : 2;

	(void) report_share(arg,
						layer == RIBBON_SORTING_SET ?
							share :
							begins[i] + (begins[i + 1] - begins[i]) * share);
}

static RibbonStatus
run_tasks(void *arg, unsigned n, RibbonTask *task, void *task_arg)
{
	RibbonEnv own = ribbon_malloc_env;
	RibbonEnv others = ribbon_malloc_env;

	own.arg = others.arg = arg;
	own.interrupted = is_interrupted;
	others.interrupted = is_cancelled;
	return ribbon_threads_run(&own, &others, n, task, task_arg, NULL);
}

static void *
resize_block(void *arg, void *ptr, size_t size)
{
	(void) arg;
	return realloc(ptr, size);
}

RibbonEnv
ribbon_work_env(RibbonWork *work)
{
	RibbonEnv env = ribbon_malloc_env;

	env.arg = work;
	env.resize = resize_block;
	env.interrupted = is_interrupted;
	env.progress = report_layer;
	env.run = run_tasks;
	env.nthreads = work->nthreads;
	return env;
}
