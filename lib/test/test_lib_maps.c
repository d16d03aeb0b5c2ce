/*
 * Building and asking maps and exact sets with libribbon: values, NULL, files,
 * errors.
 */
#include "made.h"
#include "values/range.h"

static void
check_maps_in_files(void)
{
	size_t n = 700000;
	Made made[2];

	test("maps in files give the same bytes as maps in memory");
	for (int m = 0; m < 2; m++)
	{
		ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);

		CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT32) == 0 &&
				  ribbon_builder_set_seed(builder, 9) == 0 &&
				  ribbon_builder_set_memory(builder,
											m == 0 ? 16 << 20 : 1 << 30) == 0,
			  "options");
		for (size_t i = 0; i < n; i++)
			CHECK(ribbon_builder_add_int64_value(builder,
												 ribbon_key_int64((int64_t) i),
												 (int64_t) (i % 1000) - 500) ==
					  0,
				  "%s", ribbon_error_text());
		made[m] = finish(builder);
	}
	CHECK(same(&made[0], &made[1]), "%s", ribbon_error_text());
	for (size_t i = 0; i < n; i += 7)
	{
		int64_t value = 0;

		CHECK(ribbon_filter_get_int64(made[0].filter,
									  ribbon_key_int64((int64_t) i),
									  &value) == RIBBON_FOUND_VALUE &&
				  value == (int64_t) (i % 1000) - 500,
			  "key %zu", i);
	}
	drop(&made[0]);
	drop(&made[1]);

	{
		ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);

		CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT32) == 0 &&
				  ribbon_builder_set_memory(builder, 16 << 20) == 0,
			  "options");
		for (size_t i = 0; i < n; i++)
			CHECK(ribbon_builder_add_int64_value(builder,
												 ribbon_key_int64((int64_t) i %
																  699999),
												 i == 0 ? 5 : 6) == 0,
				  "%s", ribbon_error_text());
		made[0] = finish(builder);
		CHECK(made[0].status == RIBBON_ERROR_CONFLICT &&
				  strstr(ribbon_error_text(), "5 and 6") != NULL,
			  "%d, %s", made[0].status, ribbon_error_text());
	}
}

static void
check_numbers(void)
{
	static const int64_t values[] = {-5, 0, 7, 0, 12};
	static const bool nulls[] = {false, true, false, false, false};
	static const int64_t numbers[] = {1, 2, 3, 4, 5};
	ribbon_keys *keys = ribbon_keys_int64(numbers, 5);
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 1);
	uint8_t found[5];
	int64_t got[5];
	const char *text;
	size_t size;
	char name[20];
	Made made;

	test("a map of numbers gives its values, and NULL");
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64) == 0 &&
			  ribbon_builder_add_int64_values(builder, keys, values, nulls) ==
				  0,
		  "%s", ribbon_error_text());
	made = finish(builder);
	CHECK(made.status == RIBBON_SUCCESS, "%s", ribbon_error_text());
	CHECK(ribbon_filter_get_int64s(made.filter, keys, found, got) == 0, "get");
	for (int i = 0; i < 5; i++)
		CHECK(found[i] == (nulls[i] ? RIBBON_FOUND_NULL : RIBBON_FOUND_VALUE) &&
				  (nulls[i] || got[i] == values[i]),
			  "key %d: %d", i, found[i]);
	CHECK(ribbon_filter_get_text(made.filter, ribbon_key_int64(1), &text,
								 &size) == RIBBON_ERROR_VALUE_TYPE,
		  "text");
	CHECK(ribbon_filter_contains(made.filter, ribbon_key_int64(2)) == 1, "2");
	CHECK(ribbon_filter_is_map(made.filter) &&
			  ribbon_filter_value_type(made.filter) == RIBBON_VALUE_INT64 &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_VALUE_BITS) == 5 &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_DISTINCT_VALUES) ==
				  -1 &&
			  ribbon_filter_value_type_name(made.filter, name, sizeof(name)) ==
				  6 &&
			  strcmp(name, "bigint") == 0,
		  "stats");
	CHECK(ribbon_filter_fpr(made.filter) == 1, "fpr");
	drop(&made);
	ribbon_keys_free(keys);
}

