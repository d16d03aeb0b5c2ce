/*
 * Building and asking filters with libribbon: golden bytes, memory and files.
 */
#include "made.h"

#include "keys/hashes.h"
#include "src/builder/work.h"

#include <errno.h>
#ifndef _WIN32
#include <sys/mman.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINE 70000

static uint64_t
golden_hash(size_t i, unsigned shift)
{
	return ribbon_mix(i + UINT64_C(0x60DE)) >> shift;
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
check_progress(void)
{
	static const struct
	{
		int layer;
		double share;
		double done;
	} steps[] = {
		{RIBBON_SORTING_SET, 0.5, 0.5},
		{0, 0, 0},
		{0, 1, 0.9},
		{1, 0.5, 0.94},
		{2, 0.5, 0.99},
		{6, 1, 1},
	};

	test("progress is that of all layers");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
	{
		RibbonWork work = {.begin = 0.5, .span = 0.5};
		RibbonEnv env = ribbon_work_env(&work);

		env.progress(env.arg, steps[i].layer, steps[i].share);
		CHECK(fabs(work.share - (0.5 + 0.5 * steps[i].done)) < 1e-9, "%zu: %f",
			  i, work.share);
	}
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
	char slashes[1000]; /* and the path behind them */
	int fd = mkstemp(path);
	ribbon_filter *filter = NULL;
	ribbon_builder *builder;
	ribbon_status status = RIBBON_SUCCESS;
	const void *mapped;
	size_t size;

	test("files are mapped; what cannot be is an error with its reason");
	CHECK(fd >= 0 && write(fd, made.bytes, made.size) == (ssize_t) made.size,
		  "write");
	close(fd);
	CHECK(ribbon_filter_open_file(&filter, path) == RIBBON_SUCCESS, "%s",
		  ribbon_error_text());
	CHECK(ribbon_filter_contains(filter, ribbon_key_int64(1000)) == 1, "1000");
	mapped = ribbon_filter_bytes(filter, &size);
	CHECK(memcmp(mapped, made.bytes, made.size) == 0 && size == made.size,
		  "bytes");
	ribbon_filter_close(filter);
#ifndef _WIN32
	CHECK(msync((void *) mapped, size, MS_ASYNC) != 0 && errno == ENOMEM,
		  "is mapped still");
#endif
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
	memset(slashes, '/', sizeof(slashes));
	memcpy(slashes + sizeof(slashes) - sizeof(path), path, sizeof(path));
	CHECK(ribbon_filter_open_file(&filter, slashes) == RIBBON_ERROR_FILE &&
			  strstr(ribbon_error_text(), strerror(ENOENT)) != NULL,
		  "a long path: %s", ribbon_error_text());
	CHECK(ribbon_filter_open_file(&filter, "/tmp") == RIBBON_ERROR_FILE,
		  "a directory");
	CHECK(ribbon_filter_open_file(&filter, "/dev/null") == RIBBON_ERROR_FILE,
		  "a device");
#ifndef _WIN32
	CHECK(mkfifo(path, 0600) == 0, "mkfifo");
	CHECK(ribbon_filter_open_file(&filter, path) == RIBBON_ERROR_FILE &&
			  strstr(ribbon_error_text(), "it is a pipe or device") != NULL,
		  "a pipe without a writer: %s", ribbon_error_text());
	CHECK(ribbon_filter_open_file(&filter, slashes) == RIBBON_ERROR_FILE &&
			  strstr(ribbon_error_text(), "it is a pipe or device") != NULL,
		  "with a long path: %s", ribbon_error_text());
	unlink(path);
#endif
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

	builder = new_builder(RIBBON_KEY_INTEGER, 0.1);
	CHECK(ribbon_builder_set_directory(builder, "/no such directory") == 0 &&
			  ribbon_builder_set_directory(builder, NULL) == 0 &&
			  ribbon_builder_set_memory(builder, 16 << 20) == 0,
		  "options");
	status = RIBBON_SUCCESS;
	for (int64_t i = 0; i < 2000000 && status == RIBBON_SUCCESS; i++)
		status = ribbon_builder_add(builder, ribbon_key_int64(i));
	CHECK(status == RIBBON_SUCCESS, "the default directory is back: %s",
		  ribbon_error_text());
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
	check_memory();
	check_hostile();
	check_progress();
	check_cancel();
	check_files();
	check_bad_bytes();
	check_sizes();
	return test_done();
}
