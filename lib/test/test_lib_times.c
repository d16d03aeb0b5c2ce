/*
 * Dates, times and intervals of libribbon, from texts and as texts.
 */
#include "parsed.h"

#include "src/read/keyread.h"
#include "values/civil.h"
#include "values/values.h"

static void
check_times(void)
{
	int64_t day = INT64_C(86400000000);
	/* microseconds, then seconds west */
	uint64_t zoned[2] = {ribbon_little64(UINT64_C(45296789000)),
						 ribbon_little64(5 * 3600 + 30 * 60 + 15)};

	test("dates and times are read");
	check_parsed(RIBBON_KEY_DATE, "2000-01-01", ribbon_key_date(0));
	check_parsed(RIBBON_KEY_DATE, "1970-01-01", ribbon_key_date(-10957));
	check_parsed(RIBBON_KEY_DATE, "2024-02-29", ribbon_key_date(8825));
	check_parsed(RIBBON_KEY_DATE, "0001-12-31 BC", ribbon_key_date(-730120));
	check_parsed(RIBBON_KEY_DATE, "4714-11-24 BC", ribbon_key_date(-2451545));
	check_parsed(RIBBON_KEY_DATE, "5874897-12-31", ribbon_key_date(2145031948));
	check_parsed(RIBBON_KEY_DATE, "infinity", ribbon_key_date(INT32_MAX));
	check_parsed(RIBBON_KEY_DATE, "-infinity", ribbon_key_date(INT32_MIN));
	check_refused(RIBBON_KEY_DATE, "2023-02-29");
	check_refused(RIBBON_KEY_DATE, "1900-02-29");
	check_refused(RIBBON_KEY_DATE, "2023-13-01");
	check_refused(RIBBON_KEY_DATE, "2023-00-01");
	check_refused(RIBBON_KEY_DATE, "2023-01-00");
	check_refused(RIBBON_KEY_DATE, "0000-01-01");
	check_refused(RIBBON_KEY_DATE, "2023-01-1");
	check_refused(RIBBON_KEY_DATE, "2023-01 01");
	check_refused(RIBBON_KEY_DATE, "2023-01-011");
	check_refused(RIBBON_KEY_DATE, "2023-1-1");
	check_refused(RIBBON_KEY_DATE, "4714-11-23 BC");
	check_refused(RIBBON_KEY_DATE, "9999999-01-01");
	check_refused(RIBBON_KEY_DATE, "");
	check_refused(RIBBON_KEY_DATE, " BC");
	check_parsed(RIBBON_KEY_TIME, "24:00:00", ribbon_key_time(day));
	check_parsed(RIBBON_KEY_TIME, "01:02:03.5",
				 ribbon_key_time(INT64_C(3723500000)));
	check_refused(RIBBON_KEY_TIME, "24:00:01");
	check_refused(RIBBON_KEY_TIME, "12:60");
	check_refused(RIBBON_KEY_TIME, "12:34.5");
	check_parsed(RIBBON_KEY_TIMESTAMP, "2000-01-02 00:00:01",
				 ribbon_key_timestamp(day + 1000000));
	check_parsed(RIBBON_KEY_TIMESTAMP, "1999-12-31T23:59:59.999999",
				 ribbon_key_timestamp(-1));
	check_parsed(RIBBON_KEY_TIMESTAMP, "infinity",
				 ribbon_key_timestamp(INT64_MAX));
	check_parsed(RIBBON_KEY_TIMESTAMP, "2000-01-01t00:00",
				 ribbon_key_timestamp(0));
	check_refused(RIBBON_KEY_TIMESTAMP, "2000-01-01_00:00");
	check_refused(RIBBON_KEY_TIMESTAMP, "2000-01-01 noon");
	check_refused(RIBBON_KEY_TIMESTAMP, "4714-11-23 23:59:59 BC");
	check_refused(RIBBON_KEY_TIMESTAMPTZ, "4714-11-24 00:00+15 BC");
	check_refused(RIBBON_KEY_TIMESTAMP, "2000-01-01 00:00+02");
	check_refused(RIBBON_KEY_TIMESTAMP, "2000-01-01 12:34.5");
	check_refused(RIBBON_KEY_TIMESTAMP, "294277-01-01");
	check_refused(RIBBON_KEY_TIMESTAMP, "294277-01-09 23:00:00");
	check_refused(RIBBON_KEY_TIMESTAMPTZ, "294277-01-09 23:00:00-15");
	check_refused(RIBBON_KEY_TIMESTAMPTZ, "5874897-12-31 23:00:00Z");
	check_parsed(RIBBON_KEY_TIMESTAMPTZ, "2000-01-01 02:00:00+02",
				 ribbon_key_timestamptz(0));
	check_parsed(RIBBON_KEY_TIMESTAMPTZ, "1999-12-31 18:30-05:30",
				 ribbon_key_timestamptz(0));
	check_parsed(RIBBON_KEY_TIMESTAMPTZ, "2000-01-01T00:00:00Z",
				 ribbon_key_timestamptz(0));
	check_refused(RIBBON_KEY_TIMESTAMPTZ, "2000-01-01 00:00:00");
	check_refused(RIBBON_KEY_TIMESTAMPTZ, "2000-01-01 00:00:00+99");
	check_refused(RIBBON_KEY_TIMESTAMPTZ, "2000-01-01-05:30");
	check_refused(RIBBON_KEY_TIMESTAMPTZ, "infinity and more");
	check_parsed(RIBBON_KEY_TIMETZ, "12:34:56.789-05:30:15",
				 ribbon_key_canonical(RIBBON_KEY_TIMETZ, zoned, 12));
	check_refused(RIBBON_KEY_TIMETZ, "12:34:56.789-0530:15");
}

