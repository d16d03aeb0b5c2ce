/*
 * Golden values: filters of every format version, which must be read for ever
 *
 * test/golden/format_1.txt has a line per filter: kind, width, FPR, number of
 * keys, the rate it was then shrunk to (0: not), and its bytes in hex.  The
 * keys are golden_key(0), golden_key(1), ...  "test_golden --write" prints
 * such a file.
 */
#include "testing.h"

#define GOLDEN_FILE "test/golden/format_1.txt"
#define MAX_LINE	70000

static const struct
{
	RibbonKind kind;
	int width;
	const char *fpr;
	size_t nkeys;
	const char *shrunk_to;
} cases[] = {
	{RIBBON_BURR, 64, "0.01", 0, "0"},
	{RIBBON_BURR, 64, "0.00390625", 1, "0"},
	{RIBBON_BURR, 64, "0.01", 3, "0"},
	{RIBBON_BURR, 64, "0.01", 10, "0"},
	{RIBBON_BURR, 64, "0.00390625", 100, "0"},
	{RIBBON_BURR, 128, "2.3283064365386963e-10", 65, "0"},
	{RIBBON_BURR, 32, "0.3", 1000, "0"},
	{RIBBON_BURR, 64, "0.03", 3000, "0.05"},
	{RIBBON_BURR, 32, "0.5", 60000, "0"},
	{RIBBON_BURR, 64, "0.4", 60000, "0"},
	{RIBBON_BURR, 128, "0.3", 60000, "0.45"},
	{RIBBON_HOMOGENEOUS, 32, "0.01", 10, "0"},
	{RIBBON_HOMOGENEOUS, 64, "0.001", 200, "0"},
	{RIBBON_HOMOGENEOUS, 128, "0.02", 3000, "0.07"},
};

static uint64_t
golden_key(size_t i)
{
	return ribbon_mix(i + UINT64_C(0x60DE));
}

static Built
build_case(RibbonKind kind, int width, double fpr, size_t nkeys,
		   double shrunk_to)
{
	uint64_t *keys = malloc((nkeys + 1) * sizeof(uint64_t));
	Built built;

	for (size_t i = 0; i < nkeys; i++)
		keys[i] = golden_key(i);
	built = build(kind, width, fpr, keys, nkeys);
	free(keys);
	if (shrunk_to > 0)
	{
		Built shrunk = shrink(&built, shrunk_to);

		free(built.bytes);
		return shrunk;
	}
	return built;
}

static void
write_cases(void)
{
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
	{
		Built built = build_case(cases[c].kind, cases[c].width,
								 atof(cases[c].fpr), cases[c].nkeys,
								 atof(cases[c].shrunk_to));

		printf("%s %d %s %zu %s ", kind_name(cases[c].kind), cases[c].width,
			   cases[c].fpr, cases[c].nkeys, cases[c].shrunk_to);
		for (size_t i = 0; i < built.nbytes; i++)
			printf("%02x", built.bytes[i]);
		printf("\n");
		free(built.bytes);
	}
}

static void
check_line(const char *kind, int width, double fpr, size_t nkeys,
		   double shrunk_to, const char *hex)
{
	Built golden = {RIBBON_OK, NULL, strlen(hex) / 2, {0}};
	Built built = build_case(kind[0] == 'b' ? RIBBON_BURR : RIBBON_HOMOGENEOUS,
							 width, fpr, nkeys, shrunk_to);

	golden.bytes = malloc(golden.nbytes);
	for (size_t i = 0; i < golden.nbytes; i++)
	{
		unsigned byte = 0;

		CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1, "hex");
		golden.bytes[i] = (uint8_t) byte;
	}
	built_open(&golden);
	CHECK(golden.status == RIBBON_OK && golden.filter.nkeys == nkeys,
		  "%s %d %g %zu: %s", kind, width, fpr, nkeys,
		  ribbon_status_text(golden.status));
	for (size_t i = 0; golden.status == RIBBON_OK && i < nkeys; i++)
		CHECK(ribbon_contains(&golden.filter, golden_key(i)), "key %zu", i);
	CHECK(built.nbytes == golden.nbytes &&
			  memcmp(built.bytes, golden.bytes, golden.nbytes) == 0,
		  "%s %d %g %zu: builds to other bytes", kind, width, fpr, nkeys);
	free(built.bytes);
	free(golden.bytes);
}

int
main(int argc, char **argv)
{
	FILE *file;
	char *line;
	char kind[20], *hex;
	int width, nlines = 0;
	double fpr, shrunk_to;
	size_t nkeys;

	if (argc > 1 && strcmp(argv[1], "--write") == 0)
	{
		write_cases();
		return 0;
	}

	test("golden values of format version 1 are read, and built again");
	file = fopen(GOLDEN_FILE, "r");
	CHECK(file != NULL, "cannot open %s", GOLDEN_FILE);
	line = malloc(MAX_LINE);
	hex = malloc(MAX_LINE);
	while (file != NULL && fgets(line, MAX_LINE, file) != NULL)
	{
		CHECK(sscanf(line, "%19s %d %lf %zu %lf %s", kind, &width, &fpr, &nkeys,
					 &shrunk_to, hex) == 6,
			  "line %d", nlines + 1);
		check_line(kind, width, fpr, nkeys, shrunk_to, hex);
		nlines++;
	}
	CHECK(nlines >= (int) (sizeof(cases) / sizeof(cases[0])), "%d lines",
		  nlines);
	if (file != NULL)
		fclose(file);
	free(hex);
	free(line);
	return test_done();
}
