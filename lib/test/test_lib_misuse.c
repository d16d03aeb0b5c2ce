/* ribbon.h: what a program may do that has not read how it is done */
#define _XOPEN_SOURCE 700 /* putenv */
#include "made.h"
#include "src/builder/builder.h"
#include "src/key/keys.h"

#include <math.h>
#include <pthread.h>

static void
test_no_view(void)
{
	ribbon_builder *filter = new_builder(RIBBON_KEY_INTEGER, 0.01);
	ribbon_builder *map = new_builder(RIBBON_KEY_INTEGER, 0.01);
	ribbon_builder *exact = new_builder(RIBBON_KEY_INTEGER, 0.01);
	bool answers[1] = {true};
	uint8_t found[1];
	int64_t numbers[1] = {1};
	const char *texts[1] = {"a"};
	size_t sizes[1] = {1};
	size_t at = 5;
	Made made;

	test("a view of keys that there was no memory for is refused");
	CHECK(ribbon_builder_set_values(map, RIBBON_VALUE_INT64) ==
				  RIBBON_SUCCESS &&
			  ribbon_builder_set_kind(exact, RIBBON_KIND_EXACT) ==
				  RIBBON_SUCCESS,
		  "options");
	CHECK(ribbon_builder_add_keys(filter, NULL) == RIBBON_ERROR_MEMORY, "add");
	CHECK(ribbon_builder_add_members(exact, NULL, answers) ==
			  RIBBON_ERROR_MEMORY,
		  "members");
	CHECK(ribbon_builder_add_int64_values(map, NULL, numbers, NULL) ==
			  RIBBON_ERROR_MEMORY,
		  "numbers");
	CHECK(ribbon_builder_add_text_values(map, NULL, texts, sizes, NULL) ==
			  RIBBON_ERROR_MEMORY,
		  "texts");
	CHECK(ribbon_builder_find_conflict(map, NULL, &at) == RIBBON_ERROR_MEMORY &&
			  at == 5,
		  "conflict");
	made = finish(filter);
	CHECK(ribbon_filter_contains_keys(made.filter, NULL, answers) ==
				  RIBBON_ERROR_MEMORY &&
			  answers[0],
		  "contains");
	CHECK(ribbon_filter_get_int64s(made.filter, NULL, found, numbers) ==
			  RIBBON_ERROR_MEMORY,
		  "get numbers");
	CHECK(ribbon_filter_get_texts(made.filter, NULL, found, texts, sizes) ==
			  RIBBON_ERROR_MEMORY,
		  "get texts");
	drop(&made);
	ribbon_builder_free(map);
	ribbon_builder_free(exact);
}