/* Texts, and NULLs, from an array; what else there is of such a map. */
static void
check_many_texts(void)
{
	static const char *const texts[] = {"one", "two", "one", "xyz"};
	static const size_t sizes[] = {3, 3, 3, 1};
	static const bool nulls[] = {false, false, true, false};
	static const int64_t numbers[] = {1, 2, 3, 4};
	ribbon_keys *keys = ribbon_keys_int64(numbers, 4);
	ribbon_keys *oids = ribbon_keys_fixed(RIBBON_KEY_OID, numbers, 4, 1);

	test("a map of texts is built from arrays, with sizes or without");
	for (int sized = 0; sized < 2; sized++)
	{
		ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 1);
		const char *got[4];
		size_t ngot[4];
		uint8_t found[4];
		bool answers[4];
		int64_t number;
		Made made;

		CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_TEXT) == 0 &&
				  ribbon_builder_add_int64_values(builder, keys, numbers,
												  NULL) ==
					  RIBBON_ERROR_VALUE_TYPE &&
				  ribbon_builder_add_text_values(builder, oids, texts, NULL,
												 NULL) ==
					  RIBBON_ERROR_KEY_TYPE &&
				  ribbon_builder_add_text_values(builder, keys, texts,
												 sized == 1 ? sizes : NULL,
												 nulls) == 0,
			  "%s", ribbon_error_text());
		made = finish(builder);
		CHECK(ribbon_filter_get_texts(made.filter, keys, found, got, ngot) ==
					  0 &&
				  ribbon_filter_contains_keys(made.filter, keys, answers) == 0,
			  "%s", ribbon_error_text());
		for (int i = 0; i < 4; i++)
			CHECK(answers[i] &&
					  (nulls[i] ? found[i] == RIBBON_FOUND_NULL :
								  found[i] == RIBBON_FOUND_VALUE &&
							   ngot[i] == (sized == 1 ? sizes[i] : 3) &&
							   memcmp(got[i], texts[i], ngot[i]) == 0),
				  "%d, key %d", sized, i);
		CHECK(ribbon_filter_get_texts(made.filter, oids, found, got, ngot) ==
					  RIBBON_ERROR_KEY_TYPE &&
				  ribbon_filter_get_int64s(made.filter, keys, found, &number) ==
					  RIBBON_ERROR_VALUE_TYPE &&
				  ribbon_filter_stat(made.filter, RIBBON_STAT_DICTIONARY) > 0,
			  "%s", ribbon_error_text());
		drop(&made);
	}
	ribbon_keys_free(keys);
	ribbon_keys_free(oids);
}

/* Codes by frequency: what is told of them. */
static Made
make_coded(ribbon_code code)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 1);

	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_DATE) == 0 &&
			  ribbon_builder_set_code(builder, code) == 0,
		  "options");
	for (int64_t i = 0; i < 2000; i++)
		CHECK(ribbon_builder_add_int64_value(builder, ribbon_key_int64(i),
											 i % 50 == 0 ? i : 7) == 0,
			  "%s", ribbon_error_text());
	return finish(builder);
}

static void
check_coded(void)
{
	Made plain = make_coded(RIBBON_VALUES_PLAIN);
	Made made = make_coded(RIBBON_VALUES_ENTROPY);
	int64_t number = 0;
	char text[48];

	test("a map with codes by frequency tells what they take");
	CHECK(ribbon_filter_get_int64(made.filter, ribbon_key_int64(50), &number) ==
				  RIBBON_FOUND_VALUE &&
			  number == 50,
		  "50");
	CHECK(ribbon_filter_stat(plain.filter, RIBBON_STAT_CODE) ==
				  RIBBON_VALUES_PLAIN &&
			  plain.size > 2 * made.size,
		  "%zu bytes, plain %zu", made.size, plain.size);
	CHECK(ribbon_filter_stat(made.filter, RIBBON_STAT_CODE) ==
				  RIBBON_VALUES_ENTROPY &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_DISTINCT_VALUES) ==
				  41 &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_TABLE) > 40 &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_CODE_BITS) > 400 &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_CODE_BITS) < 600 &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_DICTIONARY) == 0 &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_SEED) == 0 &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_RATED) == -1 &&
			  ribbon_filter_stat(made.filter, (ribbon_stat) 99) == -1,
		  "stats");
	CHECK(ribbon_value_parse(&number, RIBBON_VALUE_TEXT, "1", 1) ==
				  RIBBON_ERROR_VALUE_TYPE &&
			  ribbon_value_parse(&number, RIBBON_VALUE_INT16, "32768", 5) !=
				  RIBBON_SUCCESS &&
			  ribbon_value_format(3, RIBBON_VALUE_INT16, text, sizeof(text)) ==
				  1,
		  "texts of numbers");
	drop(&plain);
	drop(&made);
}

