/*
 * Keys of libribbon: canonical forms, and texts as PostgreSQL writes them.
 */
#include "made.h"
#include "keys/hashes.h"
#include "src/keys.h"
#include "src/parse.h"
#include "values/civil.h"
#include "values/number.h"

static bool
same_key(ribbon_key a, ribbon_key b)
{
	return memcmp(&a, &b, sizeof(a)) == 0;
}

/* Read a text that lies in memory of its size. */
static ribbon_status
parse(ribbon_key *key, int key_type, const char *text)
{
	size_t size = strlen(text);
	char *copy = malloc(size > 0 ? size : 1);
	ribbon_status status;

	memcpy(copy, text, size);
	status = ribbon_key_parse(key, key_type, copy, size);
	free(copy);
	return status;
}

/* The key of a text, which must be one. */
static ribbon_key
parsed(int key_type, const char *text)
{
	ribbon_key key = ribbon_key_hashed(0, 0, 0);
	ribbon_status status = parse(&key, key_type, text);

	CHECK(status == RIBBON_SUCCESS, "\"%s\": %s", text, ribbon_error_text());
	return key;
}

static void
check_parsed(int key_type, const char *text, ribbon_key expected)
{
	CHECK(same_key(parsed(key_type, text), expected), "type %d: \"%s\"",
		  key_type, text);
}

static void
check_refused(int key_type, const char *text)
{
	ribbon_key key;

	CHECK(parse(&key, key_type, text) == RIBBON_ERROR_KEY,
		  "type %d: \"%s\" is a key", key_type, text);
}

static void
check_hashes(void)
{
	static const uint8_t two[8] = {2};
	uint8_t uuid[16] = {0};
	ribbon_key key = ribbon_key_int64(2);

	test("a key is both hashes of its canonical bytes, and a type");
	CHECK(ribbon_key_hash(key) == UINT64_C(0x2086c65c91eee243), "format.md");
	CHECK(ribbon_key_hash2(key) == ribbon_hash_second_bytes(two, 8), "second");
	CHECK(ribbon_key_type_of(key) == RIBBON_KEY_INTEGER, "type");
	CHECK(same_key(key, ribbon_key_canonical(1, two, 8)), "canonical");
	CHECK(same_key(key,
				   ribbon_key_hashed(1, ribbon_key_hash(key),
									 ribbon_key_hash2(key))),
		  "hashed");
	CHECK(ribbon_key_shard(key, 16) ==
			  ribbon_hash_to_shard(ribbon_key_hash(key), 16),
		  "shard");
	CHECK(same_key(ribbon_key_text(NULL, 0), ribbon_key_text("", 0)), "empty");
	CHECK(same_key(ribbon_key_char("a  ", 3), ribbon_key_char("a", 1)),
		  "blanks");
	CHECK(!same_key(ribbon_key_text("a  ", 3), ribbon_key_text("a", 1)),
		  "text");
	CHECK(same_key(ribbon_key_float8(-0.0), ribbon_key_float8(0)), "-0");
	CHECK(same_key(ribbon_key_float8(-NAN), ribbon_key_float8(NAN)), "NaN");
	CHECK(same_key(ribbon_key_uuid(uuid), ribbon_key_canonical(4, uuid, 16)),
		  "uuid");
	CHECK(!same_key(ribbon_key_int64(1), ribbon_key_oid(1)), "types differ");
	CHECK(same_key(ribbon_key_enum("a", 1),
				   ribbon_key_canonical(RIBBON_KEY_ENUM, "a", 1)),
		  "enum");
}

static void
check_names(void)
{
	test("types have names");
	CHECK(ribbon_key_type_named("bigint") == RIBBON_KEY_INTEGER, "bigint");
	CHECK(ribbon_key_type_named("jsonb") == 27, "jsonb");
	CHECK(ribbon_key_type_named("no such") == -1, "none");
	CHECK(strcmp(ribbon_key_type_name(RIBBON_KEY_UUID), "uuid") == 0, "uuid");
	CHECK(ribbon_key_type_name(32) == NULL && ribbon_key_type_name(-1) == NULL,
		  "outside");
	CHECK(strcmp(ribbon_key_type_name(23 | 2 << 5), "array") == 0,
		  "an array of texts");
	CHECK(ribbon_key_type_name(1 | 2 << 5) == NULL, "an integer has no parts");
	for (int type = 0; type < 29; type++)
		CHECK(ribbon_key_type_named(ribbon_key_type_name(type)) == type,
			  "type %d", type);
}