/* What is nothing may be anywhere. */
static void
test_nothing(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_ANY, 0.01);
	ribbon_builder *map = new_builder(RIBBON_KEY_TEXT, 0.01);
	ribbon_keys *none[] = {
		ribbon_keys_int64(NULL, 0),
		ribbon_keys_int32(NULL, 0),
		ribbon_keys_texts(RIBBON_KEY_TEXT, NULL, NULL, 0),
		ribbon_keys_packed(RIBBON_KEY_TEXT, NULL, NULL, 0),
		ribbon_keys_packed32(RIBBON_KEY_TEXT, NULL, NULL, 0),
		ribbon_keys_fixed(RIBBON_KEY_UUID, NULL, 16, 0),
		ribbon_keys_hashed(NULL, 0),
	};
	static const int types[] = {RIBBON_KEY_INTEGER, RIBBON_KEY_BOOL,
								RIBBON_KEY_UUID,	RIBBON_KEY_DATE,
								RIBBON_KEY_TIME,	RIBBON_KEY_TIMESTAMPTZ,
								RIBBON_KEY_FLOAT,	RIBBON_KEY_MACADDR,
								RIBBON_KEY_NUMERIC, RIBBON_KEY_INTERVAL,
								RIBBON_KEY_INET,	RIBBON_KEY_TIMETZ,
								RIBBON_KEY_XID8,	RIBBON_KEY_LSN,
								RIBBON_KEY_JSONB};
	static const int empty[] = {RIBBON_KEY_TEXT, RIBBON_KEY_CHAR,
								RIBBON_KEY_ENUM, RIBBON_KEY_BYTES,
								RIBBON_KEY_BIT};
	ribbon_keys *view;
	ribbon_key key;
	int64_t number;
	const char *text;
	size_t size;
	char buffer[1] = {'x'};
	Made made;

	test("no keys, no text, no room");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
	{
		CHECK(ribbon_builder_add_keys(builder, none[i]) == RIBBON_SUCCESS,
			  "view %zu: %s", i, ribbon_error_text());
		ribbon_keys_free(none[i]);
	}
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		CHECK(ribbon_key_parse(&key, types[i], NULL, 0) == RIBBON_ERROR_KEY,
			  "type %d", types[i]);
	for (size_t i = 0; i < sizeof(empty) / sizeof(empty[0]); i++)
		CHECK(ribbon_key_parse(&key, empty[i], NULL, 0) == RIBBON_SUCCESS,
			  "type %d", empty[i]);
	CHECK(ribbon_key_hash(ribbon_key_text(NULL, 0)) ==
				  ribbon_key_hash(ribbon_key_char("  ", 2)) &&
			  ribbon_key_hash(ribbon_key_bytes(NULL, 0)) ==
				  ribbon_key_hash(ribbon_key_canonical(RIBBON_KEY_TEXT, NULL,
													   0)),
		  "a text of no bytes");
	CHECK(ribbon_value_parse(&number, RIBBON_VALUE_INT64, NULL, 0) ==
			  RIBBON_ERROR_VALUE_RANGE,
		  "a value");
	CHECK(ribbon_value_format(-12, RIBBON_VALUE_INT64, NULL, 0) == 3 &&
			  ribbon_value_format(-12, RIBBON_VALUE_INT64, buffer, 1) == 3 &&
			  buffer[0] == '\0',
		  "no room");
	CHECK(ribbon_value_format(7, (ribbon_value_type) 99, buffer, 1) == 1 &&
			  ribbon_value_parse(&number, (ribbon_value_type) 99, "7", 1) ==
				  RIBBON_ERROR_VALUE_TYPE,
		  "a type that there is not");
	made = finish(builder);
	CHECK(made.status == RIBBON_SUCCESS &&
			  ribbon_filter_count(made.filter) == 0 &&
			  ribbon_filter_contains(made.filter, ribbon_key_int64(1)) == 0 &&
			  ribbon_filter_contains_text(made.filter, NULL, 0) ==
				  RIBBON_ERROR_KEY_TYPE &&
			  ribbon_filter_stat(made.filter, (ribbon_stat) 99) == -1,
		  "a filter of nothing");
	drop(&made);

	CHECK(ribbon_builder_set_values(map, RIBBON_VALUE_TEXT) == RIBBON_SUCCESS &&
			  ribbon_builder_add_text_value(map, ribbon_key_text(NULL, 0), NULL,
											0) == RIBBON_SUCCESS,
		  "a map");
	view = ribbon_keys_texts(RIBBON_KEY_TEXT, NULL, NULL, 0);
	CHECK(ribbon_builder_add_text_values(map, view, NULL, NULL, NULL) ==
				  RIBBON_SUCCESS &&
			  ribbon_builder_add_int64_values(map, view, NULL, NULL) ==
				  RIBBON_ERROR_VALUE_TYPE,
		  "no values");
	ribbon_keys_free(view);
	made = finish(map);
	CHECK(ribbon_filter_get_text(made.filter, ribbon_key_text("", 0), &text,
								 &size) == RIBBON_FOUND_VALUE &&
			  size == 0,
		  "an empty value");
	CHECK(ribbon_filter_value_type_name(made.filter, NULL, 0) == 4, "text");
	drop(&made);

	CHECK(ribbon_filter_open_bytes(&made.filter, NULL, 0) ==
			  RIBBON_ERROR_TRUNCATED,
		  "no bytes");
	CHECK(ribbon_filter_open_file(&made.filter, "") == RIBBON_ERROR_FILE,
		  "no name");
	ribbon_keys_free(NULL);
	ribbon_builder_free(NULL);
	ribbon_filter_close(NULL);
	ribbon_bytes_free(NULL);
}

