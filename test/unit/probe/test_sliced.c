/*
 * test_sliced.c - a filter probed in slices: the same answers, from bytes
 * inside it
 */
#include "exact.h"
#include "records.h"

#define MOST_KEYS 4000 /* that a filter is asked for */

/* Keys for which the ways differ, one by one and together, of so many. */
static size_t
count_differences(const Built *built, const uint64_t *keys, size_t n,
				  Slices *slices)
{
	size_t differences = 0;
	bool answers[MOST_KEYS];
	RibbonFilter filter;
	RibbonStatus status;

	slices->bytes = built->bytes;
	slices->nbytes = built->nbytes;
	status = ribbon_open_sliced(built->nbytes, slices_fetch, slices, &filter);
	CHECK(status == RIBBON_OK, "%s", ribbon_status_text(status));
	for (size_t i = 0; i < n; i++)
	{
		slices->nslices = 0;
		differences += ribbon_contains(&filter, keys[i]) !=
			ribbon_contains(&built->filter, keys[i]);
		if (slices->nslices > 2u * RIBBON_MAX_LAYERS + 1)
			differences++;
	}
	ribbon_contains_batch(&filter, keys, n, answers);
	for (size_t i = 0; i < n; i++)
		differences += answers[i] != ribbon_contains(&built->filter, keys[i]);
	return differences;
}

static void
check(const Built *built, const uint64_t *keys, size_t n,
	  const uint64_t *nonmembers, size_t nnonmembers, const char *what)
{
	Slices slices = {0};
	size_t keys_differ = count_differences(built, keys, n, &slices);
	size_t nonmembers_differ = count_differences(built, nonmembers, nnonmembers,
												 &slices);

	CHECK(keys_differ == 0 && nonmembers_differ == 0,
		  "%s: %zu keys, %zu members and %zu non-members differ", what, n,
		  keys_differ, nonmembers_differ);
	CHECK(slices.outside == 0, "%s: %zu slices outside", what, slices.outside);
	free(slices.slice);
}

static const size_t sizes[] = {0, 1, 2, 5, 33, 64, 100, 1000, 5000, 30000};
static const double rates[] = {0.5,		  0.3,	0.01,
							   1.0 / 256, 1e-4, 1.0 / 4294967296};

#define NSIZES		(sizeof(sizes) / sizeof(sizes[0]))
#define NRATES		(sizeof(rates) / sizeof(rates[0]))
#define NNONMEMBERS 1000

/* What is not in one of the pieces is not there. */
static void
check_pieces(const uint8_t *bytes, size_t nbytes, unsigned expected,
			 const char *what)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	uint8_t *part = malloc(nbytes);
	Slices slices = {.bytes = part, .nbytes = nbytes};
	RibbonFilter filter, sliced;
	unsigned npieces;

	CHECK(ribbon_open(bytes, nbytes, &filter) == RIBBON_OK, "%s", what);
	npieces = ribbon_filter_pieces(&filter, pieces);
	CHECK(npieces == expected, "%s: %u pieces", what, npieces);
	memset(part, 0xFF, nbytes);
	for (unsigned i = 0; i < npieces; i++)
	{
		CHECK(pieces[i].at <= nbytes && pieces[i].size <= nbytes - pieces[i].at,
			  "%s: piece %u", what, i);
		memcpy(part + pieces[i].at, bytes + pieces[i].at, pieces[i].size);
	}
	CHECK(ribbon_open_sliced(nbytes, slices_fetch, &slices, &sliced) ==
				  RIBBON_OK &&
			  sliced.nkeys == filter.nkeys &&
			  ribbon_filter_size(&sliced) == ribbon_filter_size(&filter) &&
			  ribbon_fpr(&sliced) == ribbon_fpr(&filter) &&
			  count_slots(&sliced) == count_slots(&filter),
		  "%s: pieces are not all of the header", what);
	free(slices.slice);
	free(part);
}

static void
test_pieces(Random *random, const uint64_t *keys)
{
	static const uint8_t dictionary[] = {1, 2, 3, 4, 5};
	uint64_t *records = map_records(random, 3000, 64, 0);
	uint64_t *skewed = skewed_records(random, SKEW_MOSTLY, 3000);
	uint64_t *universe = exact_records(random, 3000, 300);
	Built filter;
	RibbonParams exact = exact_params(64);
	Built set;

	test("all that is opened is in few pieces");
	for (int k = 0; k < 2; k++)
		for (size_t n = 0; n <= 30000; n += 30000)
		{
			filter = build(test_kinds[k], 64, 0.01, keys, n);
			check_pieces(filter.bytes, filter.nbytes, 1, "a filter");
			free(filter.bytes);
		}
	for (int bits = 8; bits <= 64; bits += 56)
		for (int texts = 0; texts < 2; texts++)
		{
			MapParams params = map_params(64, 0.01, (unsigned) bits);
			Built map;

			if (texts == 1)
			{
				params.dictionary = dictionary;
				params.ndictionary = sizeof(dictionary);
			}
			map = map_build(&params, bits == 8 ? skewed : records, 3000);
			check_pieces(map.bytes, map.nbytes,
						 1 + (bits == 64) + (unsigned) texts, "a map");
			free(map.bytes);
			params.coding = RIBBON_CODING_ENTROPY;
			map = map_build(&params, skewed, 3000);
			check_pieces(map.bytes, map.nbytes, 2, "a map with codes");
			free(map.bytes);
		}
	set = built_from(&exact, universe, 3000);
	check_pieces(set.bytes, set.nbytes, 2, "an exact set");
	free(set.bytes);
	free(universe);
	free(skewed);
	free(records);
}

