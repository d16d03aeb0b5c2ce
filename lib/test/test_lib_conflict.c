/*
 * A key with two values, or on both sides of an exact set, is found among the
 * keys that were added.
 */
#include "made.h"

#define N 700000

typedef struct Case
{
	const char *name;
	bool exact;
	bool texts;
	uint32_t seed;
	uint64_t memory;
	unsigned threads;
} Case;

static const Case cases[] = {
	{"numbers", false, false, 0, 1 << 30, 1},
	{"numbers under a seed", false, false, 77, 1 << 30, 2},
	{"numbers in files", false, false, 0, 16 << 20, 1},
	{"numbers in files, by threads", false, false, 9, 16 << 20, 4},
	{"texts", false, true, 0, 1 << 30, 1},
	{"texts in files", false, true, 5, 16 << 20, 2},
	{"an exact set", true, false, 0, 1 << 30, 1},
	{"an exact set in files", true, false, 0, 16 << 20, 4},
};

/* Keys of which the one at place first comes again at place second. */
static ribbon_status
add_all(ribbon_builder *builder, const Case *c, const int64_t *keys,
		size_t second)
{
	ribbon_status status = RIBBON_SUCCESS;

	for (size_t i = 0; i < N && status == RIBBON_SUCCESS; i++)
	{
		ribbon_key key = ribbon_key_int64(keys[i]);

		if (c->exact)
			status = ribbon_builder_add_member(builder, key, i == second);
		else if (c->texts)
			status = ribbon_builder_add_text_value(builder, key,
												   i == second ? "b" : "a", 1);
		else
			status = ribbon_builder_add_int64_value(builder, key,
													i == second ? 2 : 1);
	}
	return status;
}

static void
set_options(ribbon_builder *builder, const Case *c)
{
	if (c->exact)
		CHECK(ribbon_builder_set_kind(builder, RIBBON_KIND_EXACT) == 0, "kind");
	else
		CHECK(ribbon_builder_set_values(builder,
										c->texts ? RIBBON_VALUE_TEXT :
												   RIBBON_VALUE_INT64) == 0 &&
				  ribbon_builder_set_seed(builder, c->seed) == 0,
			  "values");
	CHECK(ribbon_builder_set_memory(builder, c->memory) == 0 &&
			  ribbon_builder_set_threads(builder, c->threads) == 0,
		  "memory");
}

static void
check_case(const Case *c, size_t first, size_t second)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	int64_t *keys = malloc(N * sizeof(int64_t));
	ribbon_keys *all = ribbon_keys_int64(keys, N);
	ribbon_keys *rest = ribbon_keys_int64(keys + first + 1, N - first - 1);
	ribbon_keys *before = ribbon_keys_int64(keys, first);
	ribbon_keys *text = ribbon_keys_packed(RIBBON_KEY_TEXT, "a",
										   (const int64_t[]){0, 1}, 1);
	size_t found = 0;
	ribbon_status status;
	void *bytes;
	size_t size;

	for (size_t i = 0; i < N; i++)
		keys[i] = (int64_t) (i * 7);
	keys[second] = keys[first];
	set_options(builder, c);
	status = add_all(builder, c, keys, second);
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_finish(builder, &bytes, &size);
	CHECK(status == RIBBON_ERROR_CONFLICT &&
			  strstr(ribbon_error_text(), c->exact ? "is not" : "two values"),
		  "%d, %s", status, ribbon_error_text());
	CHECK(ribbon_builder_find_conflict(builder, all, &found) == 0 &&
			  found == first,
		  "%s: %zu, not %zu", c->name, found, first);
	CHECK(ribbon_builder_find_conflict(builder, rest, &found) == 0 &&
			  found == second - first - 1,
		  "%s: %zu, not %zu", c->name, found + first + 1, second);
	CHECK(ribbon_builder_find_conflict(builder, before, &found) == 0 &&
			  found == first,
		  "%s: %zu of %zu", c->name, found, first);
	CHECK(ribbon_builder_find_conflict(builder, text, &found) ==
			  RIBBON_ERROR_KEY_TYPE,
		  "%s", c->name);
	ribbon_keys_free(all);
	ribbon_keys_free(rest);
	ribbon_keys_free(before);
	ribbon_keys_free(text);
	ribbon_builder_free(builder);
	free(keys);
}

static void
check_no_conflict(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.01);
	const int64_t number = 1;
	ribbon_keys *keys = ribbon_keys_int64(&number, 1);
	size_t found;

	test("where there is no conflict none is found");
	CHECK(ribbon_builder_find_conflict(builder, keys, &found) ==
			  RIBBON_ERROR_OPTION,
		  "a new builder");
	CHECK(ribbon_builder_add_keys(builder, keys) == 0 &&
			  ribbon_builder_find_conflict(builder, keys, &found) ==
				  RIBBON_ERROR_OPTION,
		  "one with a key");
	ribbon_keys_free(keys);
	ribbon_builder_free(builder);
}

/* Keys of one hash are one key to a map, but not to an exact set. */
static void
check_one_hash(void)
{
	ribbon_key keys[3] = {ribbon_key_hashed(1, 5, 8),
						  ribbon_key_hashed(1, 5, 16),
						  ribbon_key_hashed(1, 5, 16)};
	const bool members[] = {true, true, false};
	const int64_t values[] = {1, 2, 2};
	ribbon_keys *view = ribbon_keys_hashed(keys, 3);
	ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.5);
	size_t found = 9;
	void *bytes;
	size_t size;

	test("two keys of one hash");
	CHECK(ribbon_builder_set_kind(builder, RIBBON_KIND_EXACT) == 0 &&
			  ribbon_builder_add_members(builder, view, members) == 0 &&
			  ribbon_builder_finish(builder, &bytes, &size) ==
				  RIBBON_ERROR_CONFLICT &&
			  ribbon_builder_find_conflict(builder, view, &found) == 0 &&
			  found == 1,
		  "exact: %zu, %s", found, ribbon_error_text());
	ribbon_builder_free(builder);

	builder = new_builder(RIBBON_KEY_INTEGER, 0.5);
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_INT64) == 0 &&
			  ribbon_builder_add_int64_values(builder, view, values, NULL) ==
				  0 &&
			  ribbon_builder_finish(builder, &bytes, &size) ==
				  RIBBON_ERROR_CONFLICT &&
			  ribbon_builder_find_conflict(builder, view, &found) == 0 &&
			  found == 0,
		  "map: %zu, %s", found, ribbon_error_text());
	ribbon_builder_free(builder);
	ribbon_keys_free(view);
}

int
main(void)
{
	check_no_conflict();
	check_one_hash();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
	{
		char name[80];

		(void) snprintf(name, sizeof(name), "the key is found: %s",
						cases[i].name);
		test(name);
		check_case(&cases[i], 3, N - 1);
		check_case(&cases[i], 5000, 5001);
	}
	return test_done();
}
