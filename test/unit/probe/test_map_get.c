/*
 * test_map_get.c - maps opened and probed: one by one, in batches, in slices,
 * by any kernel
 */
#include "kernels.h"
#include "maps.h"
#include "records.h"

#define MAX_PROBES 3000

/*
 * What is got of hashes: single, batch and sliced must be what is read slowly.
 */
typedef struct Got
{
	bool found[MAX_PROBES];
	uint64_t codes[MAX_PROBES];
} Got;

static Got slow, got;

static size_t
count_differences(size_t n)
{
	size_t differences = 0;

	for (size_t i = 0; i < n; i++)
		differences += got.found[i] != slow.found[i] ||
			(got.found[i] && got.codes[i] != slow.codes[i]);
	return differences;
}

/* Batches of several lengths. */
static void
get_batches(const RibbonFilter *map, const uint64_t *hashes, size_t n)
{
	for (size_t i = 0, m; i < n; i += m)
	{
		m = i % 7 == 0 ? 1024 : i % 3 == 0 ? 23 : 256;
		m = m < n - i ? m : n - i;
		ribbon_get_batch(map, hashes + i, m, got.found + i, got.codes + i);
	}
}

static void
check_sliced(const Built *built, const uint64_t *hashes, size_t n,
			 const char *what)
{
	Slices slices = {.bytes = built->bytes, .nbytes = built->nbytes};
	unsigned most = 0;
	RibbonFilter map;
	RibbonStatus status = ribbon_open_sliced(built->nbytes, slices_fetch,
											 &slices, &map);

	CHECK(status == RIBBON_OK, "%s: %s", what, ribbon_status_text(status));
	if (status != RIBBON_OK)
		return;
	CHECK(slices.nslices <= 1 + map_nplanes(&map), "%s: %u", what,
		  slices.nslices);
	CHECK(ribbon_fpr(&map) == ribbon_fpr(&built->filter), "%s", what);
	CHECK(map.bytes == NULL && map.nkeys == built->filter.nkeys &&
			  map.key_class == built->filter.key_class &&
			  map.base == built->filter.base &&
			  map.seed == built->filter.seed &&
			  map.value_bits == built->filter.value_bits &&
			  map.has_null == built->filter.has_null &&
			  map.dictionary_at == built->filter.dictionary_at &&
			  map.ndictionary == built->filter.ndictionary &&
			  map.total_bytes == built->filter.total_bytes,
		  "%s", what);
	for (size_t i = 0; i < n; i++)
	{
		slices.nslices = 0;
		got.found[i] = ribbon_get(&map, hashes[i], &got.codes[i]);
		if (slices.nslices > most)
			most = slices.nslices;
	}
	CHECK(count_differences(n) == 0, "%s: %zu of %zu sliced", what,
		  count_differences(n), n);
	ribbon_get_batch(&map, hashes, n, got.found, got.codes);
	CHECK(count_differences(n) == 0, "%s: %zu of %zu sliced, in a batch", what,
		  count_differences(n), n);
	CHECK(slices.outside == 0 &&
			  most <= map_nplanes(&map) * (2u * RIBBON_MAX_LAYERS + 1),
		  "%s: %zu slices outside, %u slices", what, slices.outside, most);
	free(slices.slice);
}

/* All ways to get, of hashes[0..n), with every kernel. */
static void
check_ways(Built *built, const uint64_t *hashes, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		slow.found[i] = map_get_slowly(&built->filter, hashes[i],
									   &slow.codes[i]);
	check_sliced(built, hashes, n, what);
	FOR_EACH_KERNEL(k)
	{
		ribbon_kernel_use(k);
		built_reopen(built);
		CHECK(built->status == RIBBON_OK, "%s", what);
		for (size_t i = 0; i < n; i++)
			got.found[i] = ribbon_get(&built->filter, hashes[i], &got.codes[i]);
		CHECK(count_differences(n) == 0, "%s, %s: %zu of %zu", what,
			  ribbon_kernel_name(k), count_differences(n), n);
		for (int prefer = 0; prefer < 2; prefer++)
		{
			get_batches(&built->filter, hashes, n);
			CHECK(count_differences(n) == 0, "%s, %s: %zu of %zu in batches",
				  what, ribbon_kernel_name(k), count_differences(n), n);
			ribbon_contains_batch(&built->filter, hashes, n, got.found);
			CHECK(memcmp(got.found, slow.found, n) == 0, "%s, %s: contains",
				  what, ribbon_kernel_name(k));
			prefer_batches(&built->filter);
		}
	}
}

