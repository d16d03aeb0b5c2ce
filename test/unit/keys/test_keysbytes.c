/*
 * test_keysbytes.c - keysbytes.h: a ribbonkeys' bytes, as its table has them,
 * and none but those
 *
 * The keys fuzz target holds them against a slow reader.
 */
#include "keys/classes.h"
#include "keys/keysbytes.h"
#include "testing.h"

#define MOST_BYTES 64

/* A set's bytes. */
typedef struct Made
{
	uint8_t bytes[MOST_BYTES];
	size_t size;
} Made;

static Made
make(const RibbonKeysHead *head, const uint64_t *hashes)
{
	Made made = {.size = ribbon_keysbytes_size(head)};
	RibbonKeysCursor cursor;

	CHECK(made.size <= MOST_BYTES, "%zu bytes", made.size);
	ribbon_keysbytes_begin(&cursor, head, made.bytes);
	ribbon_keysbytes_write(&cursor, hashes, (size_t) head->n);
	return made;
}

static RibbonKeysHead
head_of(uint64_t n, bool builds)
{
	return (RibbonKeysHead){.n = n,
							.builds = builds,
							.params = {.kind = RIBBON_AUTO,
									   .width = 64,
									   .fpr = 0.5,
									   .key_class = RIBBON_CLASS_TEXT}};
}

/* Can all hashes of these bytes be had, so many at a time? */
static bool
is_set(const Made *made, size_t each)
{
	RibbonKeysCursor cursor;
	uint64_t hashes[16];

	if (!ribbon_keysbytes_open(&cursor, made->bytes, made->size))
		return false;
	for (uint64_t n = 0; n < cursor.head.n;)
	{
		size_t got;

		if (!ribbon_keysbytes_read(&cursor, hashes, each, &got))
			return false;
		n += got;
	}
	return true;
}

/* Two cells: 0 has one of these, 1 the others. */
static const uint64_t hashes[] = {0, UINT64_C(0x8000000000000001),
								  UINT64_C(0xC000000000000000)};

/* The set of them, which builds a filter of either kind and rate 0.5. */
static const uint8_t expected[] = {
	0xA1, 1, 2, 64, 2, 0, 0,	0,	  /* class text */
	3,	  0, 0, 0,	0, 0, 0,	0,	  /* n */
	0,	  0, 0, 0,	0, 0, 0xE0, 0x3F, /* rate */
	0x0D,							  /* high: 10 110, lowest bits first */
	0,	  0, 0, 0,	0, 0, 0,	0x80, /* low: 63 bits of each */
	0,	  0, 0, 0,	0, 0, 0,	0,	  0, 0, 0, 0, 0, 0, 0, 0x10,
};

#define HIGH 24 /* where they begin */
#define LOW	 25

static void
test_bytes(void)
{
	RibbonKeysHead head = head_of(3, true);
	Made made = make(&head, hashes);
	RibbonKeysCursor cursor;
	uint64_t again[4];
	size_t n;

	test("a set's bytes are those of the table, and are read");
	CHECK(made.size == sizeof(expected) &&
			  memcmp(made.bytes, expected, made.size) == 0,
		  "other bytes");
	CHECK(ribbon_keysbytes_open(&cursor, made.bytes, made.size) &&
			  cursor.head.n == 3 && cursor.head.builds &&
			  cursor.head.params.kind == RIBBON_AUTO &&
			  cursor.head.params.width == 64 && cursor.head.params.fpr == 0.5 &&
			  cursor.head.params.key_class == RIBBON_CLASS_TEXT,
		  "another head");
	CHECK(ribbon_keysbytes_read(&cursor, again, 4, &n) && n == 3 &&
			  memcmp(again, hashes, sizeof(hashes)) == 0,
		  "other hashes");
	CHECK(ribbon_keysbytes_read(&cursor, again, 4, &n) && n == 0, "no end");

	head = head_of(0, false);
	head.params.key_class = 0;
	made = make(&head, NULL);
	CHECK(made.size == 16 && is_set(&made, 1), "an empty set");
	head.n = RIBBON_MAX_KEYS + 1;
	CHECK(ribbon_keysbytes_size(&head) == SIZE_MAX, "more than there can be");
}

/* One byte of a set that is another; builds says of which. */
static const struct
{
	const char *what;
	bool builds;
	size_t at;
	uint8_t byte;
} wrong[] = {
	{"another version", true, 0, 0xA2},
	{"it neither builds nor does not", false, 1, 2},
	{"it builds, without a rate", false, 1, 1},
	{"a kind of nothing", false, 2, 1},
	{"a width of nothing", false, 3, 32},
	{"hashes without a class", true, 4, 0},
	{"a class with parts that has none", true, 4, 0x22},
	{"a class below 0", true, 7, 0x80},
	{"another number of hashes", true, 8, 2},
	{"more hashes than there can be", true, 15, 1},
	{"a hash too few", true, HIGH, 0x05},
	{"a hash too many", true, HIGH, 0x1D},
	{"a cell too many", true, HIGH, 0x13},
	{"a bit behind the cells", true, HIGH, 0x2D},
	{"hashes that are not in order", true, LOW + 15, 0x20},
	{"a bit behind the hashes", true, LOW + 23, 0x30},
};

static void
test_wrong(void)
{
	static const uint64_t twice[] = {5, 5};
	RibbonKeysHead head = head_of(2, true);
	Made made = make(&head, twice);

	test("no other bytes are a set, however many hashes are read at once");
	for (size_t each = 1; each <= 3; each++)
	{
		CHECK(!is_set(&made, each), "a hash that comes twice");
		for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		{
			RibbonKeysHead right = head_of(3, wrong[i].builds);
			Made changed = make(&right, hashes);

			CHECK(is_set(&changed, each), "unchanged");
			changed.bytes[wrong[i].at] = wrong[i].byte;
			CHECK(!is_set(&changed, each), "%s, %zu", wrong[i].what, each);
		}
	}
	head = head_of(3, true);
	made = make(&head, hashes);
	for (made.size = 0; made.size < MOST_BYTES; made.size++)
		CHECK(is_set(&made, 3) == (made.size == sizeof(expected)), "%zu bytes",
			  made.size);
}

int
main(void)
{
	test_bytes();
	test_wrong();
	return test_done();
}