static void
check_numbers(void)
{
	char zeros[600];

	test("integers, oids, booleans and floats are read");
	check_parsed(RIBBON_KEY_INTEGER, " -42\t", ribbon_key_int64(-42));
	check_parsed(RIBBON_KEY_INTEGER, "+7", ribbon_key_int64(7));
	check_parsed(RIBBON_KEY_INTEGER, "-9223372036854775808",
				 ribbon_key_int64(INT64_MIN));
	check_parsed(RIBBON_KEY_INTEGER, "9223372036854775807",
				 ribbon_key_int64(INT64_MAX));
	check_refused(RIBBON_KEY_INTEGER, "9223372036854775808");
	check_refused(RIBBON_KEY_INTEGER, "-9223372036854775809");
	check_refused(RIBBON_KEY_INTEGER, "99999999999999999999999999");
	check_refused(RIBBON_KEY_INTEGER, "");
	check_refused(RIBBON_KEY_INTEGER, "-");
	check_refused(RIBBON_KEY_INTEGER, "1 2");
	check_refused(RIBBON_KEY_INTEGER, "1.0");
	check_parsed(RIBBON_KEY_OID, "4294967295", ribbon_key_oid(UINT32_MAX));
	check_refused(RIBBON_KEY_OID, "4294967296");
	check_parsed(RIBBON_KEY_XID8, "18446744073709551615",
				 ribbon_key_xid8(UINT64_MAX));
	check_refused(RIBBON_KEY_XID8, "18446744073709551616");
	check_parsed(RIBBON_KEY_XID8, "0", ribbon_key_xid8(0));
	check_refused(RIBBON_KEY_XID8, "010"); /* 8 to the server */
	check_refused(RIBBON_KEY_XID8, "0x1");
	check_parsed(RIBBON_KEY_LSN, "1/aB", ribbon_key_lsn(UINT64_C(0x1000000AB)));
	check_parsed(RIBBON_KEY_LSN, "1/2", ribbon_key_lsn(UINT64_C(0x100000002)));
	check_refused(RIBBON_KEY_LSN, "1");
	check_refused(RIBBON_KEY_LSN, "123456789/0");
	check_refused(RIBBON_KEY_LSN, "1/2/3");
	check_refused(RIBBON_KEY_LSN, "1/g");
	check_refused(RIBBON_KEY_LSN, "/1");
	check_parsed(RIBBON_KEY_BOOL, "t", ribbon_key_bool(true));
	check_parsed(RIBBON_KEY_BOOL, "OFF", ribbon_key_bool(false));
	check_refused(RIBBON_KEY_BOOL, "o");
	check_refused(RIBBON_KEY_BOOL, "truely");
	check_refused(RIBBON_KEY_BOOL, "\021"); /* differs from 1 by a bit */
	check_parsed(RIBBON_KEY_FLOAT, "-0", ribbon_key_float8(0));
	check_parsed(RIBBON_KEY_FLOAT, "1e3", ribbon_key_float8(1000));
	check_parsed(RIBBON_KEY_FLOAT, "NaN", ribbon_key_float8(NAN));
	check_parsed(RIBBON_KEY_FLOAT, "-Infinity", ribbon_key_float8(-INFINITY));
	check_refused(RIBBON_KEY_FLOAT, "1e999");
	check_refused(RIBBON_KEY_FLOAT, "1e-999");
	check_parsed(RIBBON_KEY_FLOAT, "1e-320", ribbon_key_float8(1e-320));
	memset(zeros, '0', sizeof(zeros) - 1);
	zeros[sizeof(zeros) - 1] = '\0';
	check_refused(RIBBON_KEY_FLOAT, zeros);
	check_refused(RIBBON_KEY_FLOAT, "1,5");
	check_refused(RIBBON_KEY_FLOAT, "");
}

static ribbon_key
numeric(const char *text)
{
	return ribbon_key_canonical(RIBBON_KEY_NUMERIC, text, strlen(text));
}