static void
test_sizes(void)
{
	static const char *const texts[] = {"42"};
	static const int32_t offsets32[] = {0, 2};
	static const int64_t offsets[] = {0, 2};
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	ribbon_keys *views[] = {
		ribbon_keys_texts(RIBBON_KEY_INTEGER, texts, NULL, 1),
		ribbon_keys_packed(RIBBON_KEY_INTEGER, "42", offsets, 1),
		ribbon_keys_packed32(RIBBON_KEY_INTEGER, "42", offsets32, 1),
		ribbon_keys_fixed(RIBBON_KEY_INTEGER, "42", 2, 1),
	};

	test("digits are no canonical bytes of integers");
	for (size_t i = 0; i < sizeof(views) / sizeof(views[0]); i++)
	{
		CHECK(ribbon_builder_add_keys(builder, views[i]) == RIBBON_ERROR_KEY &&
				  strcmp(ribbon_error_text(),
						 "keys of type integer have 8 bytes, not 2") == 0,
			  "view %zu: %s", i, ribbon_error_text());
		ribbon_keys_free(views[i]);
	}
	CHECK(ribbon_builder_count(builder) == 0, "none was added");
	ribbon_builder_free(builder);
}

static void
test_order(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	void *bytes = NULL;
	void *again = &again;
	size_t size = 0;
	size_t found;
	int64_t one = 1;
	ribbon_keys *keys = ribbon_keys_int64(&one, 1);

	test("a builder is used once, and in order");
	CHECK(ribbon_builder_find_conflict(builder, keys, &found) ==
			  RIBBON_ERROR_OPTION,
		  "no conflict before a key");
	CHECK(ribbon_builder_add_keys(builder, keys) == RIBBON_SUCCESS, "add");
	CHECK(ribbon_builder_set_kind(builder, RIBBON_KIND_AUTO) ==
				  RIBBON_ERROR_OPTION &&
			  ribbon_builder_set_threads(builder, 1) == RIBBON_ERROR_OPTION,
		  "options come first");
	CHECK(ribbon_builder_finish(builder, &bytes, &size) == RIBBON_SUCCESS,
		  "finish");
	CHECK(ribbon_builder_finish(builder, &again, &size) ==
				  RIBBON_ERROR_OPTION &&
			  again == &again,
		  "finish again");
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(2)) ==
				  RIBBON_ERROR_OPTION &&
			  ribbon_builder_add_keys(builder, keys) == RIBBON_ERROR_OPTION &&
			  ribbon_builder_set_seed(builder, 1) == RIBBON_ERROR_OPTION &&
			  ribbon_builder_set_directory(builder, "/tmp") ==
				  RIBBON_ERROR_OPTION,
		  "nothing comes behind the end");
	CHECK(ribbon_builder_find_conflict(builder, keys, &found) ==
			  RIBBON_ERROR_OPTION,
		  "no conflict after it");
	CHECK(ribbon_builder_count(builder) == 1, "count");
	ribbon_builder_free(builder);
	ribbon_bytes_free(bytes);
	ribbon_keys_free(keys);
}