/* Members have their values, and few non-members have any. */
static void
check_map(Random *random, int width, double fpr, unsigned value_bits, size_t n)
{
	int64_t base = (int64_t) random_next(random) >> random_below(random, 64);
	uint64_t *records = map_records(random, n, value_bits, base);
	MapParams params = map_params(width, fpr, value_bits);
	uint64_t hashes[MAX_PROBES];
	size_t nmembers = n < MAX_PROBES / 2 ? n : MAX_PROBES / 2;
	size_t wrong = 0, known = 0;
	Built built;
	char what[100];

	snprintf(what, sizeof(what), "w %d, fpr %g, %u value bits, %zu keys", width,
			 fpr, value_bits, n);
	params.base = base;
	built = map_build(&params, records, n);
	CHECK(built.status == RIBBON_OK, "%s: %s", what,
		  ribbon_status_text(built.status));
	if (built.status != RIBBON_OK)
	{
		free(records);
		return;
	}
	CHECK(built.filter.base == base && built.filter.nkeys == n &&
			  built.filter.value_bits == value_bits &&
			  (ribbon_fpr(&built.filter) < 1) == (n == 0 || fpr < 1) &&
			  built.filter.key_class == 1 && built.filter.value_class == 4 &&
			  built.filter.seed == 0 && !built.filter.has_null &&
			  built.filter.dictionary == NULL &&
			  built.filter.total_bytes == built.nbytes &&
			  built.filter.bytes == built.bytes,
		  "%s", what);
	CHECK(n == 0 || fabs(ribbon_fpr(&built.filter) / fpr - 1) < 0.05, "%s: %g",
		  what, ribbon_fpr(&built.filter));
	CHECK(ribbon_check(&ribbon_malloc_env, &built.filter) == RIBBON_OK, "%s",
		  what);
	for (size_t i = 0; i < n; i++)
	{
		uint64_t code;

		wrong += !ribbon_get(&built.filter, records[2 * i], &code) ||
			code != records[2 * i + 1] - (uint64_t) base;
	}
	CHECK(wrong == 0, "%s: %zu are wrong", what, wrong);

	for (size_t i = 0; i < MAX_PROBES; i++)
		hashes[i] = random_next(random);
	for (size_t i = 0; i < nmembers; i++) /* between the others */
		hashes[i * (MAX_PROBES / nmembers)] =
			records[2 * random_below(random, n)];
	check_ways(&built, hashes, MAX_PROBES, what);
	for (size_t i = 0; i < MAX_PROBES; i++)
		known += slow.found[i];
	CHECK(n == 0 ? known == 0 :
				   is_plausible(known - nmembers,
								(double) (MAX_PROBES - nmembers) *
									ribbon_fpr(&built.filter)),
		  "%s: %zu found, %zu members", what, known, nmembers);
	free(built.bytes);
	free(records);
}

static void
check_sizes(Random *random)
{
	static const size_t sizes[] = {0,  1,	2,	  7,	63,	  64,
								   65, 300, 2000, 6000, 30000};
	static const double rates[] =
		{1, 0.5, 0.3, 0.01, 1.0 / 256, 1e-6, 1.0 / 4294967296};
	static const unsigned bits[] = {0,	1,	2,	7,	8,	9,	16, 31,
									32, 33, 55, 56, 57, 63, 64};

	for (int w = 0; w < 3; w++)
		for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
			for (unsigned v = 0; v < sizeof(bits) / sizeof(bits[0]); v++)
			{
				double fpr = rates[random_below(random, 7)];

				check_map(random, test_widths[w], fpr, bits[v], sizes[s]);
			}
}

static void
check_random(Random *random)
{
	for (int i = 0; i < 120; i++)
	{
		double fpr = ldexp(1 + (double) random_below(random, 1000) / 1000,
						   -(int) random_below(random, 31) - 2);
		unsigned bits = (unsigned) random_below(random, 65);
		size_t n = (size_t) (1 +
							 random_below(random, 200) *
								 random_below(random, 200));

		if (random_below(random, 4) == 0)
			fpr = 1;
		check_map(random, test_widths[random_below(random, 3)], fpr, bits, n);
	}
}