static void
check_numerics(void)
{
	test("numerics are read to their shortest text");
	check_parsed(RIBBON_KEY_NUMERIC, "1.500", numeric("1.5"));
	check_parsed(RIBBON_KEY_NUMERIC, "0100", numeric("100"));
	check_parsed(RIBBON_KEY_NUMERIC, "1e2", numeric("100"));
	check_parsed(RIBBON_KEY_NUMERIC, "-.5", numeric("-0.5"));
	check_parsed(RIBBON_KEY_NUMERIC, "12e-4", numeric("0.0012"));
	check_parsed(RIBBON_KEY_NUMERIC, "-0.00", numeric("0"));
	check_parsed(RIBBON_KEY_NUMERIC, "0.0010", numeric("0.001"));
	check_parsed(RIBBON_KEY_NUMERIC, "1230.0", numeric("1230"));
	check_parsed(RIBBON_KEY_NUMERIC, "10203.040", numeric("10203.04"));
	check_parsed(RIBBON_KEY_NUMERIC, "nan", numeric("NaN"));
	check_parsed(RIBBON_KEY_NUMERIC, "-inf", numeric("-Infinity"));
	check_parsed(RIBBON_KEY_NUMERIC, "+2.50", numeric("2.5"));
	check_parsed(RIBBON_KEY_NUMERIC, "+Infinity", numeric("Infinity"));
	check_refused(RIBBON_KEY_NUMERIC, "");
	check_refused(RIBBON_KEY_NUMERIC, "-");
	check_refused(RIBBON_KEY_NUMERIC, "1e");
	check_refused(RIBBON_KEY_NUMERIC, "1e-200000");
	check_refused(RIBBON_KEY_NUMERIC, "12e131071");
	check_refused(RIBBON_KEY_NUMERIC, "1e200000");
	check_refused(RIBBON_KEY_NUMERIC, "1e-20000");
	check_refused(RIBBON_KEY_NUMERIC, "1e9223372036854775807");
	check_refused(RIBBON_KEY_NUMERIC, ".");
	check_refused(RIBBON_KEY_NUMERIC, "1.2.3");
	check_refused(RIBBON_KEY_NUMERIC, "e5");
}