/* 24 MB are 1.5 million words, as sorting takes 16 bytes of each. */
static void
test_memory(void)
{
	const size_t most = 3 << 19;
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	int64_t *numbers = malloc(most * sizeof(int64_t));
	ribbon_keys *keys = ribbon_keys_int64(numbers, most);

	test("memory that is no power of two is used to the end");
	for (size_t i = 0; i < most; i++)
		numbers[i] = (int64_t) i;
	CHECK(ribbon_builder_set_memory(builder, 24 << 20) == RIBBON_SUCCESS,
		  "set");
	CHECK(ribbon_builder_add_keys(builder, keys) == RIBBON_SUCCESS, "add");
	CHECK(!builder->set.in_file && builder->set.narray == most,
		  "all keys are in memory");
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(-1)) == RIBBON_SUCCESS &&
			  builder->set.in_file,
		  "one more goes to a file");
	CHECK(builder->file.file.sort_words == most, "and is sorted in as much");
	ribbon_builder_free(builder);
	ribbon_keys_free(keys);

	/* room for 2048 words, and for some of the next records, not for all */
	builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	keys = ribbon_keys_int64(numbers, 1024 + RIBBON_KEYS_BATCH);
	ribbon_tempfile_set_memory(&builder->file,
							   16 * (2048 + 3 * RIBBON_KEYS_BATCH / 2));
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64) ==
				  RIBBON_SUCCESS &&
			  ribbon_builder_add_int64_values(builder, keys, numbers, NULL) ==
				  RIBBON_SUCCESS &&
			  builder->set.file != NULL,
		  "records that do not fit");
	ribbon_builder_free(builder);
	ribbon_keys_free(keys);
	free(numbers);
}

typedef struct Asker
{
	const ribbon_filter *filter;
	int64_t first;
	bool failed;
} Asker;

/* Right and wrong questions, whose errors are this thread's own. */
static void *
ask(void *arg)
{
	Asker *asker = arg;

	for (int64_t i = 0; i < 2000; i++)
	{
		ribbon_key key = ribbon_key_int64(asker->first + i);
		char text[64];

		(void) snprintf(text, sizeof(text), "no key of type integer: \"x%lld\"",
						(long long) (asker->first + i));
		asker->failed |= ribbon_filter_contains(asker->filter, key) != 1 ||
			ribbon_filter_contains(asker->filter, ribbon_key_bool(true)) !=
				RIBBON_ERROR_KEY_TYPE ||
			ribbon_key_parse(&key, RIBBON_KEY_INTEGER, text + 25,
							 strlen(text + 25) - 1) != RIBBON_ERROR_KEY ||
			strcmp(ribbon_error_text(), text) != 0;
	}
	return NULL;
}

static void
test_threads(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	pthread_t threads[4];
	Asker askers[4];
	Made made;

	test("many threads ask one filter, and each has its own errors");
	for (int64_t i = 0; i < 8000; i++)
		CHECK(ribbon_builder_add(builder, ribbon_key_int64(i)) ==
				  RIBBON_SUCCESS,
			  "add");
	made = finish(builder);
	for (int i = 0; i < 4; i++)
	{
		askers[i] = (Asker){made.filter, 2000 * i, false};
		CHECK(pthread_create(&threads[i], NULL, ask, &askers[i]) == 0,
			  "thread %d", i);
	}
	for (int i = 0; i < 4; i++)
	{
		(void) pthread_join(threads[i], NULL);
		CHECK(!askers[i].failed, "thread %d", i);
	}
	drop(&made);
}

/* Types that there are not, where no keys of any type are. */
static void
test_types(void)
{
	static const int none[] = {-1, -25, 32 | 7, 999, INT32_MIN, INT32_MAX};
	ribbon_builder *builder = new_builder(RIBBON_KEY_ANY, 0.01);
	static const char *const texts[] = {"12345678"};
	static const size_t sizes[] = {7};
	bool answers[1] = {true};
	Made made;

	test("a type that there is not is refused, or has no keys");
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
	{
		ribbon_key key = ribbon_key_canonical(none[i], "1234567", 7);
		ribbon_builder *another = NULL;

		CHECK(ribbon_key_type_name(none[i]) == NULL, "name %zu", i);
		CHECK(ribbon_builder_new(&another, none[i], 0.01) ==
				  RIBBON_ERROR_KEY_TYPE,
			  "a builder of type %zu", i);
		CHECK(ribbon_builder_add(builder, key) == RIBBON_ERROR_KEY_TYPE,
			  "a key of type %zu", i);
		CHECK(ribbon_key_parse(&key, none[i], "1", 1) == RIBBON_ERROR_KEY_TYPE,
			  "a text of type %zu", i);
	}
	made = finish(builder);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
	{
		ribbon_keys *view = ribbon_keys_texts(none[i], texts, sizes, 1);

		CHECK(ribbon_filter_contains_keys(made.filter, view, answers) !=
					  RIBBON_SUCCESS ||
				  !answers[0],
			  "type %zu: %s", i, ribbon_error_text());
		ribbon_keys_free(view);
	}
	drop(&made);
}

