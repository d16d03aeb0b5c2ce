/*
 * baseline.c - what the library itself takes, for clients/python/bench/compare.py
 *
 * usage: baseline KEYS THREADS, with a letter per measurement on standard input
 *
 *	b	build a filter of KEYS integers, 1 %
 *	c	ask it about as many, half of them members
 *	m	look them up in a map of integers of 10 bits
 *	e	the same where 15 of 16 values are the same one: codes by frequency
 *
 * Answers each with a line: seconds of processor time.  It is called in turn with Python.
 */
#include <ribbon.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t *keys;
static int64_t *asked;
static int64_t *values;
static int64_t *skewed; /* values of which one is frequent */
static size_t nkeys;
static unsigned threads;

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static void
must(int status)
{
	if (status < 0)
	{
		fprintf(stderr, "baseline: %s\n", ribbon_error_text());
		exit(1);
	}
}

/* A filter of the keys, or a map of them to such values. */
static ribbon_filter *
build(const int64_t *mapped, void **bytes)
{
	ribbon_builder *builder;
	ribbon_filter *filter;
	ribbon_keys *view = ribbon_keys_int64(keys, nkeys);
	size_t size;

	must(ribbon_builder_new(&builder, RIBBON_KEY_INTEGER, 0.01));
	must(ribbon_builder_set_threads(builder, threads));
	if (mapped != NULL)
	{
		must(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64));
		must(ribbon_builder_add_int64_values(builder, view, mapped, NULL));
	}
	else
		must(ribbon_builder_add_keys(builder, view));
	must(ribbon_builder_finish(builder, bytes, &size));
	must(ribbon_filter_open_bytes(&filter, *bytes, size));
	ribbon_builder_free(builder);
	ribbon_keys_free(view);
	return filter;
}

int
main(int argc, char **argv)
{
	ribbon_filter *filter;
	ribbon_filter *map;
	ribbon_filter *coded;
	void *bytes[3];
	uint64_t state = 88172645463325252;
	int what;

	if (argc != 3)
		return 2;
	nkeys = strtoul(argv[1], NULL, 10);
	threads = (unsigned) strtoul(argv[2], NULL, 10);
	keys = malloc(nkeys * sizeof(int64_t));
	asked = malloc(nkeys * sizeof(int64_t));
	values = malloc(nkeys * sizeof(int64_t));
	skewed = malloc(nkeys * sizeof(int64_t));
	if (keys == NULL || asked == NULL || values == NULL || skewed == NULL)
		return 1;
	for (size_t i = 0; i < nkeys; i++)
	{
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		keys[i] = (int64_t) state;
		asked[i] = i % 2 == 0 ? keys[i] : (int64_t) ~state;
		values[i] = (int64_t) (i % 1024);
		skewed[i] = (int64_t) (i % 16 == 0 ? i % 1024 : 7);
	}
	filter = build(NULL, &bytes[0]);
	map = build(values, &bytes[1]);
	coded = build(skewed, &bytes[2]);

	while ((what = getchar()) != EOF)
	{
		double begin = seconds();

		if (what == 'b')
		{
			void *made;

			ribbon_filter_close(build(NULL, &made));
			ribbon_bytes_free(made);
		}
		else if (what == 'c')
		{
			bool *answers = malloc(nkeys);
			ribbon_keys *view = ribbon_keys_int64(asked, nkeys);

			must(ribbon_filter_contains_keys(filter, view, answers));
			ribbon_keys_free(view);
			free(answers);
		}
		else if (what == 'm' || what == 'e')
		{
			uint8_t *found = malloc(nkeys);
			int64_t *got = malloc(nkeys * sizeof(int64_t));
			ribbon_keys *view = ribbon_keys_int64(asked, nkeys);

			must(ribbon_filter_get_int64s(what == 'm' ? map : coded, view,
										  found, got));
			ribbon_keys_free(view);
			free(found);
			free(got);
		}
		else
			continue;
		printf("%.9f\n", seconds() - begin);
		fflush(stdout);
	}
	return 0;
}
