/*
 * test_damage.c - what is said of values, as they were built and with each bit
 * changed
 *
 * Of filters, maps and exact sets of all shapes: what their header says, which
 * bytes a probe in slices asks for, how much of them is enough, and for each
 * bit that is changed what ribbon_open and ribbon_check say, what the header
 * says then, and what is answered.  A digest stands for all of that, which
 * "test_damage --each" prints (answers.h).
 */
#include "answers.h"
#include "exact.h"
#include "hostile.h"
#include "records.h"

#include "values/dictionary.h"

#define NPROBES 12	/* hashes that are asked for, members and others */
#define CHANGES 900 /* bits of a value, at most, that are changed */

static void
add_header(const RibbonFilter *filter)
{
	RibbonPiece pieces[RIBBON_MAX_PIECES];
	RibbonInfo info;

	ribbon_info(filter, &info);
	add_double(ribbon_fpr(filter));
	add(filter->nkeys);
	add(filter->total_bytes);
	add((uint64_t) filter->key_class);
	add((uint64_t) filter->is_exact << 3 | (uint64_t) filter->is_inverted << 2 |
		(uint64_t) filter->has_rate << 1 | filter->has_as_of);
	add((uint64_t) filter->as_of);
	add(filter->universe);
	add(filter->seed);
	add((uint64_t) filter->has_values << 17 |
		(uint64_t) filter->has_null << 16 |
		(uint64_t) filter->value_class << 8 | filter->value_bits);
	add((uint64_t) filter->base);
	add(filter->dictionary_at << 32 | filter->ndictionary);
	add((uint64_t) info.kind << 8 | (uint64_t) info.coding);
	add((uint64_t) info.width << 8 | (uint64_t) info.nlayers);
	add(info.nslots);
	add(info.empty_slots);
	add(info.bumped_keys);
	add(info.nvalues);
	add(info.table_bytes);
	add(info.code_bits);
	if (filter->bytes == NULL)
		return;
	for (unsigned n = ribbon_filter_pieces(filter, pieces); n-- > 0;)
		add((uint64_t) pieces[n].at << 32 | pieces[n].size);
}

static void
add_answers(const RibbonFilter *filter, const uint64_t *hashes)
{
	for (int i = 0; i < NPROBES; i++)
	{
		uint64_t code;

		if (ribbon_get(filter, hashes[i], &code))
			add(code);
		add(ribbon_contains(filter, hashes[i]));
	}
}

/* A RibbonFetch that adds what is asked for. */
static const uint8_t *
fetch(void *arg, uint64_t at, size_t length)
{
	add(at << 16 | length);
	return slices_fetch(arg, at, length);
}

static void
add_slices(const Built *built, const uint64_t *hashes)
{
	Slices slices = {.bytes = built->bytes, .nbytes = built->nbytes};
	RibbonFilter filter;

	CHECK(ribbon_open_sliced(built->nbytes, fetch, &slices, &filter) ==
			  RIBBON_OK,
		  "in slices");
	add_header(&filter);
	add_answers(&filter, hashes);
	CHECK(slices.outside == 0, "%zu slices outside", slices.outside);
	free(slices.slice);
}

/* With bit number i changed; then it is changed back. */
static void
add_changed(Built *built, size_t i, const uint64_t *hashes)
{
	const RibbonEnv *env = &ribbon_malloc_env;

	built->bytes[i / 8] ^= (uint8_t) (1 << i % 8);
	built_reopen(built);
	add(built->status);
	if (built->status == RIBBON_OK)
	{
		add_header(&built->filter);
		add(ribbon_check(env, &built->filter));
		if (built->filter.has_values &&
			ribbon_values_check_class(&built->filter) == RIBBON_OK)
			add(ribbon_dictionary_check(env, &built->filter));
		add_answers(&built->filter, hashes);
	}
	built->bytes[i / 8] ^= (uint8_t) (1 << i % 8);
}

/*
 * All of that, of a value of members, of which each is so many words; a header
 * is in its first bytes, of which each bit is changed.
 */