/* The map of docs/format_examples.md. */
static void
check_worked_example(void)
{
	static const uint8_t expected[] = {0x11, 0x81, 0x0c, 0x05, 0x04, 0x06, 0x1e,
									   0x00, 0x00, 0xe0, 0x65, 0x9d, 0x2b};
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 1);
	Made made;

	test("the map of the format by examples");
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64) == 0, "map");
	for (int64_t i = 1; i <= 5; i++)
		CHECK(ribbon_builder_add_int64_value(builder, ribbon_key_int64(i),
											 i * 10 + 5) == 0,
			  "add");
	made = finish(builder);
	CHECK(made.size == sizeof(expected) &&
			  memcmp(made.bytes, expected, made.size) == 0,
		  "%zu bytes", made.size);
	drop(&made);
}

static void
check_texts(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_TEXT, 0.0001);
	const char *text;
	size_t size;
	int64_t number;
	char name[600];
	Made made;
	uint8_t *bytes;
	size_t at;

	test("a map of texts gives its values, and NULL");
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_TEXT) == 0, "map");
	for (int i = 0; i < 3000; i++)
	{
		char key[20], value[20];
		size_t nkey = (size_t) snprintf(key, sizeof(key), "key %d", i);
		size_t nvalue = (size_t) snprintf(value, sizeof(value), "%x", i / 3);

		CHECK((i % 100 == 5 ?
				   ribbon_builder_add_null_value(builder,
												 ribbon_key_text(key, nkey)) :
				   ribbon_builder_add_text_value(builder,
												 ribbon_key_text(key, nkey),
												 value, nvalue)) ==
				  RIBBON_SUCCESS,
			  "%s", ribbon_error_text());
	}
	made = finish(builder);
	bytes = made.bytes;
	CHECK(made.status == RIBBON_SUCCESS, "%s", ribbon_error_text());
	for (int i = 0; i < 3000; i++)
	{
		char key[20], value[20];
		size_t nkey = (size_t) snprintf(key, sizeof(key), "key %d", i);
		size_t nvalue = (size_t) snprintf(value, sizeof(value), "%x", i / 3);
		int found = ribbon_filter_get_text(made.filter,
										   ribbon_key_text(key, nkey), &text,
										   &size);

		CHECK(i % 100 == 5 ? found == RIBBON_FOUND_NULL :
							 found == RIBBON_FOUND_VALUE && size == nvalue &&
					  memcmp(text, value, size) == 0,
			  "key %d: %d", i, found);
	}
	CHECK(ribbon_filter_stat(made.filter, RIBBON_STAT_DISTINCT_VALUES) == 1000,
		  "distinct");
	CHECK(ribbon_filter_value_type_name(made.filter, name, sizeof(name)) == 4 &&
			  strcmp(name, "text") == 0,
		  "name");
	CHECK(ribbon_filter_check(made.filter) == RIBBON_SUCCESS, "check");
	CHECK(ribbon_filter_get_int64(made.filter, ribbon_key_text("key 1", 5),
								  &number) == RIBBON_ERROR_VALUE_TYPE,
		  "number");
	CHECK(ribbon_filter_shrink(made.filter, 0.1, &made.bytes, &size) ==
			  RIBBON_ERROR_NOT_A_FILTER,
		  "shrink");

	/* the last texts of the dictionary, one no more in UTF-8 */
	for (at = 0; at + 6 < made.size && memcmp(bytes + at, "fdfeff", 6) != 0;)
		at++;
	bytes[at] = 0xFF;
	CHECK(ribbon_filter_check(made.filter) == RIBBON_ERROR_CORRUPT, "%zu: %s",
		  at, ribbon_error_text());
	drop(&made);
}

