/*
 * bench.h - what the programs that measure share: clocks, keys, median, builds
 */
#ifndef RIBBON_BENCH_H
#define RIBBON_BENCH_H

#include "base/kernel.h"
#include "keys/hashes.h"
#include "ribbon_core.h"
#include "caller.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Nanoseconds since some point in time. */
static inline double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

/*
 * Nanoseconds of this thread's own: a mean suffers from what else a machine
 * does, unless that is not counted.
 */
static inline double
cpu_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

/* The hash of key i, different for each i: keys count as already hashed. */
static inline uint64_t
key_hash(uint64_t i)
{
	return ribbon_mix(i * UINT64_C(0x9E3779B97F4A7C15));
}

static inline void
fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static inline void *
must_alloc(size_t size)
{
	void *p = malloc(size > 0 ? size : 1);

	if (p == NULL)
		fail("out of memory");
	return p;
}

/* Build a filter or exit.  *filter points into *bytes, to be freed. */
static inline void
must_build(const RibbonEnv *env, const RibbonParams *params, uint64_t *hashes,
		   size_t n, uint8_t **bytes, RibbonFilter *filter)
{
	size_t nbytes;
	RibbonStatus status = array_build(env, params, hashes, n, 0, bytes,
									  &nbytes);

	if (status == RIBBON_OK)
		status = ribbon_open(*bytes, nbytes, filter);
	if (status != RIBBON_OK)
		fail(ribbon_status_text(status));
}

static inline int
compare_figures(const void *a, const void *b)
{
	double x = *(const double *) a;
	double y = *(const double *) b;

	return (x > y) - (x < y);
}

static inline double
median(double *figures, int n)
{
	qsort(figures, (size_t) n, sizeof(double), compare_figures);
	return figures[n / 2];
}

/* From "burr" or "homogeneous"; others end the program. */
static inline RibbonKind
kind_by_name(const char *name)
{
	if (strcmp(name, "homogeneous") == 0)
		return RIBBON_HOMOGENEOUS;
	if (strcmp(name, "burr") == 0)
		return RIBBON_BURR;
	fprintf(stderr, "there is no kind %s\n", name);
	exit(2);
}

#endif /* RIBBON_BENCH_H */
