/*
 * engine.c - what building and probing cost, in time and in memory
 *
 *	engine KIND WIDTH BITS KERNEL KEYS
 *	engine kernels
 *
 * Measures one filter of KEYS keys: KIND burr or homogeneous, of ribbon width
 * WIDTH, at FPR 2^-BITS, with a KERNEL of this CPU or the "best".  Prints
 *
 *	ribbon,<kind>-w<width>-r<bits>-<kernel>,<keys>,<build>,<members>,
 *	<non-members>,<mixed>,<bits per key>,<measured FPR>,<batches of 16>,
 *	<batches of 1024>,<memory>
 *
 * Times are nanoseconds of CPU time per key or probe, medians of several runs,
 * one thread.  A build goes from unsorted hashes to finished bytes, each of
 * other keys; of small sets the mean is taken, as seeds that fail are a matter
 * of chance.  A probe is one call for a member, a non-member, or either at
 * random, and batches are of the latter.
 * Memory is the most that a build held at a time, besides the hashes it was
 * given, in bytes per key.  Other libraries print the same up to the FPR.
 *
 * "engine kernels" prints the names of this CPU's kernels, best first.
 */
#include "bench.h"
#include "kernels.h"

#define RUNS	   3	  /* times that all probes are timed */
#define SMALL	   50000  /* sets of fewer keys vary by their seeds, */
#define SMALL_KEYS 400000 /* so many of them are built as have so many keys, */
#define MAX_BUILDS 400	  /* or so many */
#define MAX_PROBES 4000000
#define MIN_PROBES 1000000

/*
 * Memory from malloc, counted.  The size stands before each piece, in as much
 * room as leaves the piece where it would be in a cache line.
 */
#define BEFORE 64

static size_t live;
static size_t peak;

static void *
counted_alloc(void *arg, size_t size)
{
	char *p = malloc(size + BEFORE);

	(void) arg;
	if (p == NULL)
		return NULL;
	memcpy(p, &size, sizeof(size));
	live += size;
	peak = live > peak ? live : peak;
	return p + BEFORE;
}

static void
counted_free(void *arg, void *ptr)
{
	size_t size;

	(void) arg;
	if (ptr == NULL)
		return;
	memcpy(&size, (char *) ptr - BEFORE, sizeof(size));
	live -= size;
	free((char *) ptr - BEFORE);
}

static const RibbonEnv counted_env = {.alloc = counted_alloc,
									  .free = counted_free};

/* Build of keys first .. first + n - 1, and return the nanoseconds per key. */
static double
time_build(const RibbonParams *params, uint64_t *hashes, uint64_t first,
		   size_t n, uint8_t **bytes, RibbonFilter *filter)
{
	double begin;

	for (size_t i = 0; i < n; i++)
		hashes[i] = key_hash(first + i);
	begin = cpu_now();
	must_build(&counted_env, params, hashes, n, bytes, filter);
	return (cpu_now() - begin) / (double) n;
}

/*
 * Nanoseconds per probe, one call each; counts the positives, in a register: a
 * store that waits for a probe's bytes can hold up loads of later probes, if
 * the stack happens to put it where the last 12 bits of their addresses agree.
 */
static double
time_singles(const RibbonFilter *filter, const uint64_t *probes, size_t n,
			 size_t *positives)
{
	double begin = cpu_now();
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		found += ribbon_contains(filter, probes[i]);
	*positives = found;
	return (cpu_now() - begin) / (double) n;
}

/* The same, in batches of so many. */
static double
time_batches(const RibbonFilter *filter, const uint64_t *probes, size_t n,
			 size_t batch, bool *answers, size_t *positives)
{
	double begin = cpu_now();
	double end;

	for (size_t i = 0; i < n; i += batch)
		ribbon_contains_batch(filter, probes + i, n - i < batch ? n - i : batch,
							  answers + i);
	end = cpu_now();
	*positives = 0;
	for (size_t i = 0; i < n; i++)
		*positives += answers[i];
	return (end - begin) / (double) n;
}

enum
{
	MEMBERS,
	NONMEMBERS,
	MIXED,
	BATCHES_16,
	BATCHES_1024,
	NTIMES
};

/* Hashes to probe n keys with: members, non-members, or either at random. */
static uint64_t *
make_probes(int which, size_t nprobes, size_t n)
{
	uint64_t *probes = must_alloc(nprobes * sizeof(uint64_t));

	for (size_t i = 0; i < nprobes; i++)
	{
		uint64_t choice = key_hash(~i);
		bool member = which == MEMBERS || (which == MIXED && choice >> 63);

		probes[i] = key_hash(member ? choice % n : n + i);
	}
	return probes;
}

