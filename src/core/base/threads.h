/*
 * threads.h - several cores for one call: what RibbonEnv.run of a server and of
 * libribbon is made of
 *
 * Tasks take some 20 ms, a thread starts in 20 us, so threads are made for them
 * and end with them: whoever called this has no other thread when it returns.
 */
#ifndef RIBBON_THREADS_H
#define RIBBON_THREADS_H

#include "ribbon_core.h"

#define RIBBON_MAX_THREADS 64

/* The machine's cores: 1 .. RIBBON_MAX_THREADS.  Any thread may ask. */
extern unsigned ribbon_threads_cores(void);

/*
 * Call task(env, arg, i) for all i below n, RIBBON_MAX_THREADS at most, at
 * once, and return when all have: RIBBON_OK, or the status of the first that
 * did not.  Task 0, and those whose thread cannot be made, are called by this
 * thread with env own.  The others get others, which several may use at the
 * same time.  All signals are blocked in threads.  waits, if not NULL, is
 * called with true before this thread waits for others, and with false
 * afterwards.  Nothing that is called here may longjmp, neither task nor waits
 * nor a callback of own: threads would be left running.
 */
extern RibbonStatus ribbon_threads_run(const RibbonEnv *own,
									   const RibbonEnv *others, unsigned n,
									   RibbonTask *task, void *arg,
									   void (*waits)(bool));

#endif /* RIBBON_THREADS_H */
