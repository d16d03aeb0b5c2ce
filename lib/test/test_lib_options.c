/*
 * Options of a builder of libribbon: what they may be, and when they are set.
 */
#include "made.h"

static bool
is_said(const char *text)
{
	return strcmp(ribbon_error_text(), text) == 0;
}

static void
check_options(void)
{
	ribbon_builder *builder = NULL;
	static const int64_t numbers[] = {1, 2};
	bool found[] = {true, true};
	ribbon_keys *none;
	Made made;

	test("options are held to what there is");
	CHECK(ribbon_builder_new(&builder, 99, 0.1) == RIBBON_ERROR_KEY_TYPE, "99");
	CHECK(ribbon_builder_new(&builder, 1, 0.6) == RIBBON_ERROR_FPR, "0.6");
	CHECK(ribbon_builder_new(&builder, 1, NAN) == RIBBON_ERROR_FPR, "NaN");
	builder = new_builder(RIBBON_KEY_ANY, 0.1);
	CHECK(ribbon_builder_set_width(builder, 65) == RIBBON_ERROR_OPTION &&
			  is_said("the ribbon width must be 32, 64 or 128, not 65"),
		  "%s", ribbon_error_text());
	CHECK(ribbon_builder_set_kind(builder, (ribbon_kind) 77) ==
			  RIBBON_ERROR_OPTION,
		  "kind");
	CHECK(ribbon_builder_set_memory(builder, (16 << 20) - 1) ==
				  RIBBON_ERROR_OPTION &&
			  is_said("the memory must be at least 16 MB, not 16777215 bytes"),
		  "%s", ribbon_error_text());
	CHECK(ribbon_builder_set_threads(builder, 65) == RIBBON_ERROR_OPTION &&
			  is_said("the number of threads must be at most 64, not 65"),
		  "%s", ribbon_error_text());
	CHECK(ribbon_builder_set_threads(builder, 64) == RIBBON_SUCCESS, "64");
	none = ribbon_keys_hashed(NULL, 0);
	CHECK(ribbon_builder_add_keys(builder, none) == 0, "no keys have no type");
	ribbon_keys_free(none);
	CHECK(ribbon_builder_add(builder, ribbon_key_text("a", 1)) == 0, "text");
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) ==
				  RIBBON_ERROR_KEY_TYPE &&
			  is_said("the keys are of type text, not integer"),
		  "another type: %s", ribbon_error_text());
	CHECK(ribbon_builder_set_width(builder, 64) == RIBBON_ERROR_OPTION, "late");
	made = finish(builder);
	CHECK(ribbon_filter_key_type(made.filter) == RIBBON_KEY_TEXT, "type");
	CHECK(ribbon_filter_contains(made.filter, ribbon_key_int64(1)) ==
			  RIBBON_ERROR_KEY_TYPE,
		  "asked with another type");
	CHECK(ribbon_filter_contains_text(made.filter, "a", 1) == 1, "a");
	drop(&made);

	made = finish(new_builder(RIBBON_KEY_ANY, 0.1));
	none = ribbon_keys_int64(numbers, 2);
	CHECK(ribbon_filter_contains(made.filter, ribbon_key_int64(1)) == 0 &&
			  ribbon_filter_contains_text(made.filter, "a", 1) == 0 &&
			  ribbon_filter_contains_keys(made.filter, none, found) == 0 &&
			  !found[0] && !found[1],
		  "any key is asked of nothing: %s", ribbon_error_text());
	ribbon_keys_free(none);
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

typedef enum Option
{
	VALUES,
	KIND,
	EXACT_FPR,
	AS_OF,
	WIDTH,
	CODE,
	SEED,
	MEMORY,
	DIRECTORY,
	THREADS,
	PROGRESS,
	NOPTIONS
} Option;

static ribbon_status
set_option(ribbon_builder *builder, Option option)
{
	switch (option)
	{
		case VALUES:
			return ribbon_builder_set_values(builder, RIBBON_VALUE_INT64);
		case KIND:
			return ribbon_builder_set_kind(builder, RIBBON_KIND_HOMOGENEOUS);
		case EXACT_FPR:
			return ribbon_builder_set_exact_fpr(builder, 0.1);
		case AS_OF:
			return ribbon_builder_set_as_of(builder, 1);
		case WIDTH:
			return ribbon_builder_set_width(builder, 128);
		case CODE:
			return ribbon_builder_set_code(builder, RIBBON_VALUES_PLAIN);
		case SEED:
			return ribbon_builder_set_seed(builder, 1);
		case MEMORY:
			return ribbon_builder_set_memory(builder, UINT64_MAX);
		case DIRECTORY:
			return ribbon_builder_set_directory(builder, "/tmp");
		case THREADS:
			return ribbon_builder_set_threads(builder, 2);
		default:
			return ribbon_builder_set_progress(builder, NULL, NULL);
	}
}