/* Fill in the medians, and the positives of each kind of probe. */
static void
time_probes(const RibbonFilter *filter, size_t n, size_t nprobes,
			double times[NTIMES], size_t positives[NTIMES])
{
	uint64_t *probes[3];
	bool *answers = must_alloc(nprobes * sizeof(bool));
	double figures[NTIMES][RUNS];

	for (int which = MEMBERS; which <= MIXED; which++)
		probes[which] = make_probes(which, nprobes, n);
	memset(answers, 0, nprobes * sizeof(bool));
	for (int run = 0; run < RUNS; run++)
	{
		for (int which = MEMBERS; which <= MIXED; which++)
			figures[which][run] = time_singles(filter, probes[which], nprobes,
											   &positives[which]);
		figures[BATCHES_16][run] = time_batches(filter, probes[MIXED], nprobes,
												16, answers,
												&positives[BATCHES_16]);
		figures[BATCHES_1024][run] = time_batches(filter, probes[MIXED],
												  nprobes, 1024, answers,
												  &positives[BATCHES_1024]);
	}
	for (int which = 0; which < NTIMES; which++)
		times[which] = median(figures[which], RUNS);
	for (int which = MEMBERS; which <= MIXED; which++)
		free(probes[which]);
	free(answers);
}

static void
use_kernel(const char *name)
{
	if (strcmp(name, "best") == 0)
		return;
	FOR_EACH_KERNEL(k)
	if (strcmp(ribbon_kernel_name(k), name) == 0)
	{
		ribbon_kernel_use(k);
		return;
	}
	fail("no such kernel on this CPU");
}

static double
mean(const double *figures, int n)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += figures[i];
	return sum / n;
}

static void
measure(const RibbonParams *params, int bits, size_t n)
{
	size_t nsmall = n < SMALL ? ribbon_min64(SMALL_KEYS / n, MAX_BUILDS) : 0;
	int nbuilds = n < SMALL ? (int) nsmall :
		n < 1000000			? 9 :
		n <= 10000000		? 3 :
							  1;
	size_t nprobes = n < MIN_PROBES ? MIN_PROBES :
		n > MAX_PROBES				? MAX_PROBES :
									  n;
	uint64_t *hashes = must_alloc(n * sizeof(uint64_t));
	uint8_t *bytes = NULL;
	RibbonFilter filter;
	double builds[MAX_BUILDS];
	double times[NTIMES];
	size_t positives[NTIMES];

	for (int run = 0; run < nbuilds; run++)
	{
		counted_free(NULL, bytes);
		builds[run] = time_build(params, hashes, (nbuilds - 1 - run) * n, n,
								 &bytes, &filter);
	}
	free(hashes);
	time_probes(&filter, n, nprobes, times, positives);
	if (positives[MEMBERS] != nprobes)
		fail("a member was not found");
	if (positives[BATCHES_16] != positives[MIXED] ||
		positives[BATCHES_1024] != positives[MIXED])
		fail("a batch has other answers");

	printf("ribbon,%s-w%d-r%d-%s,%zu,%.2f,%.2f,%.2f,%.2f,%.4f,%.3g,"
		   "%.2f,%.2f,%.3f\n",
		   params->kind == RIBBON_BURR ? "burr" : "homogeneous", params->width,
		   bits, ribbon_kernel_name(ribbon_kernel()), n,
		   n < SMALL ? mean(builds, nbuilds) : median(builds, nbuilds),
		   times[MEMBERS], times[NONMEMBERS], times[MIXED],
		   8 * (double) filter.total_bytes / (double) n,
		   (double) positives[NONMEMBERS] / (double) nprobes, times[BATCHES_16],
		   times[BATCHES_1024], (double) peak / (double) n);
	counted_free(NULL, bytes);
}

int
main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "kernels") == 0)
	{
		for (int k = RIBBON_NKERNELS; k-- > 0;) /* best first */
			if (ribbon_kernel_is_there((RibbonKernel) k))
				puts(ribbon_kernel_name((RibbonKernel) k));
	}
	else if (argc == 6)
	{
		int bits = atoi(argv[3]);
		RibbonParams params = {.kind = kind_by_name(argv[1]),
							   .width = atoi(argv[2]),
							   .fpr = 1.0 / (double) (UINT64_C(1) << bits),
							   .key_class = 0};

		use_kernel(argv[4]);
		measure(&params, bits, (size_t) atof(argv[5]));
	}
	else
	{
		fprintf(stderr,
				"usage: engine KIND WIDTH BITS KERNEL KEYS\n"
				"       engine kernels\n");
		return 2;
	}
	return 0;
}
