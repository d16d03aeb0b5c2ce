/*
 * testing.h - what every unit test needs: checks, and random numbers
 *
 * A test program calls test(name) before each group of checks and returns
 * test_done() from main.  Each group prints one line at its end, "ok - name" or
 * "not ok - name", and before it "# ..." for each of the first ten checks of it
 * that failed.
 */
#ifndef RIBBON_TEST_TESTING_H
#define RIBBON_TEST_TESTING_H

#include "base/bits.h"
#include "keys/hashes.h"
#include "ribbon_core.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char test_name[200];
static int test_failed_checks;
static int test_failed_groups;

static inline void
test_end(void)
{
	if (test_name[0] == '\0')
		return;
	printf("%s - %s\n", test_failed_checks == 0 ? "ok" : "not ok", test_name);
	fflush(stdout);
	test_failed_groups += test_failed_checks > 0;
	test_failed_checks = 0;
	test_name[0] = '\0';
}

static inline void
test(const char *name)
{
	test_end();
	snprintf(test_name, sizeof(test_name), "%s", name);
}

static inline int
test_done(void)
{
	test_end();
	return test_failed_groups > 0;
}

/* A fuzzing program ends at the first failure (fuzz.h). */
#ifndef CHECK_ENDS
#define CHECK_ENDS 0
#endif

/* Check a condition; on failure say where, and with which numbers. */
#define CHECK(condition, ...) \
	do \
	{ \
		if (!(condition)) \
		{ \
			if (test_failed_checks++ < 10) \
			{ \
				printf("# %s:%d: %s", __FILE__, __LINE__, #condition); \
				printf(" -- " __VA_ARGS__); \
				printf("\n"); \
			} \
			if (CHECK_ENDS) \
			{ \
				fflush(stdout); \
				abort(); \
			} \
		} \
	} while (0)

/* A reproducible stream of 64-bit numbers, all different (SplitMix64). */
typedef struct Random
{
	uint64_t state;
} Random;

static inline uint64_t
random_next(Random *random)
{
	return ribbon_mix(random->state += UINT64_C(0x9E3779B97F4A7C15));
}

static inline uint64_t
random_below(Random *random, uint64_t n)
{
	return ribbon_mulhi(random_next(random), n);
}

static inline uint64_t *
random_keys(Random *random, size_t n)
{
	uint64_t *keys = malloc((n + 1) * sizeof(uint64_t));

	for (size_t i = 0; i < n; i++)
		keys[i] = random_next(random);
	return keys;
}

/* For qsort. */
static inline int
compare_words(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

	return (x > y) - (x < y);
}

static const int test_widths[] = {32, 64, 128};

#endif /* RIBBON_TEST_TESTING_H */