/* Each option: before the first key, after it, and at the end. */
static void
check_order(void)
{
	static const ribbon_status alone[NOPTIONS] = {
		[EXACT_FPR] = RIBBON_ERROR_OPTION,
		[AS_OF] = RIBBON_ERROR_OPTION,
		[CODE] = RIBBON_ERROR_OPTION,
		[SEED] = RIBBON_ERROR_OPTION,
	};
	ribbon_builder *builder;
	void *bytes;
	size_t size;

	test("options are set before the first key, and go together");
	for (int option = 0; option < NOPTIONS; option++)
	{
		ribbon_status expected = option == VALUES ? RIBBON_ERROR_OPTION :
													alone[option];

		builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
		CHECK(set_option(builder, (Option) option) == RIBBON_SUCCESS, "%d",
			  option);
		CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) == expected,
			  "%d: %s", option, ribbon_error_text());
		if (expected == RIBBON_SUCCESS)
		{
			CHECK(set_option(builder, (Option) option) == RIBBON_ERROR_OPTION,
				  "%d, late", option);
			CHECK(ribbon_builder_finish(builder, &bytes, &size) ==
					  RIBBON_SUCCESS,
				  "%d: %s", option, ribbon_error_text());
			ribbon_bytes_free(bytes);
			CHECK(ribbon_builder_finish(builder, &bytes, &size) ==
						  RIBBON_ERROR_OPTION &&
					  ribbon_builder_add(builder, ribbon_key_int64(1)) ==
						  RIBBON_ERROR_OPTION &&
					  set_option(builder, (Option) option) ==
						  RIBBON_ERROR_OPTION,
				  "%d, finished", option);
		}
		ribbon_builder_free(builder);
	}

	builder = new_builder(RIBBON_KEY_ANY, 0.1);
	CHECK(ribbon_builder_set_exact_fpr(builder, 0) == RIBBON_ERROR_FPR &&
			  ribbon_builder_set_as_of(builder, INT64_MAX - 1) ==
				  RIBBON_ERROR_OPTION &&
			  ribbon_builder_add(builder, ribbon_key_hashed(99, 1, 1)) ==
				  RIBBON_ERROR_KEY_TYPE,
		  "%s", ribbon_error_text());
	ribbon_builder_free(builder);
	CHECK(ribbon_expected_size(UINT64_MAX, 0.01) == 0, "too many keys");
}

/* Without a type, a builder has that of the first key that it takes. */
static void
check_first_key(void)
{
	ribbon_builder *builder = new_builder(RIBBON_KEY_ANY, 0.1);
	ribbon_keys *none = ribbon_keys_int64(NULL, 0);
	static const char *const labels[] = {"a"};
	static const uint8_t uuid[16] = {0};
	ribbon_keys *wrong = ribbon_keys_texts(RIBBON_KEY_UUID, labels, NULL, 1);
	Made made;

	test("neither no keys nor a call that is refused fix a builder's type");
	CHECK(ribbon_builder_add_keys(builder, none) == RIBBON_SUCCESS &&
			  ribbon_builder_add_keys(builder, wrong) == RIBBON_ERROR_KEY &&
			  ribbon_builder_add_member(builder, ribbon_key_bool(true), true) ==
				  RIBBON_ERROR_NOT_EXACT &&
			  ribbon_builder_add(builder, ribbon_key_text("a", 1)) ==
				  RIBBON_SUCCESS,
		  "%s", ribbon_error_text());
	CHECK(ribbon_builder_add(builder, ribbon_key_int64(1)) ==
				  RIBBON_ERROR_KEY_TYPE &&
			  ribbon_builder_add_keys(builder, none) == RIBBON_SUCCESS,
		  "%s", ribbon_error_text());
	made = finish(builder);
	CHECK(ribbon_filter_key_type(made.filter) == RIBBON_KEY_TEXT &&
			  ribbon_filter_count(made.filter) == 1,
		  "type %d", ribbon_filter_key_type(made.filter));
	drop(&made);

	builder = new_builder(RIBBON_KEY_ANY, 0.1);
	CHECK(ribbon_builder_set_values(builder, RIBBON_VALUE_BOOL) == 0 &&
			  ribbon_builder_add_int64_value(builder, ribbon_key_int64(1), 2) ==
				  RIBBON_ERROR_VALUE_RANGE &&
			  ribbon_builder_add_int64_value(builder, ribbon_key_uuid(uuid),
											 1) == RIBBON_SUCCESS,
		  "%s", ribbon_error_text());
	made = finish(builder);
	CHECK(ribbon_filter_key_type(made.filter) == RIBBON_KEY_UUID, "type %d",
		  ribbon_filter_key_type(made.filter));
	drop(&made);

	test("if there is no key, it is that of a view of no keys");
	builder = new_builder(RIBBON_KEY_ANY, 0.1);
	CHECK(ribbon_builder_add_keys(builder, none) == RIBBON_SUCCESS, "none");
	made = finish(builder);
	CHECK(ribbon_filter_key_type(made.filter) == RIBBON_KEY_INTEGER, "type %d",
		  ribbon_filter_key_type(made.filter));
	drop(&made);
	ribbon_keys_free(none);
	ribbon_keys_free(wrong);
}

/* TMPDIR is where a builder's file is, unless it is told another place. */
static void
check_tmpdir(void)
{
#ifndef _WIN32
	static const char *const places[] = {NULL, "", "/no such directory"};
	const char *old = getenv("TMPDIR");
	char *saved = old != NULL ? strdup(old) : NULL;

	test("a builder's file is in $TMPDIR, or in /tmp");
	for (int i = 0; i < 3; i++)
	{
		ribbon_builder *builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
		ribbon_status status = RIBBON_SUCCESS;

		if (places[i] == NULL)
			unsetenv("TMPDIR");
		else
			setenv("TMPDIR", places[i], 1);
		CHECK(ribbon_builder_set_memory(builder, 16 << 20) == 0, "memory");
		CHECK(ribbon_builder_set_directory(builder, "") == 0, "directory");
		for (int64_t k = 0; k < 1100000 && status == RIBBON_SUCCESS; k++)
			status = ribbon_builder_add(builder, ribbon_key_int64(k));
		CHECK(status == (i < 2 ? RIBBON_SUCCESS : RIBBON_ERROR_FILE), "%d: %s",
			  i, ribbon_error_text());
		ribbon_builder_free(builder);
	}
	if (saved != NULL)
		setenv("TMPDIR", saved, 1);
	else
		unsetenv("TMPDIR");
	free(saved);
#endif
}

int
main(void)
{
	check_options();
	check_order();
	check_first_key();
	check_tmpdir();
	return test_done();
}
