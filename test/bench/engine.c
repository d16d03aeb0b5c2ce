/*
 * engine.c - how fast is the core, and how small are its filters?
 *
 *	engine N...
 *
 * For each number of keys and each kind and width at FPR 2^-8, prints a line
 *
 *	ribbon,<kind>-w<width>-<kernel>,<n>,<build>,<positive>,<negative>,<mixed>,
 *	<bits per key>,<measured FPR>
 *
 * of nanoseconds per key or probe: medians of several runs, one thread.  A
 * build starts from unsorted hashes and ends with finished bytes; a probe is
 * one call for a member, a stranger, or either at random.
 */
#include "kernel.h"
#include "ribbon.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS 5

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

static uint64_t
random_word(uint64_t i)
{
	return ribbon_mix(i * UINT64_C(0x9E3779B97F4A7C15));
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *) a;
	double y = *(const double *) b;

	return (x > y) - (x < y);
}

static double
median(double *figures)
{
	qsort(figures, RUNS, sizeof(double), compare);
	return figures[RUNS / 2];
}

/* Nanoseconds per probe of these words; counts the positives. */
static double
time_probes(const RibbonFilter *filter, const uint64_t *words, size_t n,
			size_t *positives)
{
	double figures[RUNS];

	for (int run = 0; run < RUNS; run++)
	{
		double begin = now();

		*positives = 0;
		for (size_t i = 0; i < n; i++)
			*positives += ribbon_contains(filter, words[i]);
		figures[run] = (now() - begin) / (double) n;
	}
	return median(figures);
}

static void
measure(RibbonKind kind, int width, size_t n)
{
	RibbonParams params = {kind, width, 1.0 / 256, 0};
	size_t nprobes = n < 1000000 ? 1000000 : n > 10000000 ? 10000000 : n;
	uint64_t *hashes = malloc(n * sizeof(uint64_t));
	uint64_t *probes = malloc(nprobes * sizeof(uint64_t));
	uint8_t *bytes = NULL;
	size_t nbytes = 0;
	double builds[RUNS];
	double times[3];
	size_t positives[3];
	RibbonFilter filter;

	for (int run = 0; run < RUNS; run++)
	{
		double begin;

		free(bytes);
		for (size_t i = 0; i < n; i++)
			hashes[i] = random_word(i);
		begin = now();
		if (ribbon_build(&ribbon_malloc_env, &params, hashes, n, 0, &bytes,
						 &nbytes) != RIBBON_OK)
			exit(1);
		builds[run] = (now() - begin) / (double) n;
	}
	if (ribbon_open(bytes, nbytes, &filter) != RIBBON_OK)
		exit(1);

	for (int mix = 0; mix < 3; mix++)
	{
		for (size_t i = 0; i < nprobes; i++)
		{
			uint64_t choice = random_word(~i);
			bool member = mix == 0 || (mix == 2 && choice >> 63);

			probes[i] = random_word(member ? choice % n : n + i);
		}
		times[mix] = time_probes(&filter, probes, nprobes, &positives[mix]);
	}
	if (positives[0] != nprobes)
		exit(1);
	printf("ribbon,%s-w%d-%s,%zu,%.2f,%.2f,%.2f,%.2f,%.4f,%.6f\n",
		   kind == RIBBON_BURR ? "burr" : "homogeneous", width,
		   ribbon_kernel()->name, n, median(builds), times[0], times[1],
		   times[2], 8 * (double) nbytes / (double) n,
		   (double) positives[1] / (double) nprobes);
	fflush(stdout);
	free(bytes);
	free(hashes);
	free(probes);
}

int
main(int argc, char **argv)
{
	static const int widths[] = {64, 32, 128};

	for (int i = 1; i < argc; i++)
	{
		size_t n = (size_t) atof(argv[i]);

		for (int w = 0; w < 3; w++)
			measure(RIBBON_BURR, widths[w], n);
		measure(RIBBON_HOMOGENEOUS, 64, n);

		/* the default again, with each of the other kernels */
		for (const RibbonKernel *const *k = ribbon_kernel_list() + 1;
			 *k != NULL; k++)
		{
			ribbon_kernel_use(*k);
			measure(RIBBON_BURR, 64, n);
		}
		ribbon_kernel_use(*ribbon_kernel_list());
	}
	return 0;
}
