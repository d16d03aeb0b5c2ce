/*
 * Building and asking with libribbon: golden bytes, memory and files, values,
 * errors.
 */
#include "src/internal.h"

#include "../../test/unit/testing.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINE 70000

/* The bytes of a builder, and the filter that they are. */
typedef struct Made
{
	ribbon_status status;
	void *bytes;
	size_t size;
	ribbon_filter *filter;
} Made;

static ribbon_builder *
new_builder(int key_type, double fpr)
{
	ribbon_builder *builder = NULL;

	CHECK(ribbon_builder_new(&builder, key_type, fpr) == RIBBON_SUCCESS, "%s",
		  ribbon_error_text());
	return builder;
}

static Made
finish(ribbon_builder *builder)
{
	Made made = {0};

	made.status = ribbon_builder_finish(builder, &made.bytes, &made.size);
	if (made.status == RIBBON_SUCCESS)
		made.status = ribbon_filter_open_bytes(&made.filter, made.bytes,
											   made.size);
	ribbon_builder_free(builder);
	return made;
}

static void
drop(Made *made)
{
	ribbon_filter_close(made->filter);
	ribbon_bytes_free(made->bytes);
}

static bool
same(const Made *a, const Made *b)
{
	return a->status == RIBBON_SUCCESS && b->status == RIBBON_SUCCESS &&
		a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static uint64_t
golden_hash(size_t i, unsigned shift)
{
	return ribbon_mix(i + UINT64_C(0x60DE)) >> shift;
}

static size_t
read_hex(const char *hex, uint8_t *bytes)
{
	size_t n = strlen(hex) / 2;

	for (size_t i = 0; i < n; i++)
	{
		unsigned byte = 0;

		CHECK(sscanf(hex + 2 * i, "%2x", &byte) == 1, "hex");
		bytes[i] = (uint8_t) byte;
	}
	return n;
}

static void
check_golden_filters(void)
{
	FILE *file = fopen("test/golden/format_1.txt", "r");
	char *line = malloc(MAX_LINE);
	char *hex = malloc(MAX_LINE);
	uint8_t *bytes = malloc(MAX_LINE);
	char kind[20];
	int width, n = 0;
	size_t nkeys;
	unsigned shift;
	double fpr, shrunk_to;

	test("the golden filters are built again, byte for byte");
	while (file != NULL && fgets(line, MAX_LINE, file) != NULL &&
		   sscanf(line, "%19s %d %lf %zu %u %lf %s", kind, &width, &fpr, &nkeys,
				  &shift, &shrunk_to, hex) == 7)
	{
		ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, fpr);
		size_t nbytes = read_hex(hex, bytes);
		Made made;

		CHECK(ribbon_builder_set_kind(builder,
									  kind[0] == 'b' ?
										  RIBBON_KIND_BURR :
										  RIBBON_KIND_HOMOGENEOUS) == 0 &&
				  ribbon_builder_set_width(builder, width) == 0,
			  "options");
		for (size_t i = 0; i < nkeys; i++)
			CHECK(ribbon_builder_add(builder,
									 ribbon_key_hashed(RIBBON_KEY_INTEGER,
													   golden_hash(i, shift),
													   0)) == RIBBON_SUCCESS,
				  "key %zu", i);
		made = finish(builder);
		CHECK(made.status == RIBBON_SUCCESS, "%s", ribbon_error_text());
		if (shrunk_to > 0)
		{
			Made shrunk = {0};

			shrunk.status = ribbon_filter_shrink(made.filter, shrunk_to,
												 &shrunk.bytes, &shrunk.size);
			drop(&made);
			made = shrunk;
		}
		CHECK(made.size == nbytes && memcmp(made.bytes, bytes, nbytes) == 0,
			  "line %d", n + 1);
		drop(&made);
		n++;
	}
	CHECK(n > 20, "%d lines", n);
	if (file != NULL)
		fclose(file);
	free(line);
	free(hex);
	free(bytes);
}

/* Integers step, 2 step ... in a random order, with this memory. */
static Made
build_integers(size_t n, int64_t step, uint64_t memory, unsigned threads)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	int64_t *numbers = malloc(n * sizeof(int64_t));
	ribbon_keys *keys = ribbon_keys_int64(numbers, n);
	Random random = {memory};

	for (size_t i = 0; i < n; i++)
		numbers[i] = (int64_t) (i + 1) * step;
	for (size_t i = n; i > 1; i--)
	{
		size_t other = (size_t) random_below(&random, i);
		int64_t swapped = numbers[i - 1];

		numbers[i - 1] = numbers[other];
		numbers[other] = swapped;
	}
	CHECK(ribbon_builder_set_memory(builder, memory) == 0 &&
			  ribbon_builder_set_threads(builder, threads) == 0,
		  "options");
	CHECK(ribbon_builder_add_keys(builder, keys) == RIBBON_SUCCESS, "%s",
		  ribbon_error_text());
	CHECK(ribbon_builder_count(builder) == n, "count");
	ribbon_keys_free(keys);
	free(numbers);
	return finish(builder);
}

