/*
 * target_map.c - any bytes as a map: open it, get from it, check it
 *
 * As the probe target does for filters: with a few hashes and one kernel, both
 * chosen by the bytes, single gets, batches of any length, slices, and a slow
 * reader of slots (test/unit/lib/maps.h) must say the same.  Whatever is read
 * or written ends (or begins) at a forbidden page.  test_map_reader.py holds
 * the headers against a reader that knows the document alone.
 */
#include "fuzz.h"

#include "format/format.h"
#include "guard.h"
#include "maps.h"
#include "mutate_filter.h"
#include "probes.h"
#include "records.h"

#define MAX_SIZE   8192
#define MAX_PROBES 1100 /* a batch of RIBBON_BATCH, and a rest */
#define MAX_SLOW   3	/* hashes that are read bit by bit */
#define NSEEDS	   120

static Guard maps, hash_guard, found_guard, code_guard;

/* Opened by slices, it says all that the whole map does. */
static void
check_sliced_open(const uint8_t *input, size_t size, const RibbonFilter *map,
				  RibbonStatus status)
{
	RibbonFilter sliced;

	CHECK(probes_open_sliced(input, size, &sliced) == status,
		  "by slices it is not %s", ribbon_status_text(status));
	if (status != RIBBON_OK)
		return;
	probes_compare(map, &sliced);
	CHECK(probes_open_sliced(input, size - 1, &sliced) == RIBBON_TRUNCATED,
		  "a byte less");
}

/* Which plane of a map the i-th is. */
static RibbonRole
role_of(const RibbonCodes *codes, unsigned i)
{
	if (i == 0)
		return RIBBON_ROLE_FIRST;
	if (codes == NULL)
		return RIBBON_ROLE_OWN_BYTE;
	return codes->front && i == 1 ? RIBBON_ROLE_FRONT : RIBBON_ROLE_LEVEL;
}

static void
check_statistics(const RibbonFilter *map, const uint8_t *input)
{
	RibbonValues values = {.value_class = map->value_class,
						   .has_null = map->has_null,
						   .seed = map->seed,
						   .base = map->base,
						   .bits = map->value_bits,
						   .dictionary = map->dictionary,
						   .ndictionary = (size_t) map->ndictionary};
	const RibbonPlane *first = map_plane(map, 0);
	const RibbonCodes *codes = ribbon_opened_codes(ribbon_opened(map));
	uint64_t at = codes == NULL ? 0 : codes->headers_at;
	uint8_t header[RIBBON_MAX_HEADER];
	double fpr = ribbon_fpr(map);

	CHECK(fpr >= 0 && fpr <= 1, "FPR %g", fpr);
	CHECK(count_slots(map) <= 8 * map->total_bytes, "%" PRIu64 " slots",
		  count_slots(map));
	if (input[2] & 0x20) /* what is extra is not written */
		return;
	CHECK(ribbon_format_encode_head(first, map->key_class, &values, codes,
									header) == map->inside.head_bytes &&
			  memcmp(header, input, map->inside.head_bytes) == 0,
		  "a head is not what it is written back to");
	for (unsigned i = 0; i < map_nplanes(map); i++)
	{
		const RibbonPlane *plane = map_plane(map, i);
		size_t size = ribbon_format_encode_body(plane, role_of(codes, i),
												header);

		if (codes == NULL)
		{
			at = plane->at;
			CHECK(size == plane->header_bytes, "plane %u", i);
		}
		CHECK(memcmp(header, input + at, size) == 0,
			  "the header of plane %u is not what it is written back to", i);
		at += size;
	}
	CHECK(codes == NULL || at == codes->headers_at + codes->nheaders,
		  "headers");
}

static void
check_codes(Random *random, const RibbonFilter *map, const uint8_t *input,
			size_t size, const uint64_t *hashes, size_t n)
{
	bool *found = (bool *) guard_room(&found_guard, n, true);
	uint64_t *codes = (uint64_t *) guard_room(&code_guard, n * sizeof(uint64_t),
											  true);
	RibbonFilter sliced;

	ribbon_get_batch(map, hashes, n, found, codes);
	CHECK(probes_open_sliced(input, size, &sliced) == RIBBON_OK, "slices");
	for (size_t i = 0; i < n; i++)
	{
		uint64_t code;

		CHECK(ribbon_get(map, hashes[i], &code) == found[i] &&
				  (!found[i] || code == codes[i]),
			  "hash %" PRIx64 ", %zu of %zu", hashes[i], i, n);
		CHECK(!found[i] || map->value_bits == 64 ||
				  code >> map->value_bits == 0,
			  "code %" PRIx64, code);
		if (i >= 8 && random_below(random, 8) > 0)
			continue;
		CHECK(probes_get(&sliced, hashes[i], &code) == found[i] &&
				  (!found[i] || code == codes[i]),
			  "sliced, hash %" PRIx64, hashes[i]);
		if (i < MAX_SLOW)
			CHECK(map_get_slowly(map, hashes[i], &code) == found[i] &&
					  (!found[i] || code == codes[i]),
				  "slowly, hash %" PRIx64, hashes[i]);
	}
}

