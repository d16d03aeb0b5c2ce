/*
 * test_golden.c - golden values: filters of every format version, which must
 * be read for ever
 *
 * test/golden/format_N.txt, for each version N, has a line per filter: kind,
 * width, FPR, number of keys, a shift, the rate it was then shrunk to (0: not),
 * and its bytes in hex.  The keys are golden_key(0), golden_key(1), ...,
 * shifted to the right: then they cluster, and the filter is salted.  The
 * builder writes the newest version, which must come out the same.
 * "test_golden --write" prints such a file.
 */
#include "built.h"
#include "golden.h"

#include <dirent.h>

#define GOLDEN_DIR "test/golden"
#define MAX_LINE   70000

static const struct
{
	RibbonKind kind;
	int width;
	const char *fpr;
	size_t nkeys;
	unsigned shift;
	const char *shrunk_to;
} cases[] = {
	{RIBBON_BURR, 64, "0.01", 0, 0, "0"},
	{RIBBON_BURR, 64, "0.00390625", 1, 0, "0"},
	{RIBBON_BURR, 64, "0.01", 3, 0, "0"},
	{RIBBON_BURR, 64, "0.01", 10, 0, "0"},
	{RIBBON_BURR, 64, "0.00390625", 100, 0, "0"},
	{RIBBON_BURR, 128, "2.3283064365386963e-10", 65, 0, "0"},
	{RIBBON_BURR, 32, "0.3", 1000, 0, "0"},
	{RIBBON_BURR, 64, "0.03", 3000, 0, "0.05"},
	{RIBBON_BURR, 32, "0.5", 60000, 0, "0"},
	{RIBBON_BURR, 64, "0.4", 60000, 0, "0"},
	{RIBBON_BURR, 128, "0.3", 60000, 0, "0.45"},
	{RIBBON_BURR, 128, "0.5", 100000, 0, "0"},
	{RIBBON_HOMOGENEOUS, 32, "0.01", 10, 0, "0"},
	{RIBBON_HOMOGENEOUS, 64, "0.001", 200, 0, "0"},
	{RIBBON_HOMOGENEOUS, 128, "0.02", 3000, 0, "0.07"},
	{RIBBON_BURR, 64, "0.01", 300, 20, "0"},
	{RIBBON_BURR, 32, "0.02", 40000, 20, "0"},
	{RIBBON_BURR, 64, "0.004", 12000, 20, "0"},
	{RIBBON_BURR, 128, "0.3", 30000, 20, "0.4"},
	{RIBBON_HOMOGENEOUS, 32, "0.02", 3000, 20, "0"},
	{RIBBON_HOMOGENEOUS, 64, "0.01", 1000, 20, "0"},
	{RIBBON_HOMOGENEOUS, 128, "0.3", 500, 20, "0.45"},
};

static Built
build_case(RibbonKind kind, int width, double fpr, size_t nkeys, unsigned shift,
		   double shrunk_to)
{
	uint64_t *keys = malloc((nkeys + 1) * sizeof(uint64_t));
	Built built;

	for (size_t i = 0; i < nkeys; i++)
		keys[i] = golden_key(i, shift);
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
								 cases[c].shift, atof(cases[c].shrunk_to));

		printf("%s %d %s %zu %u %s ", kind_name(cases[c].kind), cases[c].width,
			   cases[c].fpr, cases[c].nkeys, cases[c].shift,
			   cases[c].shrunk_to);
		for (size_t i = 0; i < built.nbytes; i++)
			printf("%02x", built.bytes[i]);
		printf("\n");
		free(built.bytes);
	}
}

static void
check_line(int version, const char *kind, int width, double fpr, size_t nkeys,
		   unsigned shift, double shrunk_to, const char *hex)
{
	Built golden = {RIBBON_OK, NULL, strlen(hex) / 2, {0}};

	golden.bytes = malloc(golden.nbytes);
	for (size_t i = 0; i < golden.nbytes; i++)
	{
		unsigned byte = 0;

		CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1, "hex");
		golden.bytes[i] = (uint8_t) byte;
	}
	built_open(&golden);
	CHECK(golden.status == RIBBON_OK && golden.filter.nkeys == nkeys &&
			  (golden.bytes[0] & 15) == version,
		  "%s %d %g %zu: %s", kind, width, fpr, nkeys,
		  ribbon_status_text(golden.status));
	CHECK(golden.status != RIBBON_OK ||
			  ribbon_check(&ribbon_malloc_env, &golden.filter) == RIBBON_OK,
		  "%s %d %g %zu is not sound", kind, width, fpr, nkeys);
	for (size_t i = 0; golden.status == RIBBON_OK && i < nkeys; i++)
		CHECK(ribbon_contains(&golden.filter, golden_key(i, shift)), "key %zu",
			  i);
	CHECK(ribbon_opened(&golden.filter)->plane.salted == (shift > 0),
		  "%s %d %g %zu: salted?", kind, width, fpr, nkeys);
	if (version == RIBBON_FORMAT_VERSION)
	{
		Built built = build_case(kind[0] == 'b' ? RIBBON_BURR :
												  RIBBON_HOMOGENEOUS,
								 width, fpr, nkeys, shift, shrunk_to);

		CHECK(built_same(&built, &golden),
			  "%s %d %g %zu: builds to other bytes", kind, width, fpr, nkeys);
		free(built.bytes);
	}
	free(golden.bytes);
}

/* Read the filters of a version; how many there are. */
static size_t
check_version(int version)
{
	char name[100];
	char *line = malloc(MAX_LINE);
	char *hex = malloc(MAX_LINE);
	size_t nlines = 0;
	FILE *file;

	snprintf(name, sizeof(name), "%s/format_%d.txt", GOLDEN_DIR, version);
	file = fopen(name, "r");
	CHECK(file != NULL, "cannot open %s", name);
	while (file != NULL && fgets(line, MAX_LINE, file) != NULL)
	{
		char kind[20];
		int width;
		unsigned shift;
		double fpr, shrunk_to;
		size_t nkeys;

		nlines++;
		CHECK(sscanf(line, "%19s %d %lf %zu %u %lf %s", kind, &width, &fpr,
					 &nkeys, &shift, &shrunk_to, hex) == 7,
			  "line %zu of %s", nlines, name);
		check_line(version, kind, width, fpr, nkeys, shift, shrunk_to, hex);
	}
	CHECK(nlines > 0, "nothing in %s", name);
	if (file != NULL)
		fclose(file);
	free(hex);
	free(line);
	return nlines;
}

/* Files of golden values, of whatever version. */
static int
count_files(void)
{
	DIR *dir = opendir(GOLDEN_DIR);
	struct dirent *entry;
	int n = 0;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		n += strncmp(entry->d_name, "format_", 7) == 0;
	if (dir != NULL)
		closedir(dir);
	return n;
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--write") == 0)
	{
		write_cases();
		return 0;
	}

	for (int version = 1; version < RIBBON_FORMAT_VERSION; version++)
	{
		test("golden values of an older format version are read");
		check_version(version);
	}
	test("golden values of this format version are read, and built again");
	CHECK(check_version(RIBBON_FORMAT_VERSION) ==
			  sizeof(cases) / sizeof(cases[0]),
		  "other cases");

	test("no golden values are left unread");
	CHECK(count_files() == RIBBON_FORMAT_VERSION, "%d files", count_files());
	return test_done();
}