static void
check_memory(void)
{
	size_t n = 1500000;
	Made large = build_integers(n, 3, UINT64_C(1) << 30, 1);
	Made small = build_integers(n, 3, 16 << 20, 3);
	bool *answers = malloc(n * sizeof(bool));
	int64_t *numbers = malloc(n * sizeof(int64_t));
	ribbon_keys *keys = ribbon_keys_int64(numbers, n);
	size_t members = 0;

	test("keys in files give the same bytes as keys in memory");
	CHECK(same(&large, &small), "%zu and %zu bytes", large.size, small.size);
	CHECK(ribbon_filter_count(small.filter) == n, "count");
	CHECK(ribbon_filter_check(small.filter) == RIBBON_SUCCESS, "check");
	for (size_t i = 0; i < n; i++)
		numbers[i] = (int64_t) (i + 1) * 3;
	CHECK(ribbon_filter_contains_keys(small.filter, keys, answers) == 0, "ask");
	for (size_t i = 0; i < n; i++)
		CHECK(answers[i], "%zu is missing", i);
	for (size_t i = 0; i < n; i++)
		numbers[i]--;
	CHECK(ribbon_filter_contains_keys(small.filter, keys, answers) == 0, "ask");
	for (size_t i = 0; i < n; i++)
		members += answers[i];
	CHECK(members > n * 0.008 && members < n * 0.012, "%zu of %zu", members, n);
	ribbon_keys_free(keys);
	free(numbers);
	free(answers);
	drop(&large);
	drop(&small);
}

static void
check_hostile(void)
{
	size_t n = 1300000;

	test("hashes that begin alike, and duplicates, fit into memory, too");
	for (int shape = 0; shape < 2; shape++)
	{
		Made made[2];

		for (int i = 0; i < 2; i++)
		{
			ribbon_builder *builder = new_builder(RIBBON_KEY_ANY, 0.1);

			CHECK(ribbon_builder_set_memory(builder,
											i == 0 ? 16 << 20 : 1 << 30) == 0,
				  "memory");
			for (size_t j = 0; j < n; j++)
			{
				uint64_t hash = ribbon_mix(j);

				hash = shape == 0 ? UINT64_C(0x7777) << 48 | hash >> 20 :
									hash % 1000;
				CHECK(ribbon_builder_add(builder,
										 ribbon_key_hashed(RIBBON_KEY_INTEGER,
														   hash, 0)) == 0,
					  "%s", ribbon_error_text());
			}
			made[i] = finish(builder);
			CHECK(made[i].status == RIBBON_SUCCESS, "%s", ribbon_error_text());
		}
		CHECK(same(&made[0], &made[1]), "shape %d", shape);
		drop(&made[0]);
		drop(&made[1]);
	}
}

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

/* The map of docs/format.md, section 8. */
static void
check_worked_example(void)
{
	static const uint8_t expected[] = {0x11, 0x81, 0x0c, 0x05, 0x04, 0x06, 0x1e,
									   0x00, 0x00, 0xc0, 0x20, 0x82, 0x04};
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 1);
	Made made;

	test("the worked example of format.md");
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
	drop(&made);
}

