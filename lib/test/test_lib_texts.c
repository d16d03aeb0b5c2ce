/*
 * Keys of libribbon from texts as PostgreSQL writes them; test_lib_times.c has
 * those that are times.
 */
#include "parsed.h"

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

static void
check_types(void)
{
	ribbon_key key;

	test("types that have no text, and those that there are not, are refused");
	CHECK(ribbon_key_parse(&key, 26, "()", 2) == RIBBON_ERROR_KEY_TYPE, "row");
	CHECK(ribbon_key_parse(&key, -1, "", 0) == RIBBON_ERROR_KEY_TYPE, "-1");
}

static void
check_shown(void)
{
	char text[62];
	char shown[64];
	ribbon_key key;

	test("a message shows 60 bytes of a text, or 57 of a longer one");
	(void) memset(text, 'x', sizeof(text));
	for (size_t size = 59; size < 62; size++)
	{
		(void) snprintf(shown, sizeof(shown), "\"%.*s%s\"",
						(int) (size <= 60 ? size : 57), text,
						size <= 60 ? "" : "...");
		CHECK(ribbon_key_parse(&key, RIBBON_KEY_INTEGER, text, size) ==
					  RIBBON_ERROR_KEY &&
				  strstr(ribbon_error_text(), shown) != NULL,
			  "%zu: %s", size, ribbon_error_text());
	}
}

int
main(void)
{
	check_numbers();
	check_numerics();
	check_bytes();
	check_networks();
	check_json();
	check_mutated();
	check_types();
	check_shown();
	return test_done();
}
