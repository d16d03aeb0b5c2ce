/*
 * test_golden_families.c - golden values: digests of the bytes of some
 * thousand sets of each sort
 *
 * The same set gives the same bytes, so whatever a build chooses (a size, a
 * seed, a plan) shows in them.  test/golden/families_1.txt has a line per
 * family of sets: its sort, three numbers of which each sort has its own, and
 * "=", the number of bytes of all of its sets, and the digest of these.
 * "test_golden_families --write" prints the file.
 */
#include "exact.h"
#include "hostile.h"
#include "golden.h"
#include "records.h"

#define GOLDEN "test/golden/families_1.txt"

/* What a family consists of, and what its three numbers are. */
typedef enum Sort
{
	FILTERS, /* kind, width, rates: of random hashes, of each size; shrunk */
	LARGE,	 /* kind, width, rates: of hashes for layers and windows */
	HOSTILE, /* kind, width, aim */
	MAPS,	 /* bits of a value, width, rates */
	CODED,	 /* skew, width, rates: whose codes are by frequency, or may be */
	EXACT,	 /* members of 1000 keys, width, rates */
	NSORTS
} Sort;

static const char *const sorts[] = {"filters", "large", "hostile",
									"maps",	   "coded", "exact"};

static const double rates[][5] = {
	{0.5, 0.3, 0.1, 0.01, 0.001},
	{0.2, 0.04, 0x1p-8, 1e-6, 0x1p-32},
};

/* The bytes of a family so far. */
static RibbonDigest digest;
static size_t nbytes;

static void
take(Built *built)
{
	CHECK(built->status == RIBBON_OK, "%s", ribbon_status_text(built->status));
	if (built->status != RIBBON_OK)
		return;
	for (size_t i = 0; i < built->nbytes; i++)
		ribbon_digest_add(&digest, built->bytes[i]);
	nbytes += built->nbytes;
	free(built->bytes);
}

static void
take_filters(RibbonKind kind, int width, const double *of)
{
	static const size_t sizes[] = {0,  1,  2,  3,	5,	 8,	  13,  21,
								   31, 33, 64, 100, 180, 330, 700, 1300};
	Random random = {1};

	for (unsigned i = 0; i < 5; i++)
		for (unsigned j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++)
		{
			uint64_t *keys = random_keys(&random, sizes[j]);
			Built built = build(kind, width, of[i], keys, sizes[j]);

			if (of[i] < 0.3 && j % 4 == i % 4)
			{
				Built shrunk = shrink(&built, of[i] * (i % 2 == 0 ? 1.3 : 3));

				take(&shrunk);
			}
			take(&built);
			free(keys);
		}
}

static void
take_large(RibbonKind kind, int width, const double *of)
{
	static const size_t sizes[] = {3000, 9000, 26000};
	Random random = {2};

	for (unsigned i = 0; i < 3; i++)
	{
		uint64_t *keys = random_keys(&random, sizes[i]);
		Built built = build(kind, width, of[2 * i], keys, sizes[i]);

		take(&built);
		free(keys);
	}
}

static void
take_hostile(RibbonKind kind, int width, Aim aim)
{
	static const size_t sizes[] = {30, 150, 500, 1200};

	for (unsigned i = 0; i < 4; i++)
	{
		uint64_t *keys = malloc(sizes[i] * sizeof(uint64_t));
		Built built;

		for (size_t k = 0; k < sizes[i]; k++)
			keys[k] = hostile(aim, k, i);
		built = build(kind, width, 0.02, keys, sizes[i]);
		take(&built);
		free(keys);
	}
}

static void
take_map(const MapParams *params, const uint64_t *records, size_t n)
{
	Built built = {.status = RIBBON_OK};

	built = map_build(params, records, n);
	take(&built);
}

static void
take_maps(unsigned value_bits, int width, const double *of)
{
	static const size_t sizes[] = {1, 6, 40, 65, 200, 1000, 3000};
	Random random = {3};

	for (unsigned i = 0; i < 5; i += 2)
		for (unsigned j = 0; j < sizeof(sizes) / sizeof(sizes[0]); j++)
		{
			double fpr = (i + j) % 3 == 0 ? 1 : of[i];
			MapParams params = map_params(width, fpr, value_bits);
			uint64_t *records = map_records(&random, sizes[j], value_bits, 0);

			take_map(&params, records, sizes[j]);
			free(records);
		}
}