static void
test_numbers(void)
{
	static const double rates[] = {0, -0.0, -1, 2, 0.51, 1e-300, NAN, INFINITY};
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	ribbon_builder *another = NULL;
	uint8_t *moved;
	ribbon_filter *filter;
	Made made;
	void *bytes;
	size_t size;

	test("rates that there are not, and bytes at odd addresses");
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
	{
		CHECK(ribbon_builder_new(&another, RIBBON_KEY_INTEGER, rates[i]) ==
					  RIBBON_ERROR_FPR &&
				  ribbon_builder_set_exact_fpr(builder, rates[i]) ==
					  RIBBON_ERROR_FPR &&
				  ribbon_expected_size(10, rates[i]) == 0,
			  "rate %zu", i);
	}
	CHECK(ribbon_expected_size(UINT64_MAX, 0.01) == 0, "too many keys");
	for (int64_t i = 0; i < 100; i++)
		CHECK(ribbon_builder_add(builder, ribbon_key_int64(i)) ==
				  RIBBON_SUCCESS,
			  "add");
	made = finish(builder);
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++)
		CHECK(ribbon_filter_shrink(made.filter, rates[i], &bytes, &size) ==
				  RIBBON_ERROR_FPR,
			  "shrink to rate %zu", i);
	moved = malloc(made.size + 1);
	memcpy(moved + 1, made.bytes, made.size);
	CHECK(ribbon_filter_open_bytes(&filter, moved + 1, made.size) ==
			  RIBBON_SUCCESS,
		  "open");
	for (int64_t i = 0; i < 100; i++)
		CHECK(ribbon_filter_contains(filter, ribbon_key_int64(i)) == 1,
			  "key %d", (int) i);
	CHECK(ribbon_filter_check(filter) == RIBBON_SUCCESS, "check");
	ribbon_filter_close(filter);
	free(moved);
	drop(&made);
}

static bool
refuse(void *arg, double share)
{
	(void) share;
	return ++*(int *) arg > 0;
}

/* After what has lost keys nothing is built, and each call says so. */
static void
test_broken(void)
{
	const size_t n = 2 << 20;
	int64_t *numbers = calloc(n, sizeof(int64_t));
	ribbon_keys *keys = ribbon_keys_int64(numbers, n);
	ribbon_builder *nowhere = new_builder(RIBBON_KEY_INTEGER, 0.01);
	ribbon_builder *cancelled = new_builder(RIBBON_KEY_INTEGER, 0.01);
	void *bytes = NULL;
	size_t size = 0;
	int calls = 0;

	test("a builder that has lost keys builds nothing");
	for (size_t i = 0; i < n; i++)
		numbers[i] = (int64_t) i;
	CHECK(ribbon_builder_set_memory(nowhere, 16 << 20) == RIBBON_SUCCESS &&
			  ribbon_builder_set_directory(nowhere, "/no such directory") ==
				  RIBBON_SUCCESS,
		  "options");
	CHECK(ribbon_builder_add_keys(nowhere, keys) == RIBBON_ERROR_FILE,
		  "there is no file");
	for (int i = 0; i < 2; i++)
		CHECK(ribbon_builder_add(nowhere, ribbon_key_int64(1)) ==
					  RIBBON_ERROR_FILE &&
				  ribbon_builder_finish(nowhere, &bytes, &size) ==
					  RIBBON_ERROR_FILE &&
				  bytes == NULL,
			  "and there are keys lost");
	ribbon_builder_free(nowhere);

	CHECK(ribbon_builder_set_progress(cancelled, refuse, &calls) ==
			  RIBBON_SUCCESS,
		  "progress");
	CHECK(ribbon_builder_add_keys(cancelled, keys) == RIBBON_SUCCESS &&
			  ribbon_builder_finish(cancelled, &bytes, &size) ==
				  RIBBON_ERROR_CANCELLED &&
			  calls > 0 && bytes == NULL,
		  "cancelled");
	CHECK(ribbon_builder_finish(cancelled, &bytes, &size) ==
				  RIBBON_ERROR_OPTION &&
			  ribbon_builder_add(cancelled, ribbon_key_int64(1)) ==
				  RIBBON_ERROR_OPTION,
		  "and finished");
	ribbon_builder_free(cancelled);
	ribbon_keys_free(keys);
	free(numbers);
}