static void
check_value_errors(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	char many[20];
	ribbon_status status = RIBBON_SUCCESS;
	int64_t number;
	const char *text;
	size_t size;
	Made made;

	test("values out of range are refused");
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT16) == 0, "map");
	CHECK(ribbon_builder_add_int64_value(builder, ribbon_key_int64(1), 32768) ==
			  RIBBON_ERROR_VALUE_RANGE,
		  "int16");
	CHECK(ribbon_builder_add_text_value(builder, ribbon_key_int64(1), "a", 1) ==
			  RIBBON_ERROR_VALUE_TYPE,
		  "text");
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) ==
			  RIBBON_ERROR_OPTION,
		  "no value");
	ribbon_builder_free(builder);

	builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	CHECK(ribbon_builder_add_int64_value(builder, ribbon_key_int64(1), 1) ==
			  RIBBON_ERROR_NOT_A_MAP,
		  "a filter");
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) == 0, "a key");
	made = finish(builder);
	CHECK(ribbon_filter_get_int64(made.filter, ribbon_key_int64(1), &number) ==
				  RIBBON_ERROR_NOT_A_MAP &&
			  ribbon_filter_get_text(made.filter, ribbon_key_int64(1), &text,
									 &size) == RIBBON_ERROR_NOT_A_MAP,
		  "of a filter");
	for (int stat = RIBBON_STAT_VALUE_BITS; stat <= RIBBON_STAT_RATED; stat++)
		CHECK(ribbon_filter_stat(made.filter, (ribbon_stat) stat) == -1,
			  "what a filter does not have: %d", stat);
	drop(&made);

	builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64) == 0 &&
			  ribbon_builder_add_int64_value(builder, ribbon_key_int64(1),
											 INT64_MIN) == 0 &&
			  ribbon_builder_add_int64_value(builder, ribbon_key_int64(2),
											 INT64_MAX) == 0 &&
			  ribbon_builder_add_null_value(builder, ribbon_key_int64(3)) == 0,
		  "add");
	made = finish(builder);
	CHECK(made.status == RIBBON_ERROR_VALUE_RANGE, "%d", made.status);

	/* the word that stands for NULL is a number, too */
	for (int null = 0; null < 2; null++)
	{
		builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
		CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64) == 0 &&
				  ribbon_builder_add_int64_value(builder, ribbon_key_int64(1),
												 (int64_t) RIBBON_NULL_WORD) ==
					  0 &&
				  (null == 0 ||
				   ribbon_builder_add_null_value(builder,
												 ribbon_key_int64(2)) == 0),
			  "add");
		made = finish(builder);
		CHECK(made.status ==
				  (null == 0 ? RIBBON_SUCCESS : RIBBON_ERROR_VALUE_RANGE),
			  "%d: %d", null, made.status);
		if (null == 0)
			drop(&made);
	}
	builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64) == 0 &&
			  ribbon_builder_add_int64_value(builder, ribbon_key_int64(1), 9) ==
				  0 &&
			  ribbon_builder_add_null_value(builder, ribbon_key_int64(1)) == 0,
		  "add");
	made = finish(builder);
	CHECK(made.status == RIBBON_ERROR_CONFLICT &&
			  strstr(ribbon_error_text(), "9 and NULL") != NULL,
		  "%s", ribbon_error_text());

	builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_TEXT) == 0, "map");
	CHECK(ribbon_builder_add_text_value(builder, ribbon_key_int64(1), "\300",
										1) == RIBBON_ERROR_VALUE_RANGE,
		  "not UTF-8");
	CHECK(ribbon_builder_add_text_value(builder, ribbon_key_int64(1), "a\0b",
										3) == RIBBON_ERROR_VALUE_RANGE,
		  "a zero byte");
	for (int i = 0; i <= 65536 && status == RIBBON_SUCCESS; i++)
		status =
			ribbon_builder_add_text_value(builder, ribbon_key_int64(i), many,
										  (size_t) snprintf(many, sizeof(many),
															"%d", i));
	CHECK(status == RIBBON_ERROR_VALUE_RANGE, "%d", status);
	ribbon_builder_free(builder);
}