/* Two bumped layers or more, with any number of groups of columns. */
static void
check_layers(Random *random)
{
	for (int w = 0; w < 3; w++)
		for (unsigned bits = 1; bits <= 56; bits += 11)
		{
			check_map(random, test_widths[w], 1, bits, 150000);
			check_map(random, test_widths[w], 0.003, bits / 2, 150000);
		}
}

/*
 * Zones of eight columns, and behind them hardly any of nine: what is read of
 * the former ends with the map.
 */
static void
check_zone_ends(Random *random)
{
	for (int w = 0; w < 3; w++)
		for (size_t n = 130; n < 1100; n += 97)
			check_map(random, test_widths[w], 0.1249, 5, n);
}

/* Thresholds of groups that no builder wrote, any bytes: all ways agree. */
static void
check_groups(Random *random)
{
	for (unsigned bits = 1; bits <= 4; bits++)
	{
		size_t n = 100000 + 30000 * bits;
		uint64_t *records = map_records(random, n, bits, 0);
		MapParams params = map_params(128, 1, bits);
		uint64_t hashes[MAX_PROBES];
		Built built;
		const RibbonPlane *plane;
		uint8_t *thresholds;
		uint64_t nbytes;

		built = map_build(&params, records, n);
		plane = map_plane(&built.filter, 0);
		CHECK(built.status == RIBBON_OK && plane->nlayers > 0 &&
				  plane->buckets.grouped,
			  "%u bits: no groups", bits);
		for (size_t i = 0; i < MAX_PROBES; i++)
			hashes[i] = i % 2 == 0 ? records[2 * i] : random_next(random);
		check_ways(&built, hashes, MAX_PROBES, "groups as built");
		thresholds = (uint8_t *) plane->systems[0].thresholds;
		nbytes = ribbon_buckets_threshold_bytes(&plane->systems[0],
												&plane->buckets);
		for (int round = 0; round < 20; round++)
		{
			for (uint64_t i = 0; i < nbytes; i++)
				thresholds[i] = (uint8_t) (random_next(random) >>
										   (round % 2 == 0 ? 0 : 3));
			check_ways(&built, hashes, MAX_PROBES, "any groups");
		}
		free(built.bytes);
		free(records);
	}
}

/* A bit for each of 2000 keys, of which one of two zones has all slots. */
static void
check_empty_zone(Random *random)
{
	static const uint8_t header[] = {0x11, 0x81, 12, 0xD0, 0x0F, 4,
									 1,	   0,	 0,	 0xCF, 0x0F, 0};
	Built built = {.nbytes = sizeof(header) + 2000 / 8};
	uint64_t hashes[MAX_PROBES];
	size_t nothing = 0;

	built.bytes = malloc(built.nbytes);
	for (size_t i = 0; i < built.nbytes; i++)
		built.bytes[i] = i < sizeof(header) ? header[i] :
											  (uint8_t) random_next(random);
	built_reopen(&built);
	CHECK(built.status == RIBBON_OK &&
			  map_plane(&built.filter, 0)->systems[0].nslots == 0 &&
			  map_plane(&built.filter, 0)->systems[1].nslots == 2000,
		  "%s", ribbon_status_text(built.status));
	for (size_t i = 0; i < MAX_PROBES; i++)
		hashes[i] = random_next(random);
	check_ways(&built, hashes, MAX_PROBES, "an empty zone");
	for (size_t i = 0; i < MAX_PROBES; i++)
		nothing += slow.codes[i] == 0;
	CHECK(nothing > MAX_PROBES * 0.7 && nothing < MAX_PROBES * 0.8, "%zu",
		  nothing);
	free(built.bytes);
}

/* Hashes with the same first bits get a salt. */
static void
check_salted(Random *random)
{
	uint64_t *records = map_records(random, 20000, 9, 0);
	MapParams params = map_params(64, 0.01, 9);
	uint64_t hashes[MAX_PROBES];
	Built built;

	for (size_t i = 0; i < 20000; i++)
		records[2 * i] = UINT64_C(0x123456) << 40 | records[2 * i] >> 24;
	built = map_build(&params, records, 20000);
	CHECK(built.status == RIBBON_OK && map_plane(&built.filter, 0)->salted,
		  "salted");
	for (size_t i = 0; i < MAX_PROBES; i++)
		hashes[i] = i % 2 ? random_next(random) : records[2 * i];
	check_ways(&built, hashes, MAX_PROBES, "salted");
	for (size_t i = 0; i < MAX_PROBES; i += 2)
		CHECK(slow.found[i] && slow.codes[i] == records[2 * i + 1], "%zu", i);
	free(built.bytes);
	free(records);
}

