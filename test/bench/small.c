/*
 * small.c - what small sets cost per key, beside a large one
 *
 *	small ROUNDS
 *
 * Builds and probes filters and maps of 1,000 to 20,000 keys and of a million,
 * in turn, round after round, with the best kernel, and prints
 *
 *	<round>,<what>,<keys>,<build>,<probe>,<bits per key>
 *
 * in nanoseconds of CPU time of one thread, per key and per probe.  A build
 * goes from unsorted hashes, or records, to finished bytes, many sets one after
 * the other, each of other keys.  Probes are single calls, of random members of
 * the last set.  The width is the default one.
 */
#include "bench.h"

#define BUILT  400000 /* keys that are built into sets of one size, at least */
#define PROBES 400000
#define LARGE  1000000

static const size_t sizes[] = {1000, 2000, 5000, 10000, 20000, LARGE};

/* Value bits: none for a filter. */
typedef struct What
{
	const char *name;
	double fpr;
	unsigned value_bits;
} What;

static const What whats[] = {
	{"filter 1 %", 0.01, 0},
	{"filter 2^-8", 1.0 / 256, 0},
	{"map v8", 1, 8},
	{"map v8 1 %", 0.01, 8},
};

/* A filter or a map. */
typedef struct Set
{
	uint8_t *bytes;
	size_t nbytes;
	RibbonFilter filter;
} Set;

/* The words of keys first .. first + n - 1: hashes, or records. */
static void
make_words(const What *what, uint64_t first, size_t n, uint64_t *words)
{
	for (size_t i = 0; i < n; i++)
		if (what->value_bits == 0)
			words[i] = key_hash(first + i);
		else
		{
			words[2 * i] = key_hash(first + i);
			words[2 * i + 1] = key_hash(~(first + i)) >>
				(64 - what->value_bits);
		}
}

static void
build(const What *what, uint64_t *words, size_t n, Set *set)
{
	RibbonValues values = {.bits = what->value_bits};
	RibbonParams params = {.fpr = what->fpr,
						   .values = what->value_bits == 0 ? NULL : &values};
	RibbonStatus status = array_build(&ribbon_malloc_env, &params, words, n, 0,
									  &set->bytes, &set->nbytes);

	if (status != RIBBON_OK)
		fail(ribbon_status_text(status));
}

static void
open_set(Set *set)
{
	RibbonStatus status = ribbon_open(set->bytes, set->nbytes, &set->filter);

	if (status != RIBBON_OK)
		fail(ribbon_status_text(status));
}

/* Nanoseconds per probe of keys first .. first + n - 1. */
static double
time_probes(const What *what, const Set *set, uint64_t first, size_t n,
			uint64_t *hashes)
{
	size_t nfound = 0;
	static volatile uint64_t sink;
	uint64_t sum = 0;
	double begin, end;

	for (size_t i = 0; i < PROBES; i++)
		hashes[i] = key_hash(first + key_hash(~i) % n);
	begin = cpu_now();
	if (what->value_bits == 0)
		for (size_t i = 0; i < PROBES; i++)
			nfound += ribbon_contains(&set->filter, hashes[i]);
	else
		for (size_t i = 0; i < PROBES; i++)
		{
			uint64_t code;

			nfound += ribbon_get(&set->filter, hashes[i], &code);
			sum += code;
		}
	end = cpu_now();
	sink = sum;
	(void) sink;
	if (nfound != PROBES)
		fail("a member was not found");
	return (end - begin) / PROBES;
}

static void
measure(int round, const What *what, size_t n, uint64_t *hashes)
{
	size_t words = what->value_bits == 0 ? 1 : RIBBON_RECORD_WORDS;
	size_t nsets = n < BUILT ? BUILT / n : 1;
	uint64_t *all = must_alloc(nsets * n * words * sizeof(uint64_t));
	Set set = {.bytes = NULL};
	double bits = 0;
	double begin, spent;

	make_words(what, 0, nsets * n, all);
	begin = cpu_now();
	for (size_t i = 0; i < nsets; i++)
	{
		free(set.bytes);
		build(what, all + i * n * words, n, &set);
		bits += 8 * (double) set.nbytes / (double) n;
	}
	spent = (cpu_now() - begin) / (double) (nsets * n);
	free(all);
	open_set(&set);
	printf("%d,%s,%zu,%.2f,%.2f,%.4f\n", round, what->name, n, spent,
		   time_probes(what, &set, (nsets - 1) * n, n, hashes),
		   bits / (double) nsets);
	fflush(stdout);
	free(set.bytes);
}

int
main(int argc, char **argv)
{
	uint64_t *hashes = must_alloc(PROBES * sizeof(uint64_t));

	if (argc != 2)
	{
		fprintf(stderr, "usage: small ROUNDS\n");
		return 2;
	}
	for (int round = 1; round <= atoi(argv[1]); round++)
		for (size_t w = 0; w < sizeof(whats) / sizeof(whats[0]); w++)
			for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
				measure(round, &whats[w], sizes[s], hashes);
	free(hashes);
	return 0;
}