static void
check_value(const char *what, Built *built, const uint64_t *members, size_t n,
			size_t stride, uint64_t expected)
{
	Random random = {7};
	size_t nbits = 8 * built->nbytes;
	size_t rest = nbits > 500 ? (nbits - 500) / (CHANGES - 500) + 1 : 1;
	uint64_t hashes[NPROBES];

	CHECK(built->status == RIBBON_OK, "%s", what);
	if (built->status != RIBBON_OK)
		return;
	for (size_t i = 0; i < NPROBES; i++)
		hashes[i] = i < n && i % 3 > 0 ? members[i * stride] :
										 random_next(&random);
	answers_begin();
	answers_of("%s", what);
	add_header(&built->filter);
	add_answers(&built->filter, hashes);
	answers_of("%s, in slices", what);
	add_slices(built, hashes);
	answers_of("%s, its first bytes", what);
	for (size_t size = 0; size <= built->nbytes + 1 && size < 300; size++)
	{
		RibbonFilter filter;
		uint8_t *bytes = malloc(size + 1);

		memset(bytes, 0, size + 1);
		memcpy(bytes, built->bytes,
			   size < built->nbytes ? size : built->nbytes);
		add(ribbon_open(bytes, size, &filter));
		free(bytes);
	}
	for (size_t i = 0; i < nbits; i += i < 500 ? 1 : rest)
	{
		answers_of("%s, bit %zu changed", what, i);
		add_changed(built, i, hashes);
	}
	free(built->bytes);
	answers_end(what, expected);
}

static void
check_filter(RibbonKind kind, int width, double fpr, size_t n, double shrunk,
			 uint64_t expected)
{
	Random random = {n + 1};
	uint64_t *keys = random_keys(&random, n);
	Built built = build(kind, width, fpr, keys, n);
	char what[80];

	snprintf(what, sizeof(what), "%s, w = %d, rate %g, %zu keys, to %g",
			 kind_name(kind), width, fpr, n, shrunk);
	if (shrunk > 0)
	{
		Built large = built;

		built = shrink(&large, shrunk);
		free(large.bytes);
		built.bytes = realloc(built.bytes, built.nbytes);
		built_reopen(&built);
	}
	check_value(what, &built, keys, n, 1, expected);
	free(keys);
}

static void
check_hostile(RibbonKind kind, uint64_t expected)
{
	uint64_t keys[200];
	Built built;

	for (size_t i = 0; i < 200; i++)
		keys[i] = hostile(AIM_ONE_START, i, 0);
	built = build(kind, 64, 0.01, keys, 200);
	check_value(kind_name(kind), &built, keys, 200, 1, expected);
}

static void
check_map(MapParams params, Skew skew, size_t n, uint64_t expected)
{
	Random random = {n + skew};
	uint64_t *records = skewed_records(&random, skew, n);
	Built built;
	char what[80];

	params.value_bits = skewed_bits(skew);
	snprintf(what, sizeof(what),
			 "map, w = %d, rate %g, %s, coding %d, %zu keys", params.width,
			 params.fpr, skewed_name(skew), params.coding, n);
	built = map_build(&params, records, n);
	check_value(what, &built, records, n, 2, expected);
	free(records);
}

static void
check_exact(RibbonParams params, size_t n, size_t nmembers, uint64_t expected)
{
	Random random = {n + nmembers};
	uint64_t *records = exact_records(&random, n, nmembers);
	Built built;
	char what[80];

	snprintf(what, sizeof(what), "%zu members of %zu, w = %d, rate %g",
			 nmembers, n, params.width, params.fpr);
	built = built_from(&params, records, n);
	check_value(what, &built, records, n, 2, expected);
	free(records);
}