static void
take_coded(Skew skew, int width, const double *of)
{
	static const size_t sizes[] = {2, 20, 90, 400, 1500, 5000};
	Random random = {4};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		uint64_t *records = skewed_records(&random, skew, sizes[i]);

		for (unsigned j = 0; j < 4; j++)
		{
			MapParams params = map_params(width, j < 2 ? 1 : of[j],
										  skewed_bits(skew));

			params.coding = j % 2 == 0 ? RIBBON_CODING_ENTROPY :
										 RIBBON_CODING_AUTO;
			take_map(&params, records, sizes[i]);
		}
		free(records);
	}
}

static void
take_exact(unsigned nmembers, int width, const double *of)
{
	static const size_t sizes[] = {0, 1, 4, 30, 120, 1000, 4000};
	Random random = {5};

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
	{
		size_t n = sizes[i];
		uint64_t *records = exact_records(&random, n, n * nmembers / 1000);

		for (unsigned j = 0; j < 5; j += 2)
		{
			RibbonParams params = exact_params(width);
			Built built;

			if (j > 0)
				params.fpr = of[j];
			built = built_from(&params, records, n);
			take(&built);
		}
		free(records);
	}
}

static void
digest_family(Sort sort, int a, int width, int c, char text[100])
{
	ribbon_digest_init(&digest);
	nbytes = 0;
	switch (sort)
	{
		case FILTERS:
			take_filters((RibbonKind) a, width, rates[c]);
			break;
		case LARGE:
			take_large((RibbonKind) a, width, rates[c]);
			break;
		case HOSTILE:
			take_hostile((RibbonKind) a, width, (Aim) c);
			break;
		case MAPS:
			take_maps((unsigned) a, width, rates[c]);
			break;
		case CODED:
			take_coded((Skew) a, width, rates[c]);
			break;
		case EXACT:
			take_exact((unsigned) a, width, rates[c]);
			break;
		case NSORTS:
			break;
	}
	snprintf(text, 100, "=%zu:%016" PRIx64, nbytes, ribbon_digest_end(&digest));
}

/* One of the files' lines. */
typedef struct Family
{
	Sort sort;
	int a, width, c;
} Family;

static Family
family(size_t i)
{
	static const int value_bits[] = {0, 1, 2, 3, 7, 12, 24, 40, 56, 64};
	static const int members[] = {0, 8, 60, 200, 340, 500, 700, 990, 1000};
	static const int widths[] = {0, 32, 64, 128};
	/* first numbers, widths that each of them has, last numbers */
	static const size_t counts[NSORTS][3] = {{3, 4, 2},			{2, 2, 2},
											 {2, 1, AIM_COUNT}, {10, 1, 2},
											 {NSKEWS, 1, 2},	{9, 1, 2}};
	Sort sort = 0;
	size_t a, w, c;

	for (; i >= counts[sort][0] * counts[sort][1] * counts[sort][2]; sort++)
		i -= counts[sort][0] * counts[sort][1] * counts[sort][2];
	c = i % counts[sort][2];
	a = i / counts[sort][2] % counts[sort][0];
	w = i / counts[sort][2] / counts[sort][0];
	return (Family){.sort = sort,
					.a = sort == MAPS ? value_bits[a] :
						sort == EXACT ? members[a] :
										(int) a,
					.width = widths[(a + c + w + (sort == LARGE)) % 4],
					.c = (int) c};
}

#define NFAMILIES 120

static void
write_family(size_t i)
{
	Family f = family(i);
	char text[100];

	digest_family(f.sort, f.a, f.width, f.c, text);
	printf("%s %d %d %d %s\n", sorts[f.sort], f.a, f.width, f.c, text);
}

static void
check_line(const char *line, const char *golden)
{
	Family f = {.sort = 0};
	char name[20], text[100];

	CHECK(sscanf(line, "%19s %d %d %d", name, &f.a, &f.width, &f.c) == 4,
		  "%.60s", line);
	while (f.sort < NSORTS && strcmp(sorts[f.sort], name) != 0)
		f.sort++;
	CHECK(f.sort < NSORTS, "%.60s", line);
	digest_family(f.sort, f.a, f.width, f.c, text);
	CHECK(strcmp(text, golden) == 0, "%.60s builds to %s", line, text);
}

int
main(int argc, char **argv)
{
	return golden_main(argc, argv, GOLDEN, NFAMILIES, write_family, check_line);
}
