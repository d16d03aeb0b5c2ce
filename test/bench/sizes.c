/*
 * sizes.c - how many bytes a filter has, and how often it is wrong
 *
 *	sizes MAX_KEYS
 *
 * For sets of 1, 2, 3, 5, 7, 10, 20, ... keys up to MAX_KEYS, kinds, widths and
 * FPRs, prints
 *
 *	<kind>,<width>,<FPR asked for>,<keys>,<sets>,<bytes>,<most bytes>,
 *	<FPR expected>,<FPR measured>,<non-members>
 *
 * of means (and one maximum) over some sets.  Width 0 is the default one.
 */
#include "bench.h"

/*
 * Non-members asked for, over all sets, to measure the FPR at 1, 10, 100, ...
 * keys.
 */
#define NONMEMBERS 6000000
#define FEW		   300000 /* for the sizes between */

static void
measure(RibbonKind kind, int width, double fpr, size_t n, size_t nnonmembers)
{
	RibbonParams params = {.kind = kind,
						   .width = width,
						   .fpr = fpr,
						   .key_class = 0};
	size_t nsets = n > 1000000 ? 1 : n > 40000 ? 3 : n > 1000 ? 10 : 50;
	uint64_t *hashes = must_alloc(n * sizeof(uint64_t));
	uint64_t key = 1;
	uint64_t bytes = 0;
	uint64_t most = 0;
	uint64_t positives = 0;
	double expected = 0;

	for (size_t set = 0; set < nsets; set++)
	{
		RibbonFilter filter;
		uint8_t *data;

		for (size_t i = 0; i < n; i++)
			hashes[i] = key_hash(key++);
		must_build(&ribbon_malloc_env, &params, hashes, n, &data, &filter);
		bytes += filter.total_bytes;
		most = filter.total_bytes > most ? filter.total_bytes : most;
		expected += ribbon_fpr(&filter);
		for (size_t i = 0; i < nnonmembers / nsets; i++)
			positives += ribbon_contains(&filter, key_hash(key++));
		free(data);
	}
	free(hashes);
	printf("%s,%d,%.10g,%zu,%zu,%.2f,%llu,%.6g,%.6g,%zu\n",
		   kind == RIBBON_BURR ? "burr" : "homogeneous", width, fpr, n, nsets,
		   (double) bytes / (double) nsets, (unsigned long long) most,
		   expected / (double) nsets, (double) positives / (double) nnonmembers,
		   nnonmembers);
	fflush(stdout);
}

/* Sets of all sizes up to max keys. */
static void
measure_all(RibbonKind kind, int width, double fpr, size_t max)
{
	static const size_t steps[] = {1, 2, 3, 5, 7};

	for (size_t decade = 1; decade <= max; decade *= 10)
		for (int i = 0; i < 5 && steps[i] * decade <= max; i++)
			measure(kind, width, fpr, steps[i] * decade,
					i == 0 ? NONMEMBERS : FEW);
}

int
main(int argc, char **argv)
{
	static const double rates[] = {0.5, 0.3, 0.01, 1.0 / 256, 0.001};
	size_t max = argc == 2 ? (size_t) atof(argv[1]) : 0;

	if (max == 0)
	{
		fprintf(stderr, "usage: sizes MAX_KEYS\n");
		return 2;
	}
	printf("kind,width,fpr,keys,sets,bytes,most_bytes,expected_fpr,"
		   "measured_fpr,nonmembers\n");
	for (int i = 0; i < 5; i++)
		measure_all(RIBBON_BURR, RIBBON_DEFAULT_WIDTH, rates[i], max);
	measure_all(RIBBON_BURR, 32, 1.0 / 256, max);
	measure_all(RIBBON_BURR, 128, 1.0 / 256, max);
	measure_all(RIBBON_BURR, 128, 0.01, max);
	measure_all(RIBBON_HOMOGENEOUS, 64, 1.0 / 256, max);
	measure_all(RIBBON_HOMOGENEOUS, 64, 0.01, max);
	return 0;
}
