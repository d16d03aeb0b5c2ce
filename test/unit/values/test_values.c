/*
 * test_values.c - values of maps that are numbers: which, their texts, codes
 */
#include "testing.h"
#include "values/range.h"

#include <string.h>

static void
test_valid(void)
{
	static const struct
	{
		unsigned value_class;
		int64_t least, greatest;
		bool infinite;
	} ranges[] = {
		{RIBBON_VALUES_BOOL, 0, 1, false},
		{RIBBON_VALUES_INT2, INT16_MIN, INT16_MAX, false},
		{RIBBON_VALUES_INT4, INT32_MIN, INT32_MAX, false},
		{RIBBON_VALUES_DATE, -2451545, INT64_C(2145031948), true},
		{RIBBON_VALUES_TIMESTAMP, INT64_C(-211813488000000000),
		 INT64_C(9223371331199999999), true},
		{RIBBON_VALUES_TIMESTAMPTZ, INT64_C(-211813488000000000),
		 INT64_C(9223371331199999999), true},
	};

	test("a class has the numbers of its type, and infinities");
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
	{
		unsigned of = ranges[i].value_class;
		bool is_date = of == RIBBON_VALUES_DATE;
		int64_t before = is_date ? INT32_MIN : INT64_MIN;
		int64_t after = is_date ? INT32_MAX : INT64_MAX;

		CHECK(ribbon_values_is_valid(of, ranges[i].least) &&
				  ribbon_values_is_valid(of, ranges[i].greatest) &&
				  !ribbon_values_is_valid(of, ranges[i].least - 1) &&
				  !ribbon_values_is_valid(of, ranges[i].greatest + 1),
			  "class %u", of);
		CHECK(!ranges[i].infinite ||
				  (ribbon_values_is_valid(of, before) &&
				   ribbon_values_is_valid(of, after) &&
				   !ribbon_values_is_valid(of, before + 1) &&
				   !ribbon_values_is_valid(of, after - 1)),
			  "class %u", of);
	}
	CHECK(ribbon_values_is_valid(RIBBON_VALUES_INT8, INT64_MIN) &&
			  ribbon_values_is_valid(RIBBON_VALUES_INT8, INT64_MAX) &&
			  !ribbon_values_is_valid(RIBBON_VALUES_DICTIONARY, 0) &&
			  !ribbon_values_is_valid(RIBBON_KNOWN_VALUE_CLASSES, 0),
		  "other classes");
}

static void
check_text(unsigned value_class, int64_t number, const char *expected)
{
	char text[RIBBON_NUMBER_TEXT];
	size_t size = ribbon_values_write(value_class, number, text);

	CHECK(size == strlen(expected) && strcmp(text, expected) == 0, "%s, not %s",
		  text, expected);
}

static void
test_texts(void)
{
	test("texts are those of PostgreSQL");
	check_text(RIBBON_VALUES_BOOL, 0, "false");
	check_text(RIBBON_VALUES_BOOL, 1, "true");
	check_text(RIBBON_VALUES_INT2, -32768, "-32768");
	check_text(RIBBON_VALUES_INT4, 0, "0");
	check_text(RIBBON_VALUES_INT8, INT64_MIN, "-9223372036854775808");
	check_text(RIBBON_VALUES_INT8, INT64_MAX, "9223372036854775807");
	check_text(RIBBON_VALUES_DATE, 0, "2000-01-01");
	check_text(RIBBON_VALUES_DATE, -1, "1999-12-31");
	check_text(RIBBON_VALUES_DATE, 59, "2000-02-29");
	check_text(RIBBON_VALUES_DATE, -730120, "0001-12-31 BC");
	check_text(RIBBON_VALUES_DATE, -730119, "0001-01-01");
	check_text(RIBBON_VALUES_DATE, -2451545, "4714-11-24 BC");
	check_text(RIBBON_VALUES_DATE, 2145031948, "5874897-12-31");
	check_text(RIBBON_VALUES_DATE, INT32_MIN, "-infinity");
	check_text(RIBBON_VALUES_DATE, INT32_MAX, "infinity");
	check_text(RIBBON_VALUES_TIMESTAMP, 0, "2000-01-01 00:00:00");
	check_text(RIBBON_VALUES_TIMESTAMP, -1, "1999-12-31 23:59:59.999999");
	check_text(RIBBON_VALUES_TIMESTAMP, 45296789000, "2000-01-01 12:34:56.789");
	check_text(RIBBON_VALUES_TIMESTAMPTZ, 1, "2000-01-01 00:00:00.000001+00");
	check_text(RIBBON_VALUES_TIMESTAMPTZ, INT64_C(-211813488000000000),
			   "4714-11-24 00:00:00+00 BC");
	check_text(RIBBON_VALUES_TIMESTAMP, INT64_C(9223371331199999999),
			   "294276-12-31 23:59:59.999999");
	check_text(RIBBON_VALUES_TIMESTAMP, INT64_MAX, "infinity");
	check_text(RIBBON_VALUES_TIMESTAMPTZ, INT64_MIN, "-infinity");
	check_text(RIBBON_VALUES_DATE, INT64_MIN, "-9223372036854775808");
}

/* A day, counted on as in a calendar. */
typedef struct Day
{
	int64_t year; /* 0 is 1 BC */
	unsigned month, day;
} Day;

static void
next_day(Day *at)
{
	static const unsigned lengths[] = {31, 28, 31, 30, 31, 30,
									   31, 31, 30, 31, 30, 31};
	bool leap = at->year % 4 == 0 &&
		(at->year % 100 != 0 || at->year % 400 == 0);

	if (at->day++ < lengths[at->month - 1] + (leap && at->month == 2))
		return;
	at->day = 1;
	if (at->month++ < 12)
		return;
	at->month = 1;
	at->year++;
}

