/*
 * Keys of libribbon: hashes, names, many at once.
 */
#include "parsed.h"

#include "keys/hashes.h"
#include "src/key/keys.h"

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
	CHECK(ribbon_key_type_named("bool") == RIBBON_KEY_BOOL &&
			  ribbon_key_type_named("char(n)") == RIBBON_KEY_CHAR,
		  "as the server has them");
	CHECK(ribbon_key_type_named("Pg_LSN") == RIBBON_KEY_LSN, "pg_lsn");
	CHECK(ribbon_key_type_named("no such") == -1, "none");
	CHECK(ribbon_key_type_named("real") == -1, "whose text is not its number");
	CHECK(ribbon_key_type_named("int\x18") == -1, "no digit");
	CHECK(ribbon_key_type_named("pg\x7flsn") == -1, "no underscore");
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

int
main(void)
{
	check_hashes();
	check_names();
	check_views();
	check_kit();
	return test_done();
}