static void
test_filters(void)
{
	test("filters with each bit changed");
	check_filter(RIBBON_BURR, 64, 0.01, 0, 0, UINT64_C(0x3F08B83187C1B4B8));
	check_filter(RIBBON_BURR, 64, 0.01, 1, 0, UINT64_C(0x073F87C46B6BEB1B));
	check_filter(RIBBON_BURR, 32, 0.3, 40, 0, UINT64_C(0x93CCC0E0AF3B189C));
	check_filter(RIBBON_BURR, 128, 0x1p-32, 130, 0,
				 UINT64_C(0xED34A645CD7715E6));
	check_filter(RIBBON_BURR, 64, 0.02, 1900, 0, UINT64_C(0xE0DA993412341B5B));
	check_filter(RIBBON_BURR, 32, 0.004, 6000, 0, UINT64_C(0x0DFB7AA2C4359ED6));
	check_filter(RIBBON_BURR, 128, 0.2, 60000, 0, UINT64_C(0x515C84B7334B640F));
	check_filter(RIBBON_HOMOGENEOUS, 64, 0.01, 1, 0,
				 UINT64_C(0xDB0D988AC80FDF24));
	check_filter(RIBBON_HOMOGENEOUS, 32, 0.2, 60, 0,
				 UINT64_C(0xAF5F705EDEBAFC2B));
	check_filter(RIBBON_HOMOGENEOUS, 128, 1e-5, 300, 0,
				 UINT64_C(0xEEC5FCBF5B7351ED));
	check_hostile(RIBBON_BURR, UINT64_C(0xCFA1BB673026565F));
	check_hostile(RIBBON_HOMOGENEOUS, UINT64_C(0xD30B519482F886AC));

	test("filters that were shrunk");
	check_filter(RIBBON_BURR, 64, 0.01, 90, 0.3, UINT64_C(0xF95642018D64AF2C));
	check_filter(RIBBON_BURR, 64, 0.001, 6000, 0.017,
				 UINT64_C(0xC38470F045B9AB7F));
	check_filter(RIBBON_HOMOGENEOUS, 64, 0.001, 300, 0.01,
				 UINT64_C(0xE88A24B2FB232EE1));
}

static void
test_maps(void)
{
	static const uint8_t dictionary[] = "\012pg_catalog\004text\003\001"
										"\001\002\004abcd";
	MapParams params = map_params(64, 1, 0);

	test("maps with each bit changed");
	check_map(params, SKEW_FIVE, 1, UINT64_C(0xBE039E376C7DBDE4));
	check_map(params, SKEW_FIVE, 40, UINT64_C(0xC79FCBBA153B898E));
	params.fpr = 0.01;
	params.has_null = true;
	params.seed = 77;
	params.base = -5;
	check_map(params, SKEW_FAR, 70, UINT64_C(0x9C8E3073E5C7A65F));
	params.fpr = 0x1p-9;
	params.value_class = 0;
	params.dictionary = dictionary;
	params.ndictionary = sizeof(dictionary) - 1;
	params.base = 0;
	params.has_null = false;
	check_map(params, SKEW_TWO, 60, UINT64_C(0xD1EAFA2A0982B53F));
	params = map_params(64, 1, 0);
	params.coding = RIBBON_CODING_ENTROPY;
	check_map(params, SKEW_FIVE, 50, UINT64_C(0x8E97064F694FFE9B));
	check_map(params, SKEW_MOSTLY, 500, UINT64_C(0x1E46CD7338E4E187));
	params.fpr = 0.03;
	check_map(params, SKEW_GEOMETRIC, 200, UINT64_C(0x5CE665EBBCB171AC));
	params.width = 0;
	check_map(params, SKEW_RARE, 3000, UINT64_C(0x28CAD8A89CEFEDB5));
}

static void
test_exact_sets(void)
{
	RibbonParams params = exact_params(64);

	test("exact sets with each bit changed");
	check_exact(params, 0, 0, UINT64_C(0x35677C914D10482D));
	check_exact(params, 50, 0, UINT64_C(0xA1451C93038A9E89));
	check_exact(params, 50, 50, UINT64_C(0xEBADCC335252D5C5));
	check_exact(params, 100, 4, UINT64_C(0x1A18A057DDEA7C16));
	check_exact(params, 100, 50, UINT64_C(0xBC571F748B17E674));
	check_exact(params, 100, 93, UINT64_C(0x4177D71875AD8E5C));
	params.has_as_of = true;
	params.as_of = 123456789012345;
	params.fpr = 0.01;
	check_exact(params, 100, 20, UINT64_C(0x4CBEC029F4360C4F));
	check_exact(params, 2000, 20, UINT64_C(0x1A3E361B5E386E50));
	params.fpr = 0.4;
	check_exact(params, 100, 80, UINT64_C(0xB8AAF97901772FFF));
	check_exact(params, 60, 60, UINT64_C(0xAE6D3A047A9563AF));
	params.width = 0;
	check_exact(params, 3000, 100, UINT64_C(0x6354556AA6E56434));
}

int
main(int argc, char **argv)
{
	answers_init(argc, argv);
	test_filters();
	test_maps();
	test_exact_sets();
	return test_done();
}
