/*
 * Golden values: exact sets of format version 1, which must be read for ever
 *
 * test/golden/exact_1.txt has a line per set: width, number of keys, of how
 * many keys one is a member (0: none is; below 0, one is none), a shift, how
 * many of the first keys have one hash, and the bytes in hex, or "=" and their
 * digest.  Hashes of keys are shifted to the right: then they cluster, and a
 * plane is salted.
 * "test_golden_exact --write" prints the file.
 */
#include "exact.h"

#include "construct/digest.h"

#define GOLDEN	   "test/golden/exact_1.txt"
#define MAX_LINE   20000
#define MOST_BYTES 4000 /* of a set that is written whole */

static const struct
{
	int width;
	size_t nkeys;
	int part;
	unsigned shift;
	size_t nequal;
} cases[] = {
	{0, 0, 1, 0, 0},		{0, 7, 0, 0, 0},	   {0, 7, 1, 0, 0},
	{0, 5, 2, 0, 0},		{0, 100, 3, 0, 0},	   {64, 100, 30, 0, 0},
	{0, 700, 70, 0, 2},		{32, 9000, 17, 0, 0},  {128, 9000, 17, 0, 3},
	{0, 60000, 500, 0, 0},	{0, 3000, 9, 20, 0},   {0, 100000, 2, 0, 0},
	{64, 400000, 9, 0, 0},	{0, 1300000, 6, 0, 0}, {0, 700, -70, 0, 2},
	{0, 60000, -500, 0, 0},
};

static uint64_t *
golden_records(size_t nkeys, int part, unsigned shift, size_t nequal)
{
	uint64_t *records = malloc((nkeys + 1) * 2 * sizeof(uint64_t));

	for (size_t i = 0; i < nkeys; i++)
	{
		size_t named = i < nequal ? 0 : i;
		bool multiple = part != 0 && i % (size_t) abs(part) == 0;

		records[2 * i] = ribbon_mix(named + UINT64_C(0x60DE)) >> shift;
		records[2 * i + 1] = ribbon_exact_word(ribbon_mix(i + UINT64_C(0x60DF)),
											   part != 0 &&
												   multiple == (part > 0));
	}
	return records;
}

/* The bytes in hex, or their digest if they are many. */
static void
write_bytes(const BuiltExact *built, char *out)
{
	RibbonDigest digest;

	*out = '\0';
	ribbon_digest_init(&digest);
	for (size_t i = 0; i < built->nbytes; i++)
	{
		uint64_t byte = built->bytes[i];

		ribbon_digest_add(&digest, &byte, 1);
		if (built->nbytes <= MOST_BYTES)
			snprintf(out + 2 * i, 3, "%02x", built->bytes[i]);
	}
	if (built->nbytes > MOST_BYTES)
		snprintf(out, MAX_LINE, "=%zu:%016" PRIx64, built->nbytes,
				 ribbon_digest_end(&digest));
}

static void
write_cases(void)
{
	char *text = malloc(MAX_LINE);

	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
	{
		RibbonExactParams params = exact_params(cases[c].width);
		uint64_t *records = golden_records(cases[c].nkeys, cases[c].part,
										   cases[c].shift, cases[c].nequal);
		BuiltExact built;

		exact_build(&built, &params, records, cases[c].nkeys);
		write_bytes(&built, text);
		printf("%d %zu %d %u %zu %s\n", cases[c].width, cases[c].nkeys,
			   cases[c].part, cases[c].shift, cases[c].nequal, text);
		free(built.bytes);
		free(records);
	}
	free(text);
}

static void
check_line(const char *line, const char *golden)
{
	char *text = malloc(MAX_LINE);
	int width;
	size_t nkeys, nequal;
	int part;
	unsigned shift;
	RibbonExactParams params;
	uint64_t *records;
	BuiltExact built;

	if (sscanf(line, "%d %zu %d %u %zu", &width, &nkeys, &part, &shift,
			   &nequal) != 5)
	{
		CHECK(false, "%.60s", line);
		free(text);
		return;
	}
	params = exact_params(width);
	records = golden_records(nkeys, part, shift, nequal);
	exact_build(&built, &params, records, nkeys);
	write_bytes(&built, text);
	CHECK(strcmp(text, golden) == 0, "%.60s builds to other bytes", line);
	exact_check(&built, records, nkeys);
	CHECK((built.set.seed != 0) == (nequal > 0), "%.60s: seeded?", line);
	free(built.bytes);
	free(records);
	free(text);
}

static void
check_file(void)
{
	char *line = malloc(MAX_LINE);
	FILE *file = fopen(GOLDEN, "r");
	size_t nlines = 0;

	CHECK(file != NULL, "cannot open %s", GOLDEN);
	while (file != NULL && fgets(line, MAX_LINE, file) != NULL)
	{
		line[strcspn(line, "\n")] = '\0';
		check_line(line, strrchr(line, ' ') + 1);
		nlines++;
	}
	CHECK(nlines == sizeof(cases) / sizeof(cases[0]), "%zu lines", nlines);
	if (file != NULL)
		fclose(file);
	free(line);
}

int
main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "--write") == 0)
	{
		write_cases();
		return 0;
	}
	test("golden exact sets are read, and come out the same");
	check_file();
	return test_done();
}