static void
check_bytes(void)
{
	static const uint8_t uuid[16] = {0xa0, 0xee, 0xbc, 0x99, 0x9c, 0x0b,
									 0x4e, 0xf8, 0xbb, 0x6d, 0x6b, 0xb9,
									 0xbd, 0x38, 0x0a, 0x11};
	static const uint8_t mac[8] = {8, 0, 0x2b, 1, 2, 3, 4, 5};
	static const uint8_t bits[6] = {9, 0, 0, 0, 0xA1, 0x80}; /* a count first */
	static const uint8_t hex[6] = {12, 0, 0, 0, 0xA1, 0x80};
	static const uint8_t none[4] = {0};
	static const uint8_t widened[8] = {8, 0, 0x2B, 0xFF, 0xFE, 1, 2, 3};
	uint8_t address[18] = {6, 128};

	test("bytes, uuids and addresses are read");
	check_parsed(RIBBON_KEY_BYTES, "\\x00fF", ribbon_key_bytes("\0\377", 2));
	check_parsed(RIBBON_KEY_BYTES, "a\\\\\\001",
				 ribbon_key_bytes("a\\\001", 3));
	check_parsed(RIBBON_KEY_BYTES, "", ribbon_key_bytes("", 0));
	check_refused(RIBBON_KEY_BYTES, "\\x0");
	check_refused(RIBBON_KEY_BYTES, "\\x0g00");
	check_refused(RIBBON_KEY_BYTES, "\\xg000");
	check_refused(RIBBON_KEY_BYTES, "\\ 00");
	check_refused(RIBBON_KEY_BYTES, "\\0 0");
	check_refused(RIBBON_KEY_BYTES, "\\080");
	check_refused(RIBBON_KEY_BYTES, "\\00 ");
	check_refused(RIBBON_KEY_BYTES, "\\008");
	check_refused(RIBBON_KEY_BYTES, "\\400");
	check_refused(RIBBON_KEY_BYTES, "\\");
	check_parsed(RIBBON_KEY_UUID, "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
				 ribbon_key_uuid(uuid));
	check_parsed(RIBBON_KEY_UUID, "{a0eebc999c0b4ef8bb6d6bb9bd380a11}",
				 ribbon_key_uuid(uuid));
	check_refused(RIBBON_KEY_UUID, "a0eebc999c0b4ef8bb6d6bb9bd380a1");
	check_refused(RIBBON_KEY_UUID, "a0eebc999c0b4ef8bb6d6bb9bd380a11-");
	check_refused(RIBBON_KEY_UUID, "g0eebc999c0b4ef8bb6d6bb9bd380a11");
	check_refused(RIBBON_KEY_UUID, "{a0eebc999c0b4ef8bb6d6bb9bd380a11");
	check_refused(RIBBON_KEY_UUID, "{}");
	check_parsed(RIBBON_KEY_UUID, "a0ee-bc999c0b4ef8bb6d6bb9bd38-0a11",
				 ribbon_key_uuid(uuid));
	check_refused(RIBBON_KEY_UUID, "a0-eebc999c0b4ef8bb6d6bb9bd380a11");
	check_refused(RIBBON_KEY_UUID, "a0eebc999c0b4ef8bb6d6bb9bd380a-11");
	check_parsed(RIBBON_KEY_MACADDR, "08:00:2b:01:02:03",
				 ribbon_key_macaddr(mac));
	check_parsed(RIBBON_KEY_MACADDR, "0800.2b01.0203", ribbon_key_macaddr(mac));
	check_parsed(RIBBON_KEY_MACADDR8, "08-00-2b-01-02-03-04-05",
				 ribbon_key_macaddr8(mac));
	check_parsed(RIBBON_KEY_MACADDR, "0800-2b01-0203", ribbon_key_macaddr(mac));
	check_parsed(RIBBON_KEY_MACADDR, "08002b:010203", ribbon_key_macaddr(mac));
	check_parsed(RIBBON_KEY_MACADDR, "08-00-2b-01-02-03",
				 ribbon_key_macaddr(mac));
	check_parsed(RIBBON_KEY_MACADDR8, "0800.2b0102.030405",
				 ribbon_key_macaddr8(mac));
	check_parsed(RIBBON_KEY_MACADDR8, "08:00:2b:01:02:03",
				 ribbon_key_macaddr8(widened));
	check_parsed(RIBBON_KEY_MACADDR8, "08002b.010203",
				 ribbon_key_macaddr8(widened));
	check_refused(RIBBON_KEY_MACADDR8, "08:00:2b:01:02:03:04");
	check_refused(RIBBON_KEY_MACADDR8, "08:00:2b:01:02");
	check_refused(RIBBON_KEY_MACADDR, "0800:2b01:0203");
	check_refused(RIBBON_KEY_MACADDR, "08002b.010203");
	check_refused(RIBBON_KEY_MACADDR, "08.00.2b.01.02.03");
	check_refused(RIBBON_KEY_MACADDR, "08:002b010203");
	check_refused(RIBBON_KEY_MACADDR, "08:00:2b:010203");
	check_refused(RIBBON_KEY_MACADDR, "08:00-2b:01:02:03");
	check_refused(RIBBON_KEY_MACADDR, "08:00:2b:01:02");
	check_refused(RIBBON_KEY_MACADDR, "08:00:2b:01:02:0g");
	check_parsed(RIBBON_KEY_BIT, "101000011",
				 ribbon_key_canonical(RIBBON_KEY_BIT, bits, 6));
	check_parsed(RIBBON_KEY_BIT, "B101000011",
				 ribbon_key_canonical(RIBBON_KEY_BIT, bits, 6));
	check_parsed(RIBBON_KEY_BIT, "xa18",
				 ribbon_key_canonical(RIBBON_KEY_BIT, hex, 6));
	check_parsed(RIBBON_KEY_BIT, "",
				 ribbon_key_canonical(RIBBON_KEY_BIT, none, 4));
	check_refused(RIBBON_KEY_BIT, "102");
	check_refused(RIBBON_KEY_BIT, "xg");
	check_parsed(RIBBON_KEY_INET,
				 "::", ribbon_key_canonical(RIBBON_KEY_INET, address, 18));
	address[17] = 1;
	check_parsed(RIBBON_KEY_INET, "::1",
				 ribbon_key_canonical(RIBBON_KEY_INET, address, 18));
	address[3] = 1;
	check_parsed(RIBBON_KEY_INET, "1::1",
				 ribbon_key_canonical(RIBBON_KEY_INET, address, 18));
	check_refused(RIBBON_KEY_INET, "1:2:3:4:5:6:7");
	check_refused(RIBBON_KEY_INET, "::1.2.03.4");
	check_refused(RIBBON_KEY_INET, "::01.2.3.4");
	check_refused(RIBBON_KEY_INET, "::1:2:3:4:5:6:7:8");
	check_refused(RIBBON_KEY_TEXT, "\300");
	check_refused(RIBBON_KEY_JSONB, "\"\300\"");
}

