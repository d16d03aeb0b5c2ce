/*
 * test_map_header.c - head.c: what the head of a map says, and what no builder
 * writes there
 */
#include "maps.h"

/* Each field, the bytes that stand for it, and that none may be missing. */
static void
check_header(Random *random)
{
	static const uint8_t dictionary[] = {1, 2, 3, 4, 5};
	uint64_t *records = map_records(random, 100, 8, 0);
	MapParams params = map_params(64, 0.01, 8);
	Built built;

	params.seed = 0xFEDCBA98;
	params.has_null = true;
	params.value_class = 50;
	params.dictionary = dictionary;
	params.ndictionary = sizeof(dictionary);
	built = map_build(&params, records, 100);
	CHECK(built.status == RIBBON_OK, "dictionary");
	CHECK(built.filter.seed == params.seed && built.filter.has_null &&
			  built.filter.value_class == 50 && built.filter.base == 0 &&
			  built.filter.ndictionary == 5 &&
			  built.filter.dictionary_at == 13 &&
			  built.filter.dictionary == built.bytes + 13 &&
			  memcmp(built.filter.dictionary, dictionary, 5) == 0 &&
			  map_plane(&built.filter, 0)->at == 18,
		  "at %" PRIu64, built.filter.dictionary_at);
	CHECK(built.bytes[0] == 0x11 && built.bytes[1] == 0x81 &&
			  built.bytes[2] == 4 && built.bytes[5] == 100 &&
			  built.bytes[6] == (50 | 0xC0) && built.bytes[7] == (8 | 0x80) &&
			  built.bytes[8] == 0x98 && built.bytes[11] == 0xFE &&
			  built.bytes[12] == 5,
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

/* Heads that no builder writes, most of them without a body. */
static const Wrong wrong[] = {
	{"an empty map", RIBBON_OK, 9, {0x11, 0x81, 4, 0, 0, 0, 4, 0, 0}},
	{"all keys, nothing else", RIBBON_OK, 7, {0x11, 0x81, 12, 7, 4, 0, 0}},
	{"a base of ten bytes",
	 RIBBON_OK,
	 18,
	 {0x11, 0x81, 4, 0, 0, 0, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
	  0xFF, 0xFF, 1}},
	{"something extra that may be skipped",
	 RIBBON_OK,
	 14,
	 {0x11, 0x81, 0x24, 0, 0, 0, 4, 0, 0, 2, 3, 9, 9, 9}},
	{"and behind a dictionary",
	 RIBBON_OK,
	 15,
	 {0x11, 0x81, 0x24, 0, 0, 0, 0x84, 0, 1, 2, 3, 7, 9, 9, 9}},
	{"no byte", RIBBON_TRUNCATED, 0, {0}},
	{"version 2", RIBBON_BAD_VERSION, 9, {0x12, 0x81, 4, 0, 0, 0, 4, 0, 0}},
	{"a key class to come",
	 RIBBON_BAD_VERSION,
	 9,
	 {0x11, 0xA0, 4, 0, 0, 0, 4, 0, 0}},
	{"an exact set with values",
	 RIBBON_CORRUPT,
	 11,
	 {0x11, 0x81, 0x14, 0, 0, 0, 4, 0, 0, 0, 0}},
	{"rated, but no exact set",
	 RIBBON_CORRUPT,
	 9,
	 {0x11, 0x81, 0x8C, 0, 4, 0, 0, 0, 0}},
	{"rated, with values",
	 RIBBON_CORRUPT,
	 9,
	 {0x11, 0x81, 0x84, 0, 0, 0, 4, 0, 0}},
	{"something extra that must be known",
	 RIBBON_BAD_VERSION,
	 11,
	 {0x11, 0x81, 0x24, 0, 0, 0, 4, 0, 0, 1, 0}},
	{"more extra than there is",
	 RIBBON_TRUNCATED,
	 13,
	 {0x11, 0x81, 0x24, 0, 0, 0, 4, 0, 0, 2, 3, 9, 9}},
	{"65 value bits", RIBBON_CORRUPT, 9, {0x11, 0x81, 4, 0, 0, 0, 4, 0x41, 0}},
	{"seed 0",
	 RIBBON_CORRUPT,
	 13,
	 {0x11, 0x81, 4, 0, 0, 0, 0x44, 0, 0, 0, 0, 0, 0}},
	{"a long base",
	 RIBBON_CORRUPT,
	 10,
	 {0x11, 0x81, 4, 0, 0, 0, 4, 0, 0x80, 0}},
	{"a base of 65 bits",
	 RIBBON_CORRUPT,
	 18,
	 {0x11, 0x81, 4, 0, 0, 0, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
	  0xFF, 0xFF, 2}},
	{"an empty dictionary",
	 RIBBON_CORRUPT,
	 9,
	 {0x11, 0x81, 4, 0, 0, 0, 0x84, 0, 0}},
	{"a long size",
	 RIBBON_CORRUPT,
	 11,
	 {0x11, 0x81, 4, 0, 0, 0, 0x84, 0, 0x81, 0, 9}},
	{"a dictionary larger than all",
	 RIBBON_TRUNCATED,
	 10,
	 {0x11, 0x81, 4, 0, 0, 0, 0x84, 0, 7, 9}},
	{"no body", RIBBON_TRUNCATED, 9, {0x11, 0x81, 4, 0, 8, 1, 4, 0, 0}},
	{"a byte more", RIBBON_CORRUPT, 10, {0x11, 0x81, 4, 0, 0, 0, 4, 0, 0, 0}},
	{"homogeneous",
	 RIBBON_CORRUPT,
	 12,
	 {0x51, 0x81, 4, 0, 0, 1, 4, 0, 0, 0, 0, 0}},
	{"shrunk",
	 RIBBON_CORRUPT,
	 13,
	 {0x11, 0x81, 5, 0, 8, 1, 4, 0, 0, 1, 0, 0, 0}},
	{"flags that say nothing", RIBBON_CORRUPT, 6, {0x11, 0x81, 0, 0, 0, 0}},
	{"unchecked, without values", RIBBON_CORRUPT, 4, {0x11, 0x81, 8, 0}},
	{"a width without columns",
	 RIBBON_CORRUPT,
	 7,
	 {0x21, 0x81, 12, 7, 4, 0, 0}},
	{"salted without columns", RIBBON_CORRUPT, 7, {0x11, 0x81, 14, 7, 4, 0, 0}},
	{"layered without columns",
	 RIBBON_CORRUPT,
	 7,
	 {0x91, 0x81, 12, 7, 4, 0, 0}},
};

static void
check_wrong(void)
{
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
	{
		uint8_t *bytes = malloc(wrong[i].n > 0 ? wrong[i].n : 1);
		Built built = {.bytes = bytes, .nbytes = wrong[i].n};
		uint64_t code = 5;

		memcpy(bytes, wrong[i].bytes, wrong[i].n);
		built_reopen(&built);
		CHECK(built.status == wrong[i].status, "%s: %s", wrong[i].what,
			  ribbon_status_text(built.status));
		if (built.status == RIBBON_OK)
		{
			bool found = ribbon_get(&built.filter, 77, &code);
			bool empty = built.filter.nkeys == 0;

			CHECK(found == !empty && (empty || code == 0), "%s: %d",
				  wrong[i].what, found);
			CHECK(ribbon_fpr(&built.filter) == !empty, "%s", wrong[i].what);
			CHECK(count_slots(&built.filter) == 0, "%s", wrong[i].what);
		}
		free(bytes);
	}
}

int
main(void)
{
	Random random = {16};

	test("the head of a map");
	check_header(&random);
	test("headers that no builder writes");
	check_wrong();
	return test_done();
}
