/*
 * target_library.c - any bytes, opened by libribbon: whatever its header offers
 *
 * The core's targets hold its answers against slow readers.  This one sees that
 * the library, which adds keys, dictionaries, texts and errors to it, does not
 * contradict itself: single answers are those of batches, an error has a text,
 * what is shrunk still has its keys.  The bytes end (or begin) at a forbidden
 * page.
 */
#include "fuzz.h"

#include "guard.h"
#include "include/ribbon.h"
#include "mutate_filter.h"

#define MAX_SIZE 16384
#define MAX_KEYS 2100 /* some batches, and a rest */
#define NSEEDS	 200

static Guard inputs, answer_guard, found_guard;

/* A call that may fail for one of two reasons, and then says why. */
#define MAY_FAIL(status, one, other) \
	CHECK((status) >= 0 || \
			  (((status) == (one) || (status) == (other)) && \
			   ribbon_error_text()[0] != '\0'), \
		  "status %d: %s", (int) (status), ribbon_error_text())

static void
check_about(const ribbon_filter *filter, size_t size)
{
	double fpr = ribbon_filter_fpr(filter);
	char name[517], cut[8];
	int64_t as_of;
	size_t nbytes, length;
	int status = ribbon_filter_check(filter);

	MAY_FAIL(status, RIBBON_ERROR_CORRUPT, RIBBON_ERROR_CORRUPT);
	(void) ribbon_filter_bytes(filter, &nbytes);
	CHECK(nbytes == size, "%zu of %zu bytes", nbytes, size);
	CHECK(fpr >= 0 && fpr <= 1, "FPR %g", fpr);
	for (int i = -1; i <= RIBBON_STAT_CODE_BITS + 1; i++)
		CHECK(ribbon_filter_stat(filter, (ribbon_stat) i) >= -1, "stat %d", i);
	(void) ribbon_filter_as_of(filter, &as_of);
	length = ribbon_filter_value_type_name(filter, name, sizeof(name));
	CHECK(length == strlen(name), "%zu bytes in \"%s\"", length, name);
	CHECK(ribbon_filter_value_type_name(filter, cut, sizeof(cut)) == length &&
			  strncmp(cut, name, sizeof(cut) - 1) == 0,
		  "\"%s\" is not \"%s\"", cut, name);
}

/* Numbers of a map, one by one and together. */
static void
check_numbers(const ribbon_filter *map, const ribbon_key *key,
			  const ribbon_keys *keys, size_t n, const bool *answers)
{
	int64_t *numbers = calloc(n + 1, sizeof(*numbers));
	uint8_t *found = guard_room(&found_guard, n, true);
	ribbon_value_type type = ribbon_filter_value_type(map);
	int status = ribbon_filter_get_int64s(map, keys, found, numbers);

	CHECK(status == RIBBON_SUCCESS, "%s", ribbon_error_text());
	for (size_t i = 0; i < n; i++)
	{
		int64_t number = 0;
		char text[48];

		CHECK(answers[i] == (found[i] != RIBBON_FOUND_NO), "key %zu", i);
		CHECK(ribbon_filter_get_int64(map, key[i], &number) == found[i],
			  "key %zu", i);
		if (found[i] != RIBBON_FOUND_VALUE)
			continue;
		CHECK(number == numbers[i], "key %zu", i);
		CHECK(ribbon_value_format(number, type, text, sizeof(text)) ==
					  strlen(text) &&
				  ribbon_value_parse(&number, type, text, strlen(text)) ==
					  RIBBON_SUCCESS &&
				  number == numbers[i],
			  "key %zu: %s", i, text);
	}
	free(numbers);
}