static void
check_value_errors(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	char many[20];
	ribbon_status status = RIBBON_SUCCESS;
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
	ribbon_builder_free(builder);

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
check_options(void)
{
	ribbon_builder *builder = NULL;
	ribbon_keys *none;
	Made made;

	test("options are held to what there is");
	CHECK(ribbon_builder_new(&builder, 99, 0.1) == RIBBON_ERROR_KEY_TYPE, "99");
	CHECK(ribbon_builder_new(&builder, 1, 0.6) == RIBBON_ERROR_FPR, "0.6");
	CHECK(ribbon_builder_new(&builder, 1, NAN) == RIBBON_ERROR_FPR, "NaN");
	builder = new_builder(RIBBON_KEY_ANY, 0.1);
	CHECK(ribbon_builder_set_width(builder, 65) == RIBBON_ERROR_OPTION, "65");
	CHECK(ribbon_builder_set_kind(builder, (ribbon_kind) 77) ==
			  RIBBON_ERROR_OPTION,
		  "kind");
	CHECK(ribbon_builder_set_memory(builder, 1) == RIBBON_ERROR_OPTION, "1");
	CHECK(ribbon_builder_set_threads(builder, 65) == RIBBON_ERROR_OPTION, "65");
	none = ribbon_keys_hashed(NULL, 0);
	CHECK(ribbon_builder_add_keys(builder, none) == 0, "no keys have no type");
	ribbon_keys_free(none);
	CHECK(ribbon_builder_add(builder, ribbon_key_text("a", 1)) == 0, "text");
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) ==
			  RIBBON_ERROR_KEY_TYPE,
		  "another type: %s", ribbon_error_text());
	CHECK(ribbon_builder_set_width(builder, 64) == RIBBON_ERROR_OPTION, "late");
	made = finish(builder);
	CHECK(ribbon_filter_key_type(made.filter) == RIBBON_KEY_TEXT, "type");
	CHECK(ribbon_filter_contains(made.filter, ribbon_key_int64(1)) ==
			  RIBBON_ERROR_KEY_TYPE,
		  "asked with another type");
	CHECK(ribbon_filter_contains_text(made.filter, "a", 1) == 1, "a");
	drop(&made);

	builder = new_builder(RIBBON_KEY_INTEGER, 1);
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) == RIBBON_ERROR_FPR,
		  "rate 1 of a filter");
	ribbon_builder_free(builder);
	builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64) == 0 &&
			  ribbon_builder_set_kind(builder, RIBBON_KIND_HOMOGENEOUS) == 0,
		  "options");
	CHECK(ribbon_builder_finish(builder, &made.bytes, &made.size) ==
			  RIBBON_ERROR_OPTION,
		  "a homogeneous map");
	ribbon_builder_free(builder);
	ribbon_builder_free(NULL);
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

static bool
cancel_at(void *arg, double share)
{
	return share >= *(double *) arg;
}

static void
check_cancel(void)
{
	test("a callback ends a build, in memory and in files");
	for (int i = 0; i < 6; i++)
	{
		double at = i / 3 * 0.5 + 0.1;
		ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
		ribbon_status status = RIBBON_SUCCESS;
		Made made;

		CHECK(ribbon_builder_set_progress(builder, cancel_at, &at) == 0 &&
				  ribbon_builder_set_memory(builder, 16 << 20) == 0,
			  "options");
		for (int64_t j = 0;
			 j < (i % 3 == 0 ? 100000 : 1200000) && status == RIBBON_SUCCESS;
			 j++)
			status = ribbon_builder_add(builder, ribbon_key_int64(j));
		made = finish(builder);
		CHECK(made.status == RIBBON_ERROR_CANCELLED, "%d: %d", i, made.status);
	}
}

static void
check_files(void)
{
	Made made = build_integers(1000, 1, 16 << 20, 1);
	char path[] = "/tmp/ribbon.XXXXXX";
	int fd = mkstemp(path);
	ribbon_filter *filter = NULL;
	ribbon_builder *builder;
	ribbon_status status = RIBBON_SUCCESS;
	size_t size;

	test("files are mapped; what cannot be is an error with its reason");
	CHECK(fd >= 0 && write(fd, made.bytes, made.size) == (ssize_t) made.size,
		  "write");
	close(fd);
	CHECK(ribbon_filter_open_file(&filter, path) == RIBBON_SUCCESS, "%s",
		  ribbon_error_text());
	CHECK(ribbon_filter_contains(filter, ribbon_key_int64(1000)) == 1, "1000");
	CHECK(memcmp(ribbon_filter_bytes(filter, &size), made.bytes, made.size) ==
				  0 &&
			  size == made.size,
		  "bytes");
	ribbon_filter_close(filter);
	CHECK(truncate(path, (off_t) made.size - 1) == 0, "truncate");
	CHECK(ribbon_filter_open_file(&filter, path) == RIBBON_ERROR_TRUNCATED &&
			  strstr(ribbon_error_text(), path) != NULL,
		  "%s", ribbon_error_text());
	CHECK(truncate(path, 0) == 0, "truncate");
	CHECK(ribbon_filter_open_file(&filter, path) == RIBBON_ERROR_TRUNCATED,
		  "empty: %s", ribbon_error_text());
	unlink(path);
	CHECK(ribbon_filter_open_file(&filter, path) == RIBBON_ERROR_FILE &&
			  errno == ENOENT && strstr(ribbon_error_text(), path) != NULL,
		  "%s", ribbon_error_text());
	CHECK(ribbon_filter_open_file(&filter, "/tmp") == RIBBON_ERROR_FILE,
		  "a directory");
	CHECK(ribbon_filter_open_file(&filter, "/dev/null") == RIBBON_ERROR_FILE,
		  "a device");
	CHECK(mkfifo(path, 0600) == 0, "mkfifo");
	CHECK(ribbon_filter_open_file(&filter, path) == RIBBON_ERROR_FILE,
		  "a pipe that nobody writes to");
	unlink(path);
	drop(&made);

	builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	CHECK(ribbon_builder_set_directory(builder, "/no such directory") == 0 &&
			  ribbon_builder_set_memory(builder, 16 << 20) == 0,
		  "options");
	for (int64_t i = 0; i < 2000000 && status == RIBBON_SUCCESS; i++)
		status = ribbon_builder_add(builder, ribbon_key_int64(i));
	CHECK(status == RIBBON_ERROR_FILE &&
			  strstr(ribbon_error_text(), "/no such directory") != NULL,
		  "%d: %s", status, ribbon_error_text());
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) ==
				  RIBBON_ERROR_FILE &&
			  ribbon_builder_finish(builder, &made.bytes, &made.size) ==
				  RIBBON_ERROR_FILE,
		  "a set without some of its keys is built: %s", ribbon_error_text());
	ribbon_builder_free(builder);
}