static void
check_exact(void)
{
	size_t n = 700000;
	Made made[2];
	int64_t as_of = 0;

	test("an exact set is right about all keys that it was told");
	for (int m = 0; m < 2; m++)
	{
		ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.5);

		CHECK(ribbon_builder_set_kind(builder, RIBBON_KIND_EXACT) == 0 &&
				  ribbon_builder_set_as_of(builder, 77) == 0 &&
				  ribbon_builder_set_memory(builder,
											m == 0 ? 16 << 20 : 1 << 30) == 0,
			  "options");
		CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) ==
				  RIBBON_ERROR_OPTION,
			  "a key alone");
		for (size_t i = 0; i < n; i++)
			CHECK(ribbon_builder_add_member(builder,
											ribbon_key_int64((int64_t) i),
											i % 10 == 3) == 0,
				  "%s", ribbon_error_text());
		made[m] = finish(builder);
		CHECK(made[m].status == RIBBON_SUCCESS, "%s", ribbon_error_text());
	}
	CHECK(same(&made[0], &made[1]), "in files and in memory");
	for (size_t i = 0; i < n; i++)
		CHECK(ribbon_filter_contains(made[0].filter,
									 ribbon_key_int64((int64_t) i)) ==
				  (i % 10 == 3),
			  "key %zu", i);
	CHECK(ribbon_filter_kind(made[0].filter) == RIBBON_KIND_EXACT &&
			  ribbon_filter_stat(made[0].filter, RIBBON_STAT_UNIVERSE) ==
				  (int64_t) n &&
			  ribbon_filter_count(made[0].filter) == n / 10 &&
			  ribbon_filter_as_of(made[0].filter, &as_of) && as_of == 77,
		  "stats");
	CHECK(ribbon_filter_member(made[0].filter, ribbon_key_int64(3), 77) == 1 &&
			  ribbon_filter_member(made[0].filter, ribbon_key_int64(4), 77) ==
				  0 &&
			  ribbon_filter_member(made[0].filter, ribbon_key_int64(3), 78) ==
				  RIBBON_FOUND_NULL,
		  "by time");
	CHECK(ribbon_filter_shrink(made[0].filter, 0.5, &made[0].bytes,
							   &made[0].size) == RIBBON_ERROR_IS_EXACT,
		  "shrink");
	drop(&made[0]);
	drop(&made[1]);
}

static void
check_exact_collisions(void)
{
	static const bool members[] = {true, false, true};
	ribbon_key keys[3] = {ribbon_key_hashed(1, 5, 8),
						  ribbon_key_hashed(1, 5, 16),
						  ribbon_key_hashed(1, 7, 8)};
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.5);
	ribbon_keys *view = ribbon_keys_hashed(keys, 3);
	Made made;

	test("keys of one hash are told apart; a key on both sides is an error");
	CHECK(ribbon_builder_set_kind(builder, RIBBON_KIND_EXACT) == 0 &&
			  ribbon_builder_add_members(builder, view, members) == 0,
		  "%s", ribbon_error_text());
	made = finish(builder);
	CHECK(made.status == RIBBON_SUCCESS &&
			  ribbon_filter_stat(made.filter, RIBBON_STAT_SEED) > 0,
		  "%s", ribbon_error_text());
	for (int i = 0; i < 3; i++)
		CHECK(ribbon_filter_contains(made.filter, keys[i]) == members[i], "%d",
			  i);
	drop(&made);

	builder = new_builder(RIBBON_KEY_INTEGER, 0.5);
	CHECK(ribbon_builder_set_kind(builder, RIBBON_KIND_EXACT) == 0 &&
			  ribbon_builder_add_members(builder, view, members) == 0 &&
			  ribbon_builder_add_member(builder, keys[2], false) == 0,
		  "%s", ribbon_error_text());
	made = finish(builder);
	CHECK(made.status == RIBBON_ERROR_CONFLICT, "%d", made.status);
	ribbon_keys_free(view);

	builder = new_builder(RIBBON_KEY_INTEGER, 0.5);
	CHECK(ribbon_builder_add_member(builder, keys[0], true) ==
			  RIBBON_ERROR_NOT_EXACT,
		  "of a filter");
	ribbon_builder_free(builder);
}

int
main(void)
{
	check_worked_example();
	check_maps_in_files();
	check_numbers();
	check_many_texts();
	check_coded();
	check_texts();
	check_value_errors();
	check_exact();
	check_exact_collisions();
	return test_done();
}