static void
check_days(void)
{
	static const int month_days[] = {31, 28, 31, 30, 31, 30,
									 31, 31, 30, 31, 30, 31};
	int32_t expected = -2451545;

	test("each day from 4714 BC to 3000 is the day after the one before");
	for (int year = -4713; year <= 3000; year++)
		for (int month = 1; month <= 12; month++)
		{
			bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
			int n = month_days[month - 1] + (month == 2 && leap ? 1 : 0);
			bool first = year == -4713 && month == 11;

			if (year == -4713 && month < 11)
				continue;
			for (int day = first ? 24 : 1; day <= n; day++)
			{
				char text[40];
				int32_t days = 0;
				int size = snprintf(text, sizeof(text), "%04d-%02d-%02d%s",
									year > 0 ? year : 1 - year, month, day,
									year > 0 ? "" : " BC");

				CHECK(ribbon_civilread_date((RibbonCursor){text, text + size},
											&days) &&
						  days == expected,
					  "%s: %d, not %d", text, days, expected);
				expected++;
			}
		}
}

/* What is written is read as the same date or timestamp. */
static void
check_written(void)
{
	const int64_t us_per_day = INT64_C(86400000000);

	test("dates and timestamps are read from their texts");
	for (int64_t days = RIBBON_FIRST_DAY; days < RIBBON_END_DAY; days += 1 +
			 (days > 1200000	? 1000003 :
				  days % 5 == 0 ? 7 :
								  0))
	{
		char text[RIBBON_NUMBER_TEXT];
		size_t size = ribbon_civil_write_date(days, text);
		int64_t time = days * us_per_day +
			days * INT64_C(12345677) % us_per_day;
		int64_t again = 0;
		int32_t read = 0;

		CHECK(ribbon_civilread_date((RibbonCursor){text, text + size}, &read) &&
				  read == days,
			  "%s", text);
		if (days >= RIBBON_END_TIMESTAMP / us_per_day - 1 ||
			days == RIBBON_FIRST_DAY)
			continue;
		for (int zone = 0; zone < 2; zone++)
		{
			size = ribbon_civil_write_timestamp(time, zone, text);
			CHECK(ribbon_civilread_timestamp((RibbonCursor){text, text + size},
											 zone, &again) &&
					  again == time,
				  "%s", text);
		}
	}
}

/* A number that is no date is shown as it is, and no arithmetic overflows. */
static void
check_no_dates(void)
{
	static const int64_t numbers[] = {INT64_MIN + 1, INT64_MIN / 2,
									  INT64_C(-211813488000000001),
									  INT64_C(9223371331200000000),
									  INT64_MAX - 1};
	char expected[48], text[48];

	test("numbers that are no date are shown as numbers");
	for (int type = RIBBON_VALUE_DATE; type <= RIBBON_VALUE_TIMESTAMPTZ; type++)
		for (size_t i = 0; i < 5; i++)
		{
			snprintf(expected, sizeof(expected), "%lld",
					 (long long) numbers[i]);
			CHECK(ribbon_value_format(numbers[i], (ribbon_value_type) type,
									  text, sizeof(text)) == strlen(expected) &&
					  strcmp(text, expected) == 0,
				  "type %d, %s: %s", type, expected, text);
		}
}

