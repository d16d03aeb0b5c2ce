/*
 * test_golden_exact.c - golden values: exact sets of format version 1, which
 * must be read for ever
 *
 * test/golden/exact_1.txt has a line per set: width, number of keys, of how
 * many keys one is a member (0: none is; below 0, one is none), a shift, how
 * many of the first keys have one hash, and the bytes, or their digest
 * (golden.h).  Before these there is a rate, if the set has one.  Hashes of
 * keys are shifted to the right: then they cluster, and a plane is salted.
 * "test_golden_exact --write" prints the file.
 */
#include "exact.h"
#include "golden.h"

#define GOLDEN	   "test/golden/exact_1.txt"
#define MOST_BYTES 4000 /* of a set that is written whole */

static const struct
{
	int width;
	size_t nkeys;
	int part;
	unsigned shift;
	size_t nequal;
	double fpr; /* 0: none */
} cases[] = {
	{0, 0, 1, 0, 0, 0},
	{0, 7, 0, 0, 0, 0},
	{0, 7, 1, 0, 0, 0},
	{0, 5, 2, 0, 0, 0},
	{0, 100, 3, 0, 0, 0},
	{64, 100, 30, 0, 0, 0},
	{0, 700, 70, 0, 2, 0},
	{32, 9000, 17, 0, 0, 0},
	{128, 9000, 17, 0, 3, 0},
	{0, 60000, 500, 0, 0, 0},
	{0, 3000, 9, 20, 0, 0},
	{0, 100000, 2, 0, 0, 0},
	{64, 400000, 9, 0, 0, 0},
	{0, 1300000, 6, 0, 0, 0},
	{0, 700, -70, 0, 2, 0},
	{0, 60000, -500, 0, 0, 0},
	{0, 0, 1, 0, 0, 0.1},
	{0, 7, 0, 0, 0, 0.1},
	{0, 7, 1, 0, 0, 0.1},
	{0, 1, 1, 0, 0, 0.5},
	{0, 5, 2, 0, 0, 0.5},
	{0, 100, 3, 0, 0, 0.4},
	{0, 100, 3, 0, 0, 0.01},
	{64, 100, -30, 0, 2, 0x1p-8},
	{32, 9000, 17, 0, 0, 0x1p-16},
	{128, 9000, 17, 0, 3, 0.3},
	{0, 3000, 9, 20, 0, 0x1p-32},
	{0, 60000, 500, 0, 0, 0.01},
	{0, 100000, 2, 0, 0, 0.5},
	{0, 400000, 1, 0, 0, 0.26},
	{64, 400000, 9, 0, 0, 0x1p-8},
};

static RibbonParams
golden_params(int width, double fpr)
{
	RibbonParams params = exact_params(width);

	if (fpr > 0)
		params.fpr = fpr;
	return params;
}

static uint64_t *
golden_records(size_t nkeys, int part, unsigned shift, size_t nequal)
{
	uint64_t *records = malloc((nkeys + 1) * 2 * sizeof(uint64_t));

	for (size_t i = 0; i < nkeys; i++)
	{
		bool multiple = part != 0 && i % (size_t) abs(part) == 0;

		records[2 * i] = golden_key(i < nequal ? 0 : i, shift);
		records[2 * i + 1] = ribbon_exact_word(ribbon_mix(i + UINT64_C(0x60DF)),
											   part != 0 &&
												   multiple == (part > 0));
	}
	return records;
}

static void
write_case(size_t c)
{
	char *text = malloc(GOLDEN_LINE);
	RibbonParams params = golden_params(cases[c].width, cases[c].fpr);
	char rate[40] = "";
	uint64_t *records = golden_records(cases[c].nkeys, cases[c].part,
									   cases[c].shift, cases[c].nequal);
	Built built;

	built = built_from(&params, records, cases[c].nkeys);
	golden_text(built.bytes, built.nbytes, MOST_BYTES, text);
	if (cases[c].fpr > 0)
		snprintf(rate, sizeof(rate), "rate=%.17g ", cases[c].fpr);
	printf("%d %zu %d %u %zu %s%s\n", cases[c].width, cases[c].nkeys,
		   cases[c].part, cases[c].shift, cases[c].nequal, rate, text);
	free(built.bytes);
	free(records);
	free(text);
}

static void
check_line(const char *line, const char *golden)
{
	char *text = malloc(GOLDEN_LINE);
	int width;
	size_t nkeys, nequal;
	int part;
	unsigned shift;
	double fpr = 0;
	RibbonParams params;
	uint64_t *records;
	Built built;

	if (sscanf(line, "%d %zu %d %u %zu rate=%lf", &width, &nkeys, &part, &shift,
			   &nequal, &fpr) < 5)
	{
		CHECK(false, "%.60s", line);
		free(text);
		return;
	}
	params = golden_params(width, fpr);
	records = golden_records(nkeys, part, shift, nequal);
	built = built_from(&params, records, nkeys);
	golden_text(built.bytes, built.nbytes, MOST_BYTES, text);
	CHECK(strcmp(text, golden) == 0, "%.60s builds to other bytes", line);
	exact_check(&built, records, nkeys);
	CHECK((built.filter.seed != 0) == (nequal > 0), "%.60s: seeded?", line);
	free(built.bytes);
	free(records);
	free(text);
}

int
main(int argc, char **argv)
{
	return golden_main(argc, argv, GOLDEN, sizeof(cases) / sizeof(cases[0]),
					   write_case, check_line);
}