/* So many days from this one on, which is this day since 2000-01-01. */
static void
check_days(int64_t first, Day at, unsigned n)
{
	char expected[RIBBON_NUMBER_TEXT + 20];

	for (unsigned i = 0; i < n; i++, next_day(&at))
	{
		bool bc = at.year <= 0;

		snprintf(expected, sizeof(expected), "%04" PRId64 "-%02u-%02u%s",
				 bc ? 1 - at.year : at.year, at.month, at.day, bc ? " BC" : "");
		check_text(RIBBON_VALUES_DATE, first + i, expected);
	}
}

/* Times of a day, to the microsecond; zeros at the end are not written. */
static void
test_times(void)
{
	Random random = {1};
	char expected[RIBBON_NUMBER_TEXT + 20];

	test("times of a day");
	for (unsigned i = 0; i < 20000; i++)
	{
		unsigned seconds = (unsigned) random_below(&random, 86400);
		unsigned fraction = (unsigned) random_below(&random, 1000000);
		int64_t time;
		size_t size;

		for (unsigned zeros = i % 7; zeros > 0; zeros--)
			fraction /= 10;
		for (unsigned zeros = i % 7; zeros > 0; zeros--)
			fraction *= 10;
		time = (int64_t) seconds * 1000000 + fraction;
		snprintf(expected, sizeof(expected), "2000-02-29 %02u:%02u:%02u.%06u",
				 seconds / 3600, seconds / 60 % 60, seconds % 60, fraction);
		size = strlen(expected);
		while (expected[size - 1] == '0' && fraction > 0)
			size--;
		expected[fraction > 0 ? size : size - 7] = '\0';
		check_text(RIBBON_VALUES_TIMESTAMP, 59 * INT64_C(86400000000) + time,
				   expected);
	}
}

static void
test_calendar(void)
{
	test("dates, one after the other");
	check_days(-2451545, (Day){-4713, 11, 24}, 40000);
	check_days(-730485, (Day){0, 1, 1}, 400000);
	check_days(INT64_C(2145031948) - 364, (Day){5874897, 1, 1}, 365);
}

static void
test_codes(void)
{
	RibbonFilter map = {.value_class = RIBBON_VALUES_INT2, .base = 32766};
	int64_t number = 0;

	test("bits of codes");
	CHECK(ribbon_range_code_bits(false, 99, false) == 0 &&
			  ribbon_range_code_bits(false, 99, true) == 0 &&
			  ribbon_range_code_bits(true, 0, false) == 0 &&
			  ribbon_range_code_bits(true, 0, true) == 1 &&
			  ribbon_range_code_bits(true, 255, false) == 8 &&
			  ribbon_range_code_bits(true, 255, true) == 9 &&
			  ribbon_range_code_bits(true, UINT64_MAX, false) == 64 &&
			  ribbon_range_code_bits(true, UINT64_MAX - 1, true) == 64 &&
			  ribbon_range_code_bits(true, UINT64_MAX, true) == 65,
		  "other bits");

	test("what codes stand for");
	CHECK(ribbon_values_number(&map, 1, &number) && number == 32767, "a code");
	CHECK(!ribbon_values_number(&map, 2, &number) &&
			  !ribbon_values_number(&map, UINT64_MAX, &number),
		  "no smallint");
	map.value_class = RIBBON_VALUES_INT8;
	map.base = INT64_MAX - 1;
	CHECK(ribbon_values_number(&map, 1, &number) && number == INT64_MAX &&
			  !ribbon_values_number(&map, 2, &number),
		  "no bigint");
	map.value_bits = 64;
	CHECK(!ribbon_values_is_null(&map, UINT64_MAX), "has no NULL");
	map.has_null = true;
	CHECK(ribbon_values_is_null(&map, UINT64_MAX) &&
			  !ribbon_values_is_null(&map, UINT64_MAX - 1),
		  "has NULL");
	CHECK(ribbon_values_is_code(&map, 0, UINT64_MAX) &&
			  ribbon_values_is_code(&map, 0, 1) &&
			  !ribbon_values_is_code(&map, 0, 2),
		  "NULL and numbers have codes");
	map.value_class = RIBBON_VALUES_DICTIONARY;
	CHECK(ribbon_values_is_code(&map, 3, 2) &&
			  !ribbon_values_is_code(&map, 3, 3) &&
			  ribbon_values_is_code(&map, 3, UINT64_MAX),
		  "texts of a dictionary have codes");
	map.value_bits = 0;
	CHECK(ribbon_values_is_null(&map, 0), "NULL alone");
}

static void
test_classes(void)
{
	RibbonFilter map = {0};

	test("classes that a map can have");
	for (unsigned i = 0; i < 64; i++)
		for (map.ndictionary = 0; map.ndictionary < 2; map.ndictionary++)
		{
			map.value_class = i;
			CHECK(ribbon_values_check_class(&map) ==
					  (i >= RIBBON_KNOWN_VALUE_CLASSES ?
						   RIBBON_BAD_VALUE_CLASS :
						   (i == 0) == (map.ndictionary == 1) ?
						   RIBBON_OK :
						   RIBBON_BAD_VALUES),
				  "class %u", i);
		}
	CHECK(strcmp(ribbon_values_type_name(RIBBON_VALUES_INT2), "smallint") ==
				  0 &&
			  strcmp(ribbon_values_type_name(RIBBON_VALUES_TIMESTAMPTZ),
					 "timestamptz") == 0,
		  "names");
}

int
main(void)
{
	test_valid();
	test_texts();
	test_calendar();
	test_times();
	test_codes();
	test_classes();
	return test_done();
}
