/*
 * native.c - what compare.mjs compares with: the core, compiled for this machine
 *
 * usage: native KEYS
 *
 * Builds a filter of the integers below KEYS at 2^-8 from their hashes, then
 * hashes and asks each of them and as many others, one by one.  Prints three
 * lines, nanoseconds per key each: build, members, others.
 */
#include "keys/hashes.h"
#include "ribbon_core.h"
#include "set/set.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

/* Ask keys first .. first + n - 1, in an order that jumps. */
static double
ask(const RibbonFilter *filter, uint64_t first, uint64_t n, bool *answers)
{
	double began = now();

	for (uint64_t i = 0; i < n; i++)
		answers[i] = ribbon_contains(filter,
									 ribbon_hash_word(first + i * 7919 % n));
	return (now() - began) / (double) n;
}

int
main(int argc, char **argv)
{
	size_t n = argc > 1 ? (size_t) atof(argv[1]) : 1000000;
	RibbonParams params = {.kind = RIBBON_BURR, .fpr = 1.0 / 256};
	static RibbonFilter filter;
	uint64_t *hashes = malloc((n + 1) * sizeof(uint64_t));
	bool *answers = malloc(n + 1);
	RibbonSet set;
	uint8_t *bytes;
	size_t nbytes;
	double began = now();

	if (hashes == NULL || answers == NULL)
		return 1;
	for (size_t i = 0; i < n; i++)
		hashes[i] = ribbon_hash_word(i);
	set = ribbon_set_of_array(&ribbon_malloc_env, RIBBON_HASHES, hashes, n);
	if (ribbon_build(&ribbon_malloc_env, &params, &set, 0, &bytes, &nbytes) !=
		RIBBON_OK)
		return 1;
	printf("%.2f\n", (now() - began) / (double) n);
	if (ribbon_open(bytes, nbytes, &filter) != RIBBON_OK)
		return 1;
	printf("%.2f\n", ask(&filter, 0, n, answers));
	printf("%.2f\n", ask(&filter, n, n, answers));
	free(bytes);
	free(answers);
	free(hashes);
	return 0;
}