int
main(void)
{
	Random random = {7};
	uint64_t *keys = random_keys(&random, sizes[NSIZES - 1]);
	uint64_t *nonmembers = random_keys(&random, NNONMEMBERS);
	char what[100];

	for (int k = 0; k < 2; k++)
		for (int w = 0; w < 3; w++)
		{
			snprintf(what, sizeof(what), "%s, width %d",
					 kind_name(test_kinds[k]), test_widths[w]);
			test(what);
			for (size_t s = 0; s < NSIZES; s++)
				for (size_t r = 0; r < NRATES; r++)
				{
					Built built = build(test_kinds[k], test_widths[w], rates[r],
										keys, sizes[s]);
					size_t n = sizes[s] < 1000 ? sizes[s] : 1000;
					Built shrunk = {RIBBON_NOT_LARGER, NULL, 0, {0}};

					CHECK(built.status == RIBBON_OK, "build");
					check(&built, keys, n, nonmembers, NNONMEMBERS, "built");
					if (r > 1 && sizes[s] > 0)
						shrunk = shrink(&built, 0.07);
					if (shrunk.status == RIBBON_OK)
						check(&shrunk, keys, n, nonmembers, NNONMEMBERS,
							  "shrunk");
					if (shrunk.status == RIBBON_OK)
						free(shrunk.bytes);
					free(built.bytes);
				}
		}

	test_pieces(&random, keys);
	test("a salted filter");
	{
		uint64_t *same = malloc(20000 * sizeof(uint64_t));
		Built built;

		for (size_t i = 0; i < 20000; i++)
			same[i] = UINT64_C(0x123456) << 40 | keys[i] >> 24;
		built = build(RIBBON_BURR, 64, 0.01, same, 20000);
		CHECK(ribbon_opened(&built.filter)->plane.salted, "salted");
		check(&built, same, 4000, nonmembers, NNONMEMBERS, "salted");
		free(built.bytes);
		free(same);
	}

	test("a header that is not all there");
	{
		Built built = build(RIBBON_BURR, 64, 0.01, keys, 20000);

		for (size_t n = 0; n < header_size(&built.filter); n++)
		{
			Slices slices = {.bytes = built.bytes, .nbytes = n};
			RibbonFilter filter;

			CHECK(ribbon_open_sliced(n, slices_fetch, &slices, &filter) ==
						  RIBBON_TRUNCATED &&
					  slices.outside == 0,
				  "%zu bytes", n);
			free(slices.slice);
		}
		free(built.bytes);
	}

	test("any bytes behind a header");
	for (int w = 0; w < 3; w++)
	{
		Built built = build(RIBBON_BURR, test_widths[w], 0.003, keys, 30000);

		for (size_t i = header_size(&built.filter); i < built.nbytes; i++)
			built.bytes[i] = (uint8_t) random_next(&random);
		check(&built, keys, 4000, nonmembers, NNONMEMBERS, "noise");
		free(built.bytes);
	}

	test("headers that ask for anything");
	{
		Built built = build(RIBBON_BURR, 64, 0.01, keys, 20000);
		unsigned opened = 0;

		for (int i = 0; i < 8000; i++)
		{
			Built other = built;
			uint8_t header[RIBBON_MAX_HEADER];
			uint64_t total;

			memcpy(header, built.bytes, sizeof(header));
			for (int changes = 0; changes < 2; changes++)
				header[random_below(&random,
									ribbon_opened(&built.filter)
										->plane.header_bytes)] ^=
					(uint8_t) (1 << random_below(&random, 8));
			/* the size that it asks for, so that it is opened */
			total = bytes_called_for(header, sizeof(header));
			if (total == 0 || total > 1000000)
				continue;
			other.nbytes = (size_t) total;
			other.bytes = calloc(1, other.nbytes + sizeof(header));
			memcpy(other.bytes, built.bytes,
				   other.nbytes < built.nbytes ? other.nbytes : built.nbytes);
			memcpy(other.bytes, header, header_size(&built.filter));
			other.status = RIBBON_OK;
			built_open(&other);
			if (other.status == RIBBON_OK)
			{
				opened++;
				check(&other, keys, 50, nonmembers, 50, "hostile");
			}
			free(other.bytes);
		}
		CHECK(opened > 500, "opened %u", opened);
		free(built.bytes);
	}

	free(nonmembers);
	free(keys);
	return test_done();
}