static void
check_networks(void)
{
	/* as the server shows these texts, of which some are a cidr alone */
	static const char *const texts[][2] = {
		{"10", "10.0.0.0/8"},
		{"10.1", "10.1.0.0/16"},
		{"128", "128.0.0.0/16"},
		{"128.1.2", "128.1.2.0/24"},
		{"192.168", "192.168.0.0/24"},
		{"224", "224.0.0.0/4"},
		{"224.1", "224.1.0.0/16"},
		{"239", "239.0.0.0/8"},
		{"240.1", "240.1.0.0/32"},
		{"1/24", "1.0.0.0/24"},
		{"10.1.2.3", "10.1.2.3/32"},
		{"0x0a", "10.0.0.0/8"},
		{"0XC0a8", "192.168.0.0/24"},
		{"0x0a000000/7", "10.0.0.0/7"},
		{"0xac1/12", "172.16.0.0/12"},
		{"0xe0", "224.0.0.0/4"},
		{"0xffffffff", "255.255.255.255/32"},
		{"0x0/0", "0.0.0.0/0"},
		{"10./15", "10.0.0.0/15"},
		{"10.1.2.3.", "10.1.2.3/32"},
		{"1:2:3:4:5:6:7:8:/64", "1:2:3:4:5:6:7:8/64"},
		{"::1:/64", "::1/64"},
		{"::1.2", "::1.2.0.0"},
		{"::.1..2/9", "::0.1.0.2/9"},
	};
	static const char *const none[] = {
		"0x",
		"0x/8",
		"0x0a000001/8",
		"0x0a/4",
		"0x0a0000000",
		"0x0a.0/8",
		"10.",
		"10./16",
		"1.2.3.4.5",
		"1.2.3.4.5/8",
		"1.256/8",
		"1..2/8",
		"10/",
		"10/33",
		"1.2.3.4/x",
		"::1:",
		"::1.2.",
		"::1.2.3.4.5",
		"1:2:3:4:5:6:7:1.2.3.4",
		"1:2:3:4:5:6:7:8:",
		"1:2:3:4:5:6:7:8::/64",
		":",
		":/1",
		"::1/064",
		"::12345",
	};

	test("networks are read, as the server reads a cidr or an inet");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check_parsed(RIBBON_KEY_INET, texts[i][0],
					 parsed(RIBBON_KEY_INET, texts[i][1]));
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		check_refused(RIBBON_KEY_INET, none[i]);
}

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

				CHECK(ribbon_civil_date(text, (size_t) size, &days) &&
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

		CHECK(ribbon_civil_date(text, size, &read) && read == days, "%s", text);
		if (days >= RIBBON_END_TIMESTAMP / us_per_day - 1 ||
			days == RIBBON_FIRST_DAY)
			continue;
		for (int zone = 0; zone < 2; zone++)
		{
			size = ribbon_civil_write_timestamp(time, zone, text);
			CHECK(ribbon_civil_timestamp(text, size, zone, &again) &&
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
	};

	static const char *const same[][3] = {
		{"1 year", "1 YEARS", "P1Y"},	   {"1 mon", "1 months", "P1M"},
		{"1 month", "1 mons", "P1M"},	   {"1 week", "1 weeks", "P1W"},
		{"1 day", "1 days", "P1D"},		   {"1 hour", "1 hours", "PT1H"},
		{"1 min", "1 mins", "PT1M"},	   {"1 minute", "1 minutes", "PT1M"},
		{"1 sec", "1 secs", "PT1S"},	   {"1 second", "1 seconds", "PT1S"},
		{"@ 1 day ago", "-1 day", "P-1D"},
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

static void
check_json(void)
{
	char deep[2010];

	test("a jsonb has blanks of four kinds, and at most 1000 levels");
	CHECK(same_key(parsed(RIBBON_KEY_JSONB, "\t[\n1 ,\r2]"),
				   parsed(RIBBON_KEY_JSONB, "[1,2]")),
		  "blanks");
	CHECK(same_key(parsed(RIBBON_KEY_JSONB,
						  "\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\""),
				   parsed(RIBBON_KEY_JSONB,
						  "\"A\303\251\342\202\254\360\237\230\200\"")),
		  "characters by their codes");
	check_refused(RIBBON_KEY_JSONB, "\"\\u0000\"");
	check_refused(RIBBON_KEY_JSONB, "\"\t\"");
	CHECK(same_key(parsed(RIBBON_KEY_JSONB, "{\"a\":2,\"b\":1,\"a\":3}"),
				   parsed(RIBBON_KEY_JSONB, "{\"b\":1,\"a\":3}")),
		  "the last of equal names");
	CHECK(!same_key(parsed(RIBBON_KEY_JSONB, "{\"a\":2,\"b\":1}"),
					parsed(RIBBON_KEY_JSONB, "{\"a\":2,\"b\":3}")),
		  "another value of the second member");
	check_parsed(RIBBON_KEY_JSONB, "\"\\ud800\\udc00\\udbff\\udfff\"",
				 parsed(RIBBON_KEY_JSONB,
						"\"\360\220\200\200\364\217\277\277\""));
	check_refused(RIBBON_KEY_JSONB, "1e200000");
	memset(deep, '[', 1001);
	memset(deep + 1001, ']', 1001);
	deep[2001] = '\0';
	(void) parsed(RIBBON_KEY_JSONB, deep + 1);
	deep[2001] = ']';
	deep[2002] = '\0';
	check_refused(RIBBON_KEY_JSONB, deep);
}

/* The hashes of a view are those of its keys one by one. */
static void
check_view(ribbon_keys *keys, const ribbon_key *expected, size_t n,
		   int key_type)
{
	uint64_t hashes[8];

	for (uint32_t seed = 0; seed < 2; seed++)
	{
		CHECK(ribbon_keys_hash(keys, key_type, seed, 0, n, hashes, NULL) ==
				  RIBBON_SUCCESS,
			  "%s", ribbon_error_text());
		for (size_t i = 0; i < n; i++)
			CHECK(hashes[i] ==
					  ribbon_hash_with_seed(ribbon_key_hash(expected[i]),
											ribbon_key_hash2(expected[i]),
											seed),
				  "form %d, key %zu, seed %u", (int) keys->form, i, seed);
	}
	CHECK(ribbon_keys_hash(keys, RIBBON_KEY_ENUM, 0, 0, n, hashes, NULL) ==
			  RIBBON_ERROR_KEY_TYPE,
		  "another type");
	ribbon_keys_free(keys);
}

static void
check_views(void)
{
	static const int64_t large[3] = {1, -2, INT64_MAX};
	static const int32_t small[3] = {1, -2, INT32_MIN};
	static const double reals[3] = {-0.0, 1.5, NAN};
	static const char *const texts[3] = {"a", "", "c d "};
	static const size_t sizes[3] = {1, 0, 4};
	static const int64_t offsets[4] = {0, 1, 1, 5};
	static const int32_t offsets32[4] = {0, 1, 1, 5};
	static const int32_t bad[4] = {0, 1, 0, 5};
	static const struct
	{
		int key_type;
		size_t size; /* 0: any */
	} of_size[] = {
		{RIBBON_KEY_BOOL, 1},	   {RIBBON_KEY_DATE, 4},
		{RIBBON_KEY_OID, 4},	   {RIBBON_KEY_MACADDR, 6},
		{RIBBON_KEY_INTEGER, 8},   {RIBBON_KEY_TIME, 8},
		{RIBBON_KEY_TIMESTAMP, 8}, {RIBBON_KEY_TIMESTAMPTZ, 8},
		{RIBBON_KEY_MACADDR8, 8},  {RIBBON_KEY_XID8, 8},
		{RIBBON_KEY_LSN, 8},	   {RIBBON_KEY_UUID, 16},
		{RIBBON_KEY_TIMETZ, 12},   {RIBBON_KEY_INTERVAL, 16},
		{RIBBON_KEY_TEXT, 0},
	};
	ribbon_key key;
	ribbon_key numbers[3], texted[3], chars[3], floats[3];
	ribbon_keys *keys;
	uint64_t hashes[3];

	test("many keys are what they are one by one, in each form");
	for (int i = 0; i < 3; i++)
	{
		numbers[i] = ribbon_key_int64(large[i]);
		texted[i] = ribbon_key_text(texts[i], sizes[i]);
		chars[i] = ribbon_key_char(texts[i], sizes[i]);
		floats[i] = ribbon_key_float8(reals[i]);
	}
	check_view(ribbon_keys_int64(large, 3), numbers, 3, RIBBON_KEY_INTEGER);
	check_view(ribbon_keys_hashed(numbers, 3), numbers, 3, RIBBON_KEY_INTEGER);
	check_view(ribbon_keys_fixed(RIBBON_KEY_FLOAT, reals, 8, 3), floats, 3,
			   RIBBON_KEY_FLOAT);
	for (size_t i = 0; i < sizeof(of_size) / sizeof(of_size[0]); i++)
		for (size_t size = 1; size <= 16; size++)
		{
			key = ribbon_key_canonical(of_size[i].key_type, large, size);
			keys = ribbon_keys_fixed(of_size[i].key_type, large, size, 1);
			if (of_size[i].size == size || of_size[i].size == 0)
				check_view(keys, &key, 1, of_size[i].key_type);
			else
			{
				CHECK(ribbon_keys_hash(keys, of_size[i].key_type, 0, 0, 1,
									   hashes, NULL) == RIBBON_ERROR_KEY,
					  "type %d of %zu bytes", of_size[i].key_type, size);
				ribbon_keys_free(keys);
			}
		}
	for (int i = 0; i < 3; i++)
		numbers[i] = ribbon_key_int64(small[i]);
	check_view(ribbon_keys_int32(small, 3), numbers, 3, RIBBON_KEY_INTEGER);
	check_view(ribbon_keys_texts(RIBBON_KEY_TEXT, texts, sizes, 3), texted, 3,
			   RIBBON_KEY_TEXT);
	check_view(ribbon_keys_texts(RIBBON_KEY_TEXT, texts, NULL, 3), texted, 3,
			   RIBBON_KEY_TEXT);
	check_view(ribbon_keys_texts(RIBBON_KEY_TEXT, texts, NULL, 3), chars, 3,
			   RIBBON_KEY_CHAR);
	check_view(ribbon_keys_packed(RIBBON_KEY_TEXT, "ac d ", offsets, 3), texted,
			   3, RIBBON_KEY_TEXT);
	check_view(ribbon_keys_packed32(RIBBON_KEY_CHAR, "ac d ", offsets32, 3),
			   chars, 3, RIBBON_KEY_CHAR);

	keys = ribbon_keys_packed32(RIBBON_KEY_TEXT, "ac d ", bad, 3);
	CHECK(ribbon_keys_hash(keys, RIBBON_KEY_TEXT, 0, 0, 3, hashes, NULL) ==
			  RIBBON_ERROR_KEY,
		  "a negative size");
	ribbon_keys_free(keys);
	keys = ribbon_keys_fixed(RIBBON_KEY_UUID, reals, 8, 3);
	CHECK(ribbon_keys_hash(keys, RIBBON_KEY_UUID, 0, 0, 3, hashes, NULL) ==
			  RIBBON_ERROR_KEY,
		  "a uuid of 8 bytes");
	ribbon_keys_free(keys);
	numbers[1] = ribbon_key_oid(1);
	keys = ribbon_keys_hashed(numbers, 3);
	CHECK(ribbon_keys_hash(keys, RIBBON_KEY_INTEGER, 0, 0, 3, hashes, NULL) ==
			  RIBBON_ERROR_KEY_TYPE,
		  "keys of two types");
	CHECK(ribbon_keys_hash(keys, RIBBON_KEY_CHAR, 0, 0, 3, hashes, NULL) ==
			  RIBBON_ERROR_KEY_TYPE,
		  "integers as char(n)");
	ribbon_keys_free(keys);
	keys = ribbon_keys_int32(small, 3);
	CHECK(ribbon_keys_hash(keys, RIBBON_KEY_CHAR, 0, 0, 3, hashes, NULL) ==
			  RIBBON_ERROR_KEY_TYPE,
		  "integers as char(n)");
	ribbon_keys_free(keys);
}

/* The next field of a line, up to a tab or the end. */
static char *
next_field(char **rest)
{
	char *field = *rest;
	char *end = field + strcspn(field, "\t\n");

	*rest = *end != '\0' ? end + 1 : end;
	*end = '\0';
	return field;
}

static void
check_kit(void)
{
	static char line[70000];
	FILE *file = fopen("test/golden/kit_1.txt", "r");
	int n = 0;

	test("keys of the golden kit have their hashes");
	CHECK(file != NULL, "no kit");
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
	{
		char *rest = line;
		uint8_t canonical[2000];
		uint64_t hash, hash2;
		char *text;
		ribbon_key key;
		size_t size;
		int type;

		if (strcmp(next_field(&rest), "key") != 0)
			continue;
		type = ribbon_key_type_named(next_field(&rest));
		text = next_field(&rest);
		size = read_hex(next_field(&rest), canonical);
		hash = strtoull(next_field(&rest), NULL, 16);
		hash2 = strtoull(next_field(&rest), NULL, 16);
		key = parsed(type, text);
		CHECK(ribbon_key_hash(key) == hash && ribbon_key_hash2(key) == hash2,
			  "type %d, \"%s\"", type, text);
		CHECK(same_key(key, ribbon_key_canonical(type, canonical, size)),
			  "type %d, \"%s\"", type, text);
		n++;
	}
	CHECK(n > 50, "%d keys", n);
	if (file != NULL)
		fclose(file);
}

/* Texts that are nearly keys are keys or none, and read within their bytes. */
static void
check_mutated(void)
{
	static const struct
	{
		int type;
		const char *text;
	} seeds[] = {
		{RIBBON_KEY_INET, "2001:db8::ffff:1.2.3.4/120"},
		{RIBBON_KEY_INET, "10.20.30.40/24"},
		{RIBBON_KEY_INTERVAL, "@ 1 year -2 mons 3 days 04:05:06.789 ago"},
		{RIBBON_KEY_INTERVAL, "P1Y2M3W4DT5H6M-7.000001S"},
		{RIBBON_KEY_TIMETZ, "12:34:56.789-05:30:15"},
		{RIBBON_KEY_BIT, "x1F0"},
		{RIBBON_KEY_JSONB,
		 "{\"b\":[1.50e-2,{\"a\":null,\"a\":[]}],\"\\ud83d\\ude00\":\"\\n\"}"},
	};
	static const char more[] = "0123456789 :./+-eExPT\\\"{}[],u";
	uint64_t state = 43;

	test("texts that are nearly keys");
	for (int i = 0; i < 70000; i++)
	{
		size_t n = sizeof(seeds) / sizeof(seeds[0]);
		const char *seed = seeds[(size_t) i % n].text;
		size_t size = strlen(seed);
		char *text = malloc(size + 1);
		ribbon_key key;
		ribbon_status status;

		memcpy(text, seed, size);
		for (int changes = 0; changes < 3; changes++)
		{
			state = state * UINT64_C(6364136223846793005) + 1;
			text[(state >> 33) % size] =
				more[(state >> 48) % (sizeof(more) - 1)];
		}
		/* cut off, in memory that ends where it does */
		size = (state >> 40) % 3 == 0 ? (state >> 20) % (size + 1) : size;
		text = realloc(text, size > 0 ? size : 1);
		status = ribbon_key_parse(&key, seeds[(size_t) i % n].type, text, size);
		CHECK(status == RIBBON_SUCCESS || status == RIBBON_ERROR_KEY,
			  "%d, %.*s", status, (int) size, text);
		free(text);
	}
}

int
main(void)
{
	ribbon_key key;

	check_hashes();
	check_names();
	check_numbers();
	check_numerics();
	check_bytes();
	check_networks();
	check_times();
	check_days();
	check_written();
	check_no_dates();
	check_intervals();
	check_json();
	check_views();
	check_kit();
	check_mutated();

	test("types that have no text, and those that there are not, are refused");
	CHECK(ribbon_key_parse(&key, 26, "()", 2) == RIBBON_ERROR_KEY_TYPE, "row");
	CHECK(ribbon_key_parse(&key, -1, "", 0) == RIBBON_ERROR_KEY_TYPE, "-1");
	return test_done();
}
