/*
 * test_threads.c - threads.c: each task is run once, and an error of any of
 * them is told
 */
#include "testing.h"

#include "base/bits.h"
#include "base/threads.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const RibbonEnv own, others;
static atomic_uint runs[RIBBON_MAX_THREADS];
static atomic_uint with_own;
static char waited[8];

/* Task failing fails; arg is its number. */
static RibbonStatus
run_task(const RibbonEnv *env, void *arg, unsigned i)
{
	const unsigned *failing = arg;

	CHECK(i < RIBBON_MAX_THREADS && (env == &own || env == &others), "%u", i);
	atomic_fetch_add(&runs[i], 1);
	atomic_fetch_add(&with_own, env == &own);
	return i == *failing ? RIBBON_BAD_FILE : RIBBON_OK;
}

static void
waits(bool begins)
{
	size_t n = strlen(waited);

	CHECK(n < sizeof(waited) - 1, "waits");
	waited[n] = begins ? '<' : '>';
}

/* The first task is run by the caller, in its own environment. */
static void
check(unsigned n, unsigned failing, void (*waiting)(bool))
{
	RibbonStatus expected = failing < n ? RIBBON_BAD_FILE : RIBBON_OK;

	for (unsigned i = 0; i < RIBBON_MAX_THREADS; i++)
		atomic_store(&runs[i], 0);
	atomic_store(&with_own, 0);
	memset(waited, 0, sizeof(waited));
	CHECK(ribbon_threads_run(&own, &others, n, run_task, &failing, waiting) ==
			  expected,
		  "%u of %u fails", failing, n);
	for (unsigned i = 0; i < RIBBON_MAX_THREADS; i++)
		CHECK(atomic_load(&runs[i]) == (i < n), "%u of %u", i, n);
	CHECK(atomic_load(&with_own) >= 1, "none of %u", n);
	CHECK(strcmp(waited, waiting == NULL ? "" : "<>") == 0, "%s", waited);
}

int
main(void)
{
	unsigned cores = ribbon_threads_cores();
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	test("each task is run once, and an error of any is told");
	for (unsigned n = 1; n <= 5; n += 2)
		for (unsigned failing = 0; failing <= n; failing++)
		{
			check(n, failing, NULL);
			check(n, failing, waits);
		}

	test("as many cores as the system says, and always the same number");
	CHECK(cores ==
			  (online < 1 ?
				   1 :
				   ribbon_min64((uint64_t) online, RIBBON_MAX_THREADS)),
		  "%u, not %ld", cores, online);
	CHECK(ribbon_threads_cores() == cores, "%u", cores);
	return test_done();
}
