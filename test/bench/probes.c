/*
 * probes.c - what a probe costs, alone and in batches, on each kernel
 *
 *	probes ROUNDS KERNEL,... KEYS...
 *
 * For each number of KEYS and each KERNEL of this CPU (or "all") prints
 *
 *	<kernel>,<keys>,<measure>,<median>,<least>,<most>
 *
 * of ROUNDS rounds, in each of which all is timed once, one after the other, so
 * that ratios within a round suffer little from what else a machine does.  All
 * filters are w = 64 at 2^-8, and half of the probes, at random, members.
 * Times are nanoseconds of CPU time per key:
 *
 *	single		 ribbon_contains of a BuRR filter
 *	homogeneous	 the same of a homogeneous filter of the same keys
 *	batch		 ribbon_contains_batch of 1,024 keys, BuRR
 *	homogeneous-batch
 *	map, map-batch  ribbon_get and ribbon_get_batch of a map of 8 value bits,
 *				 without check bits
 *	page, homogeneous-page, map-page
 *				 batches of 226 keys, as many as a page has rows of a number:
 *				 so are those of a scan
 *	memory		 the yardstick of batches: two adjacent cache lines at random
 *				 of an array as large as the BuRR filter, one after the other,
 *				 in huge pages as filters are
 *
 * Ratios, as medians of those of the rounds:
 *
 *	single:homogeneous, batch:single, homogeneous-batch:homogeneous,
 *	map-batch:map, batch:memory, page:batch, homogeneous-page:homogeneous-batch,
 *	map-page:map-batch
 */
#include "base/env.h"
#include "bench.h"

#define BATCH	   1024
#define PAGE	   226
#define MAX_ROUNDS 101
#define MIN_PROBES ((size_t) 1 << 18)
#define MAX_PROBES ((size_t) 1 << 21)
#define LINE	   64
#define VALUE_BITS 8

enum
{
	SINGLE,
	HOMOGENEOUS,
	BATCHES,
	HOMOGENEOUS_BATCHES,
	MAP,
	MAP_BATCHES,
	MEMORY,
	PAGES,
	HOMOGENEOUS_PAGES,
	MAP_PAGES,
	NTIMES
};

static const char *const names[NTIMES] =
	{"single",	  "homogeneous", "batch", "homogeneous-batch", "map",
	 "map-batch", "memory",		 "page",  "homogeneous-page",  "map-page"};

static const struct
{
	int of, to;
} ratios[] = {{SINGLE, HOMOGENEOUS},
			  {BATCHES, SINGLE},
			  {HOMOGENEOUS_BATCHES, HOMOGENEOUS},
			  {MAP_BATCHES, MAP},
			  {BATCHES, MEMORY},
			  {PAGES, BATCHES},
			  {HOMOGENEOUS_PAGES, HOMOGENEOUS_BATCHES},
			  {MAP_PAGES, MAP_BATCHES}};

#define NRATIOS (sizeof(ratios) / sizeof(ratios[0]))

/* The filters and the map of one number of keys, and what they are asked. */
typedef struct Subject
{
	size_t nkeys;
	uint8_t *bytes[3]; /* BuRR, homogeneous, map */
	size_t nbytes[3];
	uint64_t *probes;
	size_t nprobes;
	uint8_t *array; /* of nbytes[0], and two lines more */
} Subject;

static volatile uint64_t sink;

/* Build number which; of a map, records of hash and value take the place. */
static void
build_one(Subject *s, int which)
{
	RibbonValues values = {.bits = VALUE_BITS};
	RibbonParams params = {.kind = which == 1 ? RIBBON_HOMOGENEOUS :
												RIBBON_BURR,
						   .width = 64,
						   .fpr = which == 2 ? 1 : 1.0 / 256,
						   .values = which == 2 ? &values : NULL};
	size_t step = which == 2 ? 2 : 1;
	uint64_t *words = must_alloc(step * s->nkeys * sizeof(uint64_t));
	RibbonFilter filter;

	for (size_t i = 0; i < s->nkeys; i++)
	{
		words[step * i] = key_hash(i);
		if (which == 2)
			words[step * i + 1] = key_hash(i) >> 7 & ((1u << VALUE_BITS) - 1);
	}
	must_build(&ribbon_malloc_env, &params, words, s->nkeys, &s->bytes[which],
			   &filter);
	s->nbytes[which] = (size_t) filter.total_bytes;
	free(words);
}

static void
set_up(Subject *s, size_t nkeys)
{
	s->nkeys = nkeys;
	for (int which = 0; which < 3; which++)
		build_one(s, which);
	s->nprobes = nkeys < MIN_PROBES ? MIN_PROBES :
		nkeys > MAX_PROBES			? MAX_PROBES :
									  nkeys / BATCH * BATCH;
	s->probes = must_alloc(s->nprobes * sizeof(uint64_t));
	for (size_t i = 0; i < s->nprobes; i++)
	{
		uint64_t choice = key_hash(~i);

		s->probes[i] = key_hash(choice >> 63 ? choice % nkeys : nkeys + i);
	}
	s->array = ribbon_alloc(&ribbon_malloc_env, s->nbytes[0] + 2 * LINE);
	if (s->array == NULL)
		fail("out of memory");
	memset(s->array, 1, s->nbytes[0] + 2 * LINE);
}

static void
tear_down(Subject *s)
{
	for (int i = 0; i < 3; i++)
		free(s->bytes[i]);
	free(s->probes);
	free(s->array);
}