static void
check_map(Random *random, const RibbonFilter *map, const uint8_t *input,
		  size_t size)
{
	size_t n = probes_number(random, MAX_PROBES);
	uint64_t *hashes = (uint64_t *) guard_room(&hash_guard,
											   n * sizeof(uint64_t), true);
	RibbonStatus status = ribbon_check(&ribbon_malloc_env, map);

	CHECK(status == RIBBON_OK ||
			  (status >= RIBBON_BAD_LAYERS && status <= RIBBON_BAD_PADDING) ||
			  status == RIBBON_BAD_CODES,
		  "%s", ribbon_status_text(status));
	check_statistics(map, input);
	probes_fill(random, map_plane(map, random_below(random, map_nplanes(map))),
				hashes, n);
	check_codes(random, map, input, size, hashes, n);
}

static bool
run(const uint8_t *input, size_t size)
{
	Random random = {ribbon_hash_bytes(input, size)};
	RibbonStatus status;
	RibbonFilter map;
	bool is_map;

	if (size > MAX_SIZE)
		return false;
	if (maps.bytes == NULL)
	{
		guard_create(&maps, MAX_SIZE);
		guard_create(&hash_guard, MAX_PROBES * sizeof(uint64_t));
		guard_create(&found_guard, MAX_PROBES);
		guard_create(&code_guard, MAX_PROBES * sizeof(uint64_t));
	}
	ribbon_kernel_use(fuzz_kernel(random_next(&random)));
	status = ribbon_open(guard_place(&maps, input, size,
									 random_below(&random, 2)),
						 size, &map);
	CHECK(status == RIBBON_OK || status == RIBBON_TRUNCATED ||
			  status == RIBBON_BAD_VERSION || status == RIBBON_CORRUPT,
		  "%s", ribbon_status_text(status));
	check_sliced_open(input, size, &map, status);
	is_map = status == RIBBON_OK && map.has_values;
	if (is_map)
	{
		if (random_below(&random, 4) > 0)
			prefer_batches(&map);
		check_map(&random, &map, input, size);
	}
	ribbon_kernel_use(fuzz_kernel(0));
	return is_map;
}

/* Maps of few keys, of all widths, rates and numbers of value bits. */
static size_t
seed(unsigned i, uint8_t *input, size_t max)
{
	static const size_t sizes[] = {0, 1, 5, 64, 300, 1000};
	static const double rates[] = {1, 0.5, 0.01, 1e-6, 1.0 / 4294967296};
	static const unsigned bits[] = {0, 1, 3, 8, 24, 33, 57, 64};
	static const uint8_t dictionary[] = "a few bytes";
	Random random = {i};
	size_t n = sizes[i % 6];
	MapParams params = map_params(test_widths[i / 6 % 3],
								  rates[random_below(&random, 5)], bits[i % 8]);
	bool coded = i % 2;
	uint64_t *records = coded ?
		skewed_records(&random, (Skew) (i / 2 % NSKEWS), n) :
		map_records(&random, n, params.value_bits, 0);
	uint8_t *bytes;
	size_t size;

	if (i % 1000 >= NSEEDS)
	{
		free(records);
		return 0;
	}
	max = max < MAX_SIZE ? max : MAX_SIZE;
	if (coded)
	{
		params.coding = RIBBON_CODING_ENTROPY;
		params.value_bits = skewed_bits((Skew) (i / 2 % NSKEWS));
	}
	if (i % 3 == 0)
		params.seed = (uint32_t) random_next(&random) | 1;
	if (i % 4 == 0)
	{
		params.dictionary = dictionary;
		params.ndictionary = 1 + random_below(&random, sizeof(dictionary));
	}
	for (size_t k = 0; i % 5 == 0 && k < n; k++)
		records[2 * k] >>= 12; /* clustered: salted */
	CHECK(maps_build(&ribbon_malloc_env, &params, records, n, 0, &bytes,
					 &size) == RIBBON_OK,
		  "build");
	free(records);
	if (size <= max)
		memcpy(input, bytes, size);
	free(bytes);
	return size <= max ? size : seed(i + 1000, input, max);
}

/* Give a map as many bytes as its headers ask for, if that is not too many. */
static size_t
fit(Random *random, uint8_t *input, size_t size, size_t max)
{
	uint64_t total = bytes_called_for(input, size);

	if (total == 0 || total > max)
		return size;
	for (size_t i = size; i < total; i++)
		input[i] = random_below(random, 2) ? (uint8_t) random_next(random) : 0;
	return (size_t) total;
}

static size_t
mutate(Random *random, uint8_t *input, size_t size, size_t max)
{
	RibbonFilter map;
	size_t second = 0, nheader = 0;

	max = max < MAX_SIZE ? max : MAX_SIZE;
	size = size < max ? size : max;
	if (random_below(random, 2) > 0 &&
		ribbon_open(input, size, &map) == RIBBON_OK && map_nplanes(&map) > 1)
	{
		const RibbonCodes *codes = ribbon_opened_codes(ribbon_opened(&map));

		second = codes != NULL ? (size_t) codes->headers_at :
								 (size_t) map_plane(&map, 1)->at;
		nheader = codes != NULL ? codes->nheaders :
								  map_plane(&map, 1)->header_bytes;
	}
	if (second > 0) /* the header of the second plane, or all of codes */
		input[second + random_below(random, nheader)] ^=
			(uint8_t) (1 << random_below(random, 8));
	else
		size = mutate_filter(random, input, size, max);
	if (size > 0 && random_below(random, 4) > 0)
		size = fit(random, input, size, max);
	return size;
}

const FuzzTarget fuzz_map = {"map", 60000, MAX_SIZE, run, mutate, seed};
