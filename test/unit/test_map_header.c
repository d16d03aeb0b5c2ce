/* map.c: what a map's own header says, and what no builder writes there */
#include "maps.h"

/* Each field, the bytes that stand for it, and that none may be missing. */
static void
check_header(Random *random)
{
	static const uint8_t dictionary[] = {1, 2, 3, 4, 5};
	uint64_t *records = map_records(random, 100, 8, 0);
	MapParams params = map_params(64, 0.01, 8);
	BuiltMap built;

	params.seed = 0xFEDCBA98;
	params.has_null = true;
	params.value_class = 200;
	params.dictionary = dictionary;
	params.ndictionary = sizeof(dictionary);
	map_build(&built, &params, records, 100);
	CHECK(built.status == RIBBON_OK, "dictionary");
	CHECK(built.map.seed == params.seed && built.map.has_null &&
			  built.map.value_class == 200 && built.map.base == 0 &&
			  built.map.ndictionary == 5 && built.map.dictionary_at == 8 &&
			  built.map.dictionary == built.bytes + 8 &&
			  memcmp(built.map.dictionary, dictionary, 5) == 0 &&
			  map_plane(&built.map, 0)->at == 13,
		  "at %" PRIu64, built.map.dictionary_at);
	CHECK(built.bytes[0] == 0xE2 && built.bytes[1] == 200 &&
			  built.bytes[2] == 8 && built.bytes[3] == 0x98 &&
			  built.bytes[6] == 0xFE && built.bytes[7] == 5,
		  "bytes");
	for (size_t n = 0; n < built.nbytes; n++)
	{
		uint8_t *bytes = malloc(n > 0 ? n : 1);
		RibbonFilter map;

		memcpy(bytes, built.bytes, n);
		CHECK(ribbon_open(bytes, n, &map) == RIBBON_TRUNCATED, "%zu bytes", n);
		free(bytes);
	}
	free(built.bytes);
	free(records);
}

typedef struct Wrong
{
	const char *what;
	RibbonStatus status;
	size_t n;
	uint8_t bytes[24];
} Wrong;

/* Headers that no builder writes; the planes are empty or without columns. */
static const Wrong wrong[] = {
	{"an empty map", RIBBON_OK, 9, {2, 4, 0, 0, 0x11, 1, 0, 0, 0}},
	{"all keys, nothing else", RIBBON_OK, 9, {0x12, 4, 0, 0, 0x11, 1, 0, 0, 7}},
	{"a base of ten bytes",
	 RIBBON_OK,
	 18,
	 {2, 4, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0x11, 1, 0, 0,
	  0}},
	{"no byte", RIBBON_TRUNCATED, 0, {0}},
	{"version 3", RIBBON_BAD_VERSION, 9, {3, 4, 0, 0, 0x11, 1, 0, 0, 0}},
	{"65 value bits", RIBBON_CORRUPT, 9, {2, 4, 65, 0, 0x11, 1, 0, 0, 0}},
	{"seed 0",
	 RIBBON_CORRUPT,
	 13,
	 {0x42, 4, 0, 0, 0, 0, 0, 0, 0x11, 1, 0, 0, 0}},
	{"a long base", RIBBON_CORRUPT, 10, {2, 4, 0, 0x80, 0, 0x11, 1, 0, 0, 0}},
	{"a base of 65 bits",
	 RIBBON_CORRUPT,
	 18,
	 {2, 4, 0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2, 0x11, 1, 0, 0,
	  0}},
	{"an empty dictionary",
	 RIBBON_CORRUPT,
	 9,
	 {0x82, 4, 0, 0, 0x11, 1, 0, 0, 0}},
	{"a long size",
	 RIBBON_CORRUPT,
	 11,
	 {0x82, 4, 0, 0x81, 0, 9, 0x11, 1, 0, 0, 0}},
	{"a dictionary larger than all",
	 RIBBON_TRUNCATED,
	 10,
	 {0x82, 4, 0, 7, 9, 0x11, 1, 0, 0, 0}},
	{"no plane", RIBBON_TRUNCATED, 4, {2, 4, 0, 0}},
	{"no plane behind the dictionary", RIBBON_TRUNCATED, 5, {0x82, 4, 0, 1, 9}},
	{"a byte more", RIBBON_CORRUPT, 10, {2, 4, 0, 0, 0x11, 1, 0, 0, 0, 0}},
	{"a plane of version 2",
	 RIBBON_BAD_VERSION,
	 9,
	 {2, 4, 0, 0, 0x12, 1, 0, 0, 0}},
	{"a homogeneous plane",
	 RIBBON_CORRUPT,
	 12,
	 {2, 4, 0, 0, 0x51, 1, 0, 0, 1, 0, 0, 0}},
	{"unchecked, with check bits",
	 RIBBON_CORRUPT,
	 9,
	 {0x12, 4, 0, 0, 0x11, 1, 0, 8, 7}},
	{"unchecked and wide",
	 RIBBON_CORRUPT,
	 9,
	 {0x12, 4, 0, 0, 0x11, 1, 1, 0, 7}},
	{"a width without columns",
	 RIBBON_CORRUPT,
	 9,
	 {0x12, 4, 0, 0, 0x21, 1, 0, 0, 7}},
	{"salted without columns",
	 RIBBON_CORRUPT,
	 18,
	 {0x12, 4, 0, 0, 0x91, 1, 0, 0, 7, 2, 1, 1, 1, 1, 1, 1, 1, 1}},
	{"a layer without columns",
	 RIBBON_CORRUPT,
	 9,
	 {0x12, 4, 0, 0, 0x11, 0x21, 0, 0, 7}},
};

static void
check_wrong(void)
{
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
	{
		uint8_t *bytes = malloc(wrong[i].n > 0 ? wrong[i].n : 1);
		BuiltMap built = {.bytes = bytes, .nbytes = wrong[i].n};
		uint64_t code = 5;

		memcpy(bytes, wrong[i].bytes, wrong[i].n);
		map_reopen(&built);
		CHECK(built.status == wrong[i].status, "%s: %s", wrong[i].what,
			  ribbon_status_text(built.status));
		if (built.status == RIBBON_OK)
		{
			bool found = ribbon_get(&built.map, 77, &code);
			bool empty = built.map.nkeys == 0;

			CHECK(found == !empty && (empty || code == 0), "%s: %d",
				  wrong[i].what, found);
			CHECK(ribbon_fpr(&built.map) == !empty, "%s", wrong[i].what);
			CHECK(count_slots(&built.map) == 0, "%s", wrong[i].what);
		}
		free(bytes);
	}
}

int
main(void)
{
	Random random = {16};

	test("a map's own header");
	check_header(&random);
	test("headers that no builder writes");
	check_wrong();
	return test_done();
}
