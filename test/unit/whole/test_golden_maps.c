/*
 * test_golden_maps.c - golden values: maps of format version 1, which must be
 * read for ever
 *
 * test/golden/maps_1.txt has a line per map: width, FPR, value bits, number of
 * keys, a shift, seed, whether there is a dictionary, and the bytes, or of
 * large maps their digest (golden.h).  Keys are golden_key(0), golden_key(1),
 * ..., shifted to the right: then they cluster, and the map is salted.
 * "test_golden_maps --write" prints the file.
 */
#include "golden.h"
#include "maps.h"

#define GOLDEN	   "test/golden/maps_1.txt"
#define MOST_BYTES 5000 /* of a map that is written whole */

static const struct
{
	int width;
	const char *fpr;
	unsigned value_bits;
	size_t nkeys;
	unsigned shift;
	uint32_t seed;
	int dictionary;
} cases[] = {
	{64, "0.01", 8, 0, 0, 0, 0},
	{64, "1", 0, 5, 0, 0, 0},
	{64, "1", 1, 1, 0, 0, 0},
	{64, "0.01", 2, 10, 0, 0, 1},
	{64, "0.5", 3, 70, 0, 7, 0},
	{128, "1", 1, 500, 0, 0, 0},
	{32, "0.001", 12, 300, 0, 0, 0},
	{64, "2.3283064365386963e-10", 24, 200, 0, 0, 0},
	{64, "0.01", 64, 100, 0, 4294967295, 0},
	{64, "1", 64, 65, 0, 0, 1},
	{64, "0.01", 8, 300, 20, 0, 0},
	{32, "1", 5, 100000, 0, 0, 0},
	{64, "0.01", 16, 100000, 0, 0, 0},
	{128, "0.3", 1, 200000, 0, 0, 0},
	{64, "0.004", 60, 60000, 0, 0, 0},
	{64, "0.02", 9, 40000, 20, 0, 0},
	{128, "1", 1, 100000, 0, 0, 0},
	{128, "1", 2, 1500000, 0, 0, 0},
	{128, "0.5", 2, 100000, 20, 0, 0},
};

static const uint8_t dictionary[] = {1, 2, 3, 4, 5, 6, 7};

static uint64_t
golden_value(size_t i, unsigned value_bits)
{
	return ribbon_mix(i + UINT64_C(0x60DF)) & ribbon_low_mask(value_bits);
}

static void
build_case(Built *built, int width, double fpr, unsigned value_bits,
		   size_t nkeys, unsigned shift, uint32_t seed, int has_dictionary)
{
	uint64_t *records = malloc((nkeys + 1) * 2 * sizeof(uint64_t));
	MapParams params = map_params(width, fpr, value_bits);

	for (size_t i = 0; i < nkeys; i++)
	{
		records[2 * i] = golden_key(i, shift);
		records[2 * i + 1] = golden_value(i, value_bits);
	}
	params.seed = seed;
	if (has_dictionary)
	{
		params.dictionary = dictionary;
		params.ndictionary = sizeof(dictionary);
	}
	*built = map_build(&params, records, nkeys);
	free(records);
}

static void
write_case(size_t c)
{
	char *text = malloc(GOLDEN_LINE);
	Built built;

	build_case(&built, cases[c].width, atof(cases[c].fpr), cases[c].value_bits,
			   cases[c].nkeys, cases[c].shift, cases[c].seed,
			   cases[c].dictionary);
	golden_text(built.bytes, built.nbytes, MOST_BYTES, text);
	printf("%d %s %u %zu %u %lu %d %s\n", cases[c].width, cases[c].fpr,
		   cases[c].value_bits, cases[c].nkeys, cases[c].shift,
		   (unsigned long) cases[c].seed, cases[c].dictionary, text);
	free(built.bytes);
	free(text);
}

static void
check_line(const char *line, const char *golden)
{
	int width, has_dictionary;
	double fpr;
	unsigned value_bits, shift;
	size_t nkeys;
	unsigned long seed;
	char *text;
	Built built;

	if (sscanf(line, "%d %lf %u %zu %u %lu %d", &width, &fpr, &value_bits,
			   &nkeys, &shift, &seed, &has_dictionary) != 7)
	{
		CHECK(false, "%.60s", line);
		return;
	}
	build_case(&built, width, fpr, value_bits, nkeys, shift, (uint32_t) seed,
			   has_dictionary);
	text = malloc(GOLDEN_LINE);
	golden_text(built.bytes, built.nbytes, MOST_BYTES, text);
	CHECK(built.status == RIBBON_OK && strcmp(text, golden) == 0,
		  "%.60s builds to other bytes", line);
	free(text);
	CHECK(built.filter.nkeys == nkeys && built.filter.seed == seed &&
			  built.filter.value_bits == value_bits &&
			  (built.filter.dictionary != NULL) == has_dictionary,
		  "%.60s: header", line);
	CHECK(nkeys == 0 || value_bits == 0 ||
			  map_plane(&built.filter, 0)->salted == (shift > 0),
		  "%.60s: salted?", line);
	for (size_t i = 0; i < nkeys; i++)
	{
		uint64_t code = 0;

		CHECK(ribbon_get(&built.filter, golden_key(i, shift), &code) &&
				  code == golden_value(i, value_bits),
			  "%.60s: key %zu", line, i);
	}
	free(built.bytes);
}

int
main(int argc, char **argv)
{
	return golden_main(argc, argv, GOLDEN, sizeof(cases) / sizeof(cases[0]),
					   write_case, check_line);
}