/* Each cut, and many changed bytes, of a filter and of a map. */
static void
check_bad_bytes(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_TEXT, 0.01);
	Random random = {7};
	Made made;
	int opened = 0;

	test("bad bytes are refused, or give any answer, without harm");
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_TEXT) == 0, "map");
	for (int i = 0; i < 500; i++)
	{
		char key[20];
		size_t nkey = (size_t) snprintf(key, sizeof(key), "%d", i);

		CHECK(ribbon_builder_add_text_value(builder, ribbon_key_text(key, nkey),
											key, nkey / 2 + 1) == 0,
			  "%s", ribbon_error_text());
	}
	made = finish(builder);
	for (size_t n = 0; n < made.size + 60000; n++)
	{
		size_t size = n < made.size ? n : made.size;
		uint8_t *bytes = malloc(size > 0 ? size : 1);
		ribbon_filter *filter = NULL;
		const char *text;
		size_t ntext;

		memcpy(bytes, made.bytes, size);
		for (int i = 0; n >= made.size && i < 1 + (int) (n % 4); i++)
			bytes[random_below(&random, i % 2 == 0 ? 60 : size)] =
				(uint8_t) random_next(&random);
		if (ribbon_filter_open_bytes(&filter, bytes, size) == RIBBON_SUCCESS)
		{
			opened++;
			CHECK(n >= made.size, "cut to %zu", n);
			(void) ribbon_filter_contains_text(filter, "12", 2);
			if (ribbon_filter_get_text(filter, ribbon_key_text("12", 2), &text,
									   &ntext) == RIBBON_FOUND_VALUE)
				CHECK(ntext <= size &&
						  ribbon_hash_bytes(ntext > 0 ? text : "", ntext) != 1,
					  "text");
			(void) ribbon_filter_check(filter);
			(void) ribbon_filter_stat(filter, RIBBON_STAT_SLOTS);
			ribbon_filter_close(filter);
		}
		free(bytes);
	}
	CHECK(opened > 300, "%d were opened", opened);
	drop(&made);
}

static void
check_sizes(void)
{
	Made empty = finish(new_builder(RIBBON_KEY_UUID, 0.01));
	void *bytes;
	size_t size;

	test("an empty filter says no; sizes are as expected");
	CHECK(empty.status == RIBBON_SUCCESS && empty.size == 5 &&
			  ribbon_filter_contains(empty.filter,
									 ribbon_key_uuid((const uint8_t[16]){0})) ==
				  0 &&
			  ribbon_filter_fpr(empty.filter) == 0,
		  "empty");
	CHECK(ribbon_expected_size(1000000, 0.01) > 835000 &&
			  ribbon_expected_size(1000000, 0.01) < 850000,
		  "expected");
	CHECK(ribbon_expected_size(10, 7) == 0, "no rate");
	CHECK(ribbon_filter_shrink(empty.filter, 0, &bytes, &size) ==
			  RIBBON_ERROR_FPR,
		  "shrink to 0");
	drop(&empty);
	CHECK(ribbon_library_version() == LIBRIBBON_VERSION, "version");
}

int
main(void)
{
	check_golden_filters();
	check_worked_example();
	check_memory();
	check_hostile();
	check_maps_in_files();
	check_numbers();
	check_texts();
	check_value_errors();
	check_options();
	check_exact();
	check_exact_collisions();
	check_cancel();
	check_files();
	check_bad_bytes();
	check_sizes();
	return test_done();
}