static double
time_singles(const Subject *s, int which)
{
	RibbonFilter filter;
	double begin;
	uint64_t sum = 0;

	if (ribbon_open(s->bytes[which], s->nbytes[which], &filter) != RIBBON_OK)
		fail("a filter could not be opened");
	begin = cpu_now();
	for (size_t i = 0; i < s->nprobes; i++)
	{
		uint64_t code = 0;

		if (which == 2)
			ribbon_get(&filter, s->probes[i], &code);
		else
			code = ribbon_contains(&filter, s->probes[i]);
		sum += code;
	}
	sink = sum;
	return (cpu_now() - begin) / (double) s->nprobes;
}

static double
time_batches(const Subject *s, int which, size_t batch)
{
	RibbonFilter filter;
	bool answers[BATCH];
	uint64_t codes[BATCH];
	double begin;

	if (ribbon_open(s->bytes[which], s->nbytes[which], &filter) != RIBBON_OK)
		fail("a filter could not be opened");
	begin = cpu_now();
	for (size_t i = 0; i < s->nprobes; i += batch)
	{
		size_t n = s->nprobes - i < batch ? s->nprobes - i : batch;

		if (which == 2)
			ribbon_get_batch(&filter, s->probes + i, n, answers, codes);
		else
			ribbon_contains_batch(&filter, s->probes + i, n, answers);
		sink = answers[0];
	}
	return (cpu_now() - begin) / (double) s->nprobes;
}

static double
time_memory(const Subject *s)
{
	uint64_t nlines = s->nbytes[0] / LINE;
	const uint8_t *first = s->array + LINE - (uintptr_t) s->array % LINE;
	double begin = cpu_now();
	uint64_t sum = 0;

	for (size_t i = 0; i < s->nprobes; i++)
	{
		const uint8_t *line = first + ribbon_mulhi(s->probes[i], nlines) * LINE;

		sum += line[0] + line[LINE];
	}
	sink = sum;
	return (cpu_now() - begin) / (double) s->nprobes;
}

static void
time_all(const Subject *s, double figures[NTIMES])
{
	figures[SINGLE] = time_singles(s, 0);
	figures[HOMOGENEOUS] = time_singles(s, 1);
	figures[BATCHES] = time_batches(s, 0, BATCH);
	figures[HOMOGENEOUS_BATCHES] = time_batches(s, 1, BATCH);
	figures[MAP] = time_singles(s, 2);
	figures[MAP_BATCHES] = time_batches(s, 2, BATCH);
	figures[MEMORY] = time_memory(s);
	for (int which = 0; which < 3; which++)
		figures[PAGES + which] = time_batches(s, which, PAGE);
}

static void
print_line(int kernel, size_t nkeys, const char *name, double *figures, int n)
{
	double middle = median(figures, n); /* which sorts them */

	printf("%s,%zu,%s,%.3f,%.3f,%.3f\n",
		   ribbon_kernel_name((RibbonKernel) kernel), nkeys, name, middle,
		   figures[0], figures[n - 1]);
}

static void
print_all(int kernel, size_t nkeys, double figures[][NTIMES], int rounds)
{
	double column[MAX_ROUNDS];

	for (int which = 0; which < NTIMES; which++)
	{
		for (int r = 0; r < rounds; r++)
			column[r] = figures[r][which];
		print_line(kernel, nkeys, names[which], column, rounds);
	}
	for (size_t i = 0; i < NRATIOS; i++)
	{
		char name[64];

		for (int r = 0; r < rounds; r++)
			column[r] = figures[r][ratios[i].of] / figures[r][ratios[i].to];
		snprintf(name, sizeof(name), "%s:%s", names[ratios[i].of],
				 names[ratios[i].to]);
		print_line(kernel, nkeys, name, column, rounds);
	}
}

static bool
is_wanted(int kernel, const char *list)
{
	const char *name = ribbon_kernel_name((RibbonKernel) kernel);
	size_t length = strlen(name);

	if (!ribbon_kernel_is_there((RibbonKernel) kernel))
		return false;
	if (strcmp(list, "all") == 0)
		return true;
	for (const char *p = list; p != NULL; p = strchr(p, ','))
	{
		p += *p == ',';
		if (strncmp(p, name, length) == 0 &&
			(p[length] == ',' || p[length] == '\0'))
			return true;
	}
	return false;
}

int
main(int argc, char **argv)
{
	static double figures[RIBBON_NKERNELS][MAX_ROUNDS][NTIMES];
	int rounds = argc > 3 ? atoi(argv[1]) : 0;

	if (rounds < 1 || rounds > MAX_ROUNDS)
	{
		fprintf(stderr, "usage: probes ROUNDS KERNEL,... KEYS...\n");
		return 2;
	}
	for (int i = 3; i < argc; i++)
	{
		Subject s;

		set_up(&s, (size_t) atof(argv[i]));
		for (int r = -1; r < rounds; r++) /* the first one warms up */
			for (int k = 0; k < RIBBON_NKERNELS; k++)
				if (is_wanted(k, argv[2]))
				{
					ribbon_kernel_use((RibbonKernel) k);
					time_all(&s, figures[k][r < 0 ? 0 : r]);
				}
		for (int k = RIBBON_NKERNELS; k-- > 0;) /* best first */
			if (is_wanted(k, argv[2]))
				print_all(k, s.nkeys, figures[k], rounds);
		tear_down(&s);
	}
	return 0;
}