static void
check_intervals(void)
{
	static const char *const none[] = {
		"99999999999999999999 days",
		"9223372036854775808 us",
		"2147483648 days",
		"-2147483649 days",
		"2147483648 mons",
		"-2147483649 mons",
		"9223372036854775807 us 9223372036854775807 us",
		"9223372036854775807 hours",
		"1 @",
		"1 {",
		"9999999999999999:00:00",
		"12:",
		"12:34:",
		"P1",
		"P1\1",
		"- days",
		"1 day +",
		"P-D",
		"-9223372036854.775808 secs ago",
		"9223372036854.775808 secs ago",
		"2147483648 days ago",
		"-2147483648 days ago",
		"2147483641 days 1 week ago",
		"2147483648 mons ago",
		"-178956970 years -8 mons ago",
		"2147483648 years -2147483648 mons",
	};

	static const char *const same[][3] = {
		{"1 year", "1 YEARS", "P1Y"},
		{"1 mon", "1 months", "P1M"},
		{"1 month", "1 mons", "P1M"},
		{"1 week", "1 weeks", "P1W"},
		{"1 day", "1 days", "P1D"},
		{"1 hour", "1 hours", "PT1H"},
		{"1 min", "1 mins", "PT1M"},
		{"1 minute", "1 minutes", "PT1M"},
		{"1 sec", "1 secs", "PT1S"},
		{"1 second", "1 seconds", "PT1S"},
		{"@ 1 day ago", "-1 day", "P-1D"},
		{"178956970 years 8 mons ago", "-2147483648 mons", "P-2147483648M"},
		{"9223372036854.775807 secs ago", "-9223372036854.775807 secs",
		 "PT-2562047788H-54.775807S"},
	};

	/* days, and microseconds */
	uint64_t form[2] = {ribbon_little64(14 * 30 + 3),
						ribbon_little64(UINT64_C(14706789000))};
	uint64_t before[2] = {ribbon_little64((uint64_t) -1),
						  ribbon_little64(UINT64_C(86398877000))};

	test("intervals, in words and as ISO 8601 has them; those too long");
	check_parsed(RIBBON_KEY_INTERVAL, "1 year 2 mons 3 days 04:05:06.789",
				 ribbon_key_canonical(RIBBON_KEY_INTERVAL, form, 16));
	check_parsed(RIBBON_KEY_INTERVAL, "P1Y2M3DT4H5M6.789S",
				 ribbon_key_canonical(RIBBON_KEY_INTERVAL, form, 16));
	check_parsed(RIBBON_KEY_INTERVAL, "-00:00:01.123",
				 ribbon_key_canonical(RIBBON_KEY_INTERVAL, before, 16));
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		CHECK(same_key(parsed(RIBBON_KEY_INTERVAL, same[i][0]),
					   parsed(RIBBON_KEY_INTERVAL, same[i][2])) &&
				  same_key(parsed(RIBBON_KEY_INTERVAL, same[i][1]),
						   parsed(RIBBON_KEY_INTERVAL, same[i][2])),
			  "%s, %s, %s", same[i][0], same[i][1], same[i][2]);
	check_refused(RIBBON_KEY_INTERVAL, "1 yea");
	check_refused(RIBBON_KEY_INTERVAL, "1 s");
	check_refused(RIBBON_KEY_INTERVAL, "1 day02:00");
	check_refused(RIBBON_KEY_INTERVAL, "1 day-02:00");
	check_refused(RIBBON_KEY_INTERVAL, "02:00-1 days");
	check_refused(RIBBON_KEY_INTERVAL, "P+1W");
	CHECK(same_key(parsed(RIBBON_KEY_INTERVAL, "1 day\t02:00:00"),
				   parsed(RIBBON_KEY_INTERVAL, "P1DT2H")),
		  "a tab");
	CHECK(!same_key(parsed(RIBBON_KEY_INTERVAL, "infinity"),
					parsed(RIBBON_KEY_INTERVAL, "-infinity")),
		  "infinite ones");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		check_refused(RIBBON_KEY_INTERVAL, none[i]);
}

int
main(void)
{
	check_times();
	check_days();
	check_written();
	check_no_dates();
	check_intervals();
	return test_done();
}