/*
 * Bits flipped in headers, or anything behind them: the same answers all ways.
 */
static void
check_hostile(Random *random, int width, double fpr, unsigned value_bits)
{
	uint64_t *records = map_records(random, 5000, value_bits, 0);
	MapParams params = map_params(width, fpr, value_bits);
	Built built;
	size_t nheader;
	uint64_t hashes[60];
	unsigned opened = 0;

	built = map_build(&params, records, 5000);
	nheader = (size_t) map_plane(&built.filter, 0)->at +
		map_plane(&built.filter, 0)->header_bytes;
	for (int i = 0; i < 60; i++)
		hashes[i] = i % 2 ? random_next(random) : records[2 * i];
	for (int i = 0; i < 600; i++)
	{
		Built other = {.nbytes = built.nbytes};
		size_t room = built.nbytes + 100000;
		uint64_t nbytes;

		other.bytes = calloc(1, room);
		memcpy(other.bytes, built.bytes, built.nbytes);
		for (int changes = 0; changes < 2; changes++)
			other.bytes[random_below(random, nheader)] ^=
				(uint8_t) (1 << random_below(random, 8));
		/* the size that it asks for, so that it is opened */
		nbytes = bytes_called_for(other.bytes, room);
		if (nbytes > 0 && nbytes < room)
			other.nbytes = (size_t) nbytes;
		other.bytes = realloc(other.bytes, other.nbytes);
		for (size_t at = nheader; i % 2 && at < other.nbytes; at++)
			other.bytes[at] = (uint8_t) random_next(random);
		built_reopen(&other);
		if (other.status == RIBBON_OK && other.filter.has_values)
		{
			opened++;
			check_ways(&other, hashes, 60, "hostile");
			(void) ribbon_check(&ribbon_malloc_env, &other.filter);
		}
		free(other.bytes);
	}
	CHECK(opened > 30, "opened %u", opened);
	free(built.bytes);
	free(records);
}

/* Values whose codes are as long as they are rare. */
static void
check_codes(Random *random, Skew skew, int width, double fpr, size_t n)
{
	uint64_t *records = skewed_records(random, skew, n);
	MapParams params = map_params(width, fpr, skewed_bits(skew));
	uint64_t hashes[MAX_PROBES];
	Built built;
	char what[100];

	snprintf(what, sizeof(what), "%s, w %d, fpr %g, %zu keys",
			 skewed_name(skew), width, fpr, n);
	params.coding = RIBBON_CODING_ENTROPY;
	built = map_build(&params, records, n);
	CHECK(built.status == RIBBON_OK, "%s", what);
	for (size_t i = 0; i < MAX_PROBES; i++)
		hashes[i] = i % 2 ? random_next(random) :
							records[2 * random_below(random, n)];
	check_ways(&built, hashes, MAX_PROBES, what);
	free(built.bytes);
	free(records);
}

int
main(void)
{
	Random random = {16};

	test("all sizes and value bits, all ways to get");
	check_sizes(&random);
	test("random maps, all ways to get");
	check_random(&random);
	test("several layers");
	check_layers(&random);
	test("zones of eight columns, and of nine");
	check_zone_ends(&random);
	test("buckets in groups, with any bytes");
	check_groups(&random);
	test("a zone without slots");
	check_empty_zone(&random);
	test("a salted map");
	check_salted(&random);
	test("codes that are as long as they are rare");
	for (int skew = 0; skew < NSKEWS; skew++)
		for (size_t n = 4; n <= 40000; n *= 100)
			check_codes(&random, (Skew) skew, test_widths[(skew + n / 4) % 3],
						skew % 2 ? 1 : 0.05, n);
	test("headers that ask for anything");
	for (int w = 0; w < 3; w++)
	{
		check_hostile(&random, test_widths[w], 0.01, 5);
		check_hostile(&random, test_widths[w], 1, 20);
		check_hostile(&random, test_widths[w], 1e-7, 60);
	}
	return test_done();
}