/* A key that is refused leaves nothing of its value. */
static void
test_refused_values(void)
{
	static const ribbon_value_type types[] = {RIBBON_VALUE_INT64,
											  RIBBON_VALUE_TEXT};
	ribbon_key wrong = ribbon_key_bool(true);

	test("a key of another type leaves nothing of its value in a map");
	for (int i = 0; i < 2; i++)
	{
		bool texts = types[i] == RIBBON_VALUE_TEXT;
		Made made[2];

		for (int tries = 0; tries < 2; tries++)
		{
			ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);

			CHECK(ribbon_builder_set_values(builder, types[i]) ==
					  RIBBON_SUCCESS,
				  "values");
			for (int64_t k = 0; k < 10; k++)
				CHECK((texts ?
						   ribbon_builder_add_text_value(builder,
														 ribbon_key_int64(k),
														 "a", 1) :
						   ribbon_builder_add_int64_value(builder,
														  ribbon_key_int64(k),
														  k % 2)) ==
						  RIBBON_SUCCESS,
					  "add");
			for (int k = 0; k < tries; k++)
				CHECK(ribbon_builder_add_null_value(builder, wrong) ==
							  RIBBON_ERROR_KEY_TYPE &&
						  (texts ? ribbon_builder_add_text_value(builder, wrong,
																 "b", 1) :
								   ribbon_builder_add_int64_value(builder,
																  wrong, 99)) ==
							  RIBBON_ERROR_KEY_TYPE,
					  "refused");
			made[tries] = finish(builder);
		}
		CHECK(same(&made[0], &made[1]), "type %d", i);
		drop(&made[0]);
		drop(&made[1]);
	}
}

/* The directory is that of the first key. */
static void
test_environment(void)
{
	static char variable[] = "TMPDIR=/tmp";
	const size_t n = 2 << 20;
	int64_t *numbers = calloc(n, sizeof(int64_t));
	ribbon_keys *keys = ribbon_keys_int64(numbers, n);
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);

	test("a program may change TMPDIR while a filter is built");
	for (size_t i = 0; i < n; i++)
		numbers[i] = (int64_t) i;
	CHECK(ribbon_builder_set_memory(builder, 16 << 20) == RIBBON_SUCCESS &&
			  putenv(variable) == 0 &&
			  ribbon_builder_add(builder, ribbon_key_int64(1)) ==
				  RIBBON_SUCCESS,
		  "a key");
	memcpy(strchr(variable, '/'), "/no!", 4);
	CHECK(ribbon_builder_add_keys(builder, keys) == RIBBON_SUCCESS &&
			  builder->set.in_file,
		  "others: %s", ribbon_error_text());
	(void) unsetenv("TMPDIR");
	ribbon_builder_free(builder);
	ribbon_keys_free(keys);
	free(numbers);
}

int
main(void)
{
	test_refused_values();
	test_environment();
	test_types();
	test_numbers();
	test_broken();
	test_no_view();
	test_nothing();
	test_sizes();
	test_order();
	test_memory();
	test_threads();
	return test_done();
}