/* Texts of a map, one by one and together, within its bytes. */
static void
check_texts(const ribbon_filter *map, const ribbon_key *key,
			const ribbon_keys *keys, size_t n, const bool *answers)
{
	const char **texts = calloc(n + 1, sizeof(*texts));
	size_t *sizes = calloc(n + 1, sizeof(*sizes));
	uint8_t *found = guard_room(&found_guard, n, true);
	int together = ribbon_filter_get_texts(map, keys, found, texts, sizes);
	size_t size;
	const char *bytes = ribbon_filter_bytes(map, &size);

	MAY_FAIL(together, RIBBON_ERROR_CORRUPT, RIBBON_ERROR_CORRUPT);
	for (size_t i = 0; i < n; i++)
	{
		const char *text = NULL;
		size_t length = 0;
		int one = ribbon_filter_get_text(map, key[i], &text, &length);

		MAY_FAIL(one, together, together);
		CHECK(one < 0 || answers[i] == (one != RIBBON_FOUND_NO), "key %zu", i);
		CHECK(together < 0 || one == found[i], "key %zu", i);
		if (one == RIBBON_FOUND_VALUE)
			CHECK(text >= bytes && length <= size &&
					  text - bytes <= (ptrdiff_t) (size - length),
				  "key %zu: a text of %zu bytes elsewhere", i, length);
		if (one == RIBBON_FOUND_VALUE && together == RIBBON_SUCCESS)
			CHECK(text == texts[i] && length == sizes[i], "key %zu", i);
	}
	free(texts);
	free(sizes);
}

static void
check_shrink(const ribbon_filter *filter, const ribbon_key *key, size_t n,
			 const bool *answers, double fpr)
{
	ribbon_filter *small;
	void *bytes;
	size_t size;
	int status = ribbon_filter_shrink(filter, fpr, &bytes, &size);

	if (status != RIBBON_SUCCESS)
	{
		CHECK(status >= RIBBON_ERROR_IS_EXACT && ribbon_error_text()[0] != '\0',
			  "status %d", status);
		return;
	}
	CHECK(ribbon_filter_open_bytes(&small, bytes, size) == RIBBON_SUCCESS, "%s",
		  ribbon_error_text());
	CHECK(ribbon_filter_count(small) == ribbon_filter_count(filter), "keys");
	for (size_t i = 0; i < n; i++)
		CHECK(!answers[i] || ribbon_filter_contains(small, key[i]) == 1,
			  "key %zu", i);
	ribbon_filter_close(small);
	ribbon_bytes_free(bytes);
}

static void
check_keys(Random *random, const ribbon_filter *filter)
{
	size_t n = (size_t) random_below(random,
									 random_below(random, 16) ? 24 : MAX_KEYS);
	ribbon_key *key = calloc(n + 1, sizeof(*key));
	bool *answers = (bool *) guard_room(&answer_guard, n, true);
	int type = ribbon_filter_key_type(filter);
	int other_type = 1 + (int) random_below(random, 30);
	ribbon_keys *keys;
	int64_t as_of;
	int status;

	for (size_t i = 0; i < n; i++)
		key[i] = ribbon_key_hashed(type, random_next(random),
								   random_next(random));
	keys = ribbon_keys_hashed(key, n);
	CHECK(keys != NULL, "out of memory");
	CHECK(ribbon_filter_contains_keys(filter, keys, answers) == RIBBON_SUCCESS,
		  "%s", ribbon_error_text());
	for (size_t i = 0; i < n; i++)
		CHECK(ribbon_filter_contains(filter, key[i]) == answers[i], "key %zu",
			  i);
	if (!ribbon_filter_is_map(filter))
		check_shrink(filter, key, n, answers,
					 1.0 / (double) (2 + random_below(random, 300)));
	else if (ribbon_filter_value_type(filter) == RIBBON_VALUE_TEXT)
		check_texts(filter, key, keys, n, answers);
	else
		check_numbers(filter, key, keys, n, answers);
	ribbon_keys_free(keys);
	free(key);

	status = ribbon_filter_contains(filter,
									ribbon_key_hashed(other_type, 1, 2));
	MAY_FAIL(status, RIBBON_ERROR_KEY_TYPE, RIBBON_ERROR_KEY_TYPE);
	status = ribbon_filter_contains_text(filter, "a ", 2);
	MAY_FAIL(status, RIBBON_ERROR_KEY_TYPE, RIBBON_ERROR_KEY_TYPE);
	status = ribbon_filter_member(filter, ribbon_key_hashed(type, 1, 2), 0);
	MAY_FAIL(status, RIBBON_ERROR_NOT_EXACT, RIBBON_ERROR_NOT_EXACT);
	CHECK(status >= 0 || !ribbon_filter_as_of(filter, &as_of), "its time");
}

static bool
run(const uint8_t *input, size_t size)
{
	Random random = {size};
	ribbon_filter *filter;
	const uint8_t *bytes;
	int status;

	if (size > MAX_SIZE)
		return false;
	if (inputs.bytes == NULL)
	{
		guard_create(&inputs, MAX_SIZE);
		guard_create(&answer_guard, MAX_KEYS);
		guard_create(&found_guard, MAX_KEYS);
	}
	for (size_t i = 0; i < size; i++)
		random.state = ribbon_mix(random.state + input[i]);
	bytes = guard_place(&inputs, input, size, random_below(&random, 2) == 0);
	status = ribbon_filter_open_bytes(&filter, bytes, size);
	if (status != RIBBON_SUCCESS)
	{
		CHECK(status <= RIBBON_ERROR_TRUNCATED &&
				  status >= RIBBON_ERROR_CORRUPT &&
				  ribbon_error_text()[0] != '\0',
			  "status %d", status);
		return false;
	}
	check_about(filter, size);
	check_keys(&random, filter);
	ribbon_filter_close(filter);
	return true;
}

/* A map of texts, which the core's targets do not know. */
static size_t
seed_texts(unsigned i, uint8_t *input, size_t max)
{
	ribbon_builder *builder;
	void *bytes;
	size_t size;

	CHECK(ribbon_builder_new(&builder, RIBBON_KEY_INTEGER, 0.01) ==
				  RIBBON_SUCCESS &&
			  ribbon_builder_set_values(builder, RIBBON_VALUE_TEXT) ==
				  RIBBON_SUCCESS,
		  "%s", ribbon_error_text());
	for (int k = 0; k < 1 << i % 10; k++)
	{
		char text[40];
		int length = snprintf(text, sizeof(text), "%d, %0*d",
							  k * k % (int) (1 + i), (int) (i % 20), k % 5);

		CHECK(ribbon_builder_add_text_value(builder, ribbon_key_int64(k), text,
											(size_t) length) == RIBBON_SUCCESS,
			  "%s", ribbon_error_text());
	}
	CHECK(ribbon_builder_finish(builder, &bytes, &size) == RIBBON_SUCCESS, "%s",
		  ribbon_error_text());
	ribbon_builder_free(builder);
	CHECK(size <= max, "%zu bytes", size);
	memcpy(input, bytes, size);
	ribbon_bytes_free(bytes);
	return size;
}

static size_t
seed(unsigned i, uint8_t *input, size_t max)
{
	static const FuzzTarget *const others[] = {&fuzz_filter, &fuzz_map,
											   &fuzz_exact};
	ribbon_filter *filter;
	size_t size = 0;

	max = max < MAX_SIZE ? max : MAX_SIZE;
	if (i >= NSEEDS)
		return 0;
	if (i % 4 < 3)
		size = others[i % 4]->seed(i / 4, input, max);
	/* dictionaries of the core's targets are any bytes */
	if (size == 0 ||
		ribbon_filter_open_bytes(&filter, input, size) != RIBBON_SUCCESS)
		return seed_texts(i / 4, input, max);
	ribbon_filter_close(filter);
	return size;
}

static size_t
mutate(Random *random, uint8_t *input, size_t size, size_t max)
{
	max = max < MAX_SIZE ? max : MAX_SIZE;
	size = size < max ? size : max;
	switch (random_below(random, 4))
	{
		case 0:
			return fuzz_mutate_bytes(random, input, size, max);
		case 1:
			return fuzz_exact.mutate(random, input, size, max);
		default:
			return fuzz_map.mutate(random, input, size, max);
	}
}

const FuzzTarget fuzz_library = {"library", 20000, MAX_SIZE, run, mutate, seed};
