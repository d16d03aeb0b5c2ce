/*
 * What libribbon does where memory, threads or its temporary file fail: each
 * allocation of each function that allocates is refused once.
 *
 * The program is linked with --wrap, by which the library's calls of malloc,
 * calloc, realloc, pthread_create, and in glibc pread and pwrite, come here.
 */
#include "made.h"
#include "src/builder/builder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

extern void *__real_malloc(size_t size);
extern void *__real_calloc(size_t n, size_t size);
extern void *__real_realloc(void *p, size_t size);
extern int __real_pthread_create(pthread_t *thread,
								 const pthread_attr_t *attributes,
								 void *(*function)(void *), void *arg);

/* Allocations are counted; this one is refused (0: none is). */
static long allocations;
static long refuse_at;
static bool refuse_threads;

static void
refuse(long at)
{
	allocations = 0;
	refuse_at = at;
}

static bool
is_refused(void)
{
	return __atomic_add_fetch(&allocations, 1, __ATOMIC_RELAXED) == refuse_at;
}

void *
__wrap_malloc(size_t size)
{
	return is_refused() ? NULL : __real_malloc(size);
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return is_refused() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *p, size_t size)
{
	return is_refused() ? NULL : __real_realloc(p, size);
}

int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
					  void *(*function)(void *), void *arg)
{
	return refuse_threads ?
		EAGAIN :
		__real_pthread_create(thread, attributes, function, arg);
}

#ifdef __GLIBC__
extern ssize_t __real_pread64(int fd, void *to, size_t size, int64_t at);
extern ssize_t __real_pwrite64(int fd, const void *from, size_t size,
							   int64_t at);

/* Files are read and written in parts; every third call is interrupted. */
static bool in_parts;
static int ncalls;

/* How many bytes a call is to move; none: it is interrupted. */
static size_t
part_of(size_t size)
{
	errno = EINTR;
	return !in_parts ? size : ++ncalls % 3 == 0 ? 0 : (size + 1) / 2;
}

ssize_t
__wrap_pread64(int fd, void *to, size_t size, int64_t at)
{
	size_t part = part_of(size);

	return part == 0 ? -1 : __real_pread64(fd, to, part, at);
}

ssize_t
__wrap_pwrite64(int fd, const void *from, size_t size, int64_t at)
{
	size_t part = part_of(size);

	return part == 0 ? -1 : __real_pwrite64(fd, from, part, at);
}
#endif

/* Some calls of the library; the first error, with nothing left. */
typedef ribbon_status Work(const void *arg);

static void
refuse_each(const char *name, Work *work, const void *arg)
{
	ribbon_status status;
	long n;

	refuse(0);
	status = work(arg);
	n = allocations;
	CHECK(status == RIBBON_SUCCESS && n > 0, "%s: %s, %ld allocations", name,
		  ribbon_error_text(), n);
	for (long at = 1; at <= n; at++)
	{
		refuse(at);
		status = work(arg);
		CHECK(status == RIBBON_ERROR_MEMORY &&
				  strcmp(ribbon_error_text(), "out of memory") == 0,
			  "%s, %ld of %ld: %d, %s", name, at, n, status,
			  ribbon_error_text());
	}
	refuse(0);
}

typedef struct Written
{
	int key_type;
	const char *text;
} Written;

static ribbon_status
parse(const void *arg)
{
	const Written *written = arg;
	ribbon_key key;

	return ribbon_key_parse(&key, written->key_type, written->text,
							strlen(written->text));
}

static void
check_keys(void)
{
	static const Written written[] = {
		{RIBBON_KEY_NUMERIC, "-12.50"},
		{RIBBON_KEY_BYTES, "\\x0aff"},
		{RIBBON_KEY_BIT, "0101"},
		{RIBBON_KEY_JSONB,
		 "{\"a\": [1, \"of more than the first 64 bytes, so that there must be more room ...\", {}], \"b\": {\"1\": null, \"2\": null, \"3\": null, \"4\": null, \"5\": null, \"6\": null, \"7\": null, \"8\": true, \"9\": false}}"},
	};

	test("a key that finds no memory is an error, and nothing is left");
	for (size_t i = 0; i < sizeof(written) / sizeof(written[0]); i++)
		refuse_each(written[i].text, parse, &written[i]);
}

static void
check_views(void)
{
	static const int64_t numbers[] = {1};
	static const int32_t small[] = {0, 1};
	static const char *const texts[] = {"a"};
	ribbon_key key = ribbon_key_int64(1);

	test("a view of keys that finds no memory is NULL");
	for (int form = RIBBON_KEYS_INT64; form <= RIBBON_KEYS_HASHED; form++)
	{
		ribbon_keys *keys = NULL;

		refuse(1);
		switch ((RibbonKeysForm) form)
		{
			case RIBBON_KEYS_INT64:
				keys = ribbon_keys_int64(numbers, 1);
				break;
			case RIBBON_KEYS_INT32:
				keys = ribbon_keys_int32(small, 1);
				break;
			case RIBBON_KEYS_TEXTS:
				keys = ribbon_keys_texts(RIBBON_KEY_TEXT, texts, NULL, 1);
				break;
			case RIBBON_KEYS_PACKED:
				keys = ribbon_keys_packed(RIBBON_KEY_TEXT, "a", numbers, 0);
				break;
			case RIBBON_KEYS_PACKED32:
				keys = ribbon_keys_packed32(RIBBON_KEY_TEXT, "a", small, 1);
				break;
			case RIBBON_KEYS_FIXED:
				keys = ribbon_keys_fixed(RIBBON_KEY_TEXT, "a", 1, 1);
				break;
			case RIBBON_KEYS_HASHED:
				keys = ribbon_keys_hashed(&key, 1);
				break;
		}
		CHECK(keys == NULL && allocations == 1, "form %d", form);
	}
	refuse(0);
}

typedef enum Values
{
	NONE,
	NUMBERS,
	TEXTS,
	MEMBERS
} Values;

typedef struct Building
{
	const char *name;
	Values values;
	ribbon_kind kind;
	int64_t n;
	uint64_t memory; /* 0: as usual; less than may be asked for */
	unsigned threads;
} Building;

static const Building buildings[] = {
	{"filter", NONE, RIBBON_KIND_BURR, 5000, 0, 1},
	{"homogeneous filter", NONE, RIBBON_KIND_HOMOGENEOUS, 5000, 0, 1},
	{"map of numbers", NUMBERS, RIBBON_KIND_BURR, 1500, 0, 1},
	{"map of texts", TEXTS, RIBBON_KIND_BURR, 1500, 0, 1},
	{"exact set", MEMBERS, RIBBON_KIND_EXACT, 1500, 0, 1},
	{"filter in a file", NONE, RIBBON_KIND_BURR, 12000, 1 << 16, 1},
	{"exact set in a file", MEMBERS, RIBBON_KIND_EXACT, 9000, 1 << 16, 1},
};

#define NBUILDINGS (sizeof(buildings) / sizeof(buildings[0]))

static ribbon_status
begin_build(const Building *b, ribbon_builder **builder)
{
	ribbon_status status = ribbon_builder_new(builder, RIBBON_KEY_INTEGER,
											  0.01);

	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_set_kind(*builder, b->kind);
	if (status == RIBBON_SUCCESS &&
		(b->values == NUMBERS || b->values == TEXTS))
		status = ribbon_builder_set_values(*builder,
										   b->values == TEXTS ?
											   RIBBON_VALUE_TEXT :
											   RIBBON_VALUE_INT64);
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_set_threads(*builder, b->threads);
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_set_directory(*builder, "/tmp");
	if (status == RIBBON_SUCCESS && b->memory > 0)
		ribbon_tempfile_set_memory(&(*builder)->file, b->memory);
	return status;
}

static ribbon_status
add_key(const Building *b, ribbon_builder *builder, int64_t i)
{
	ribbon_key key = ribbon_key_int64(i);
	char text[20];

	switch (b->values)
	{
		case NUMBERS:
			return ribbon_builder_add_int64_value(builder, key, i % 100);
		case TEXTS:
			(void) snprintf(text, sizeof(text), "value %d", (int) (i % 700));
			return ribbon_builder_add_text_value(builder, key, text,
												 strlen(text));
		case MEMBERS:
			return ribbon_builder_add_member(builder, key, i % 3 == 0);
		case NONE:
			break;
	}
	return ribbon_builder_add(builder, key);
}

/* Build, open, check, and make smaller if that can be. */
static ribbon_status
do_all(const void *arg)
{
	const Building *b = arg;
	ribbon_builder *builder = NULL;
	ribbon_filter *filter = NULL;
	void *bytes = NULL, *shrunk = NULL;
	size_t size;
	ribbon_status status = begin_build(b, &builder);

	for (int64_t i = 0; i < b->n && status == RIBBON_SUCCESS; i++)
		status = add_key(b, builder, i);
	if (status == RIBBON_SUCCESS)
		status = ribbon_builder_finish(builder, &bytes, &size);
	if (status == RIBBON_SUCCESS)
		status = ribbon_filter_open_bytes(&filter, bytes, size);
	if (status == RIBBON_SUCCESS)
		status = ribbon_filter_check(filter);
	if (status == RIBBON_SUCCESS && b->values == NONE)
		status = ribbon_filter_shrink(filter, 0.1, &shrunk, &size);
	ribbon_builder_free(builder);
	ribbon_filter_close(filter);
	ribbon_bytes_free(bytes);
	ribbon_bytes_free(shrunk);
	return status;
}

static void
check_builds(void)
{
	test("a build that finds no memory is an error, and nothing is left");
	for (size_t i = 0; i < NBUILDINGS; i++)
		refuse_each(buildings[i].name, do_all, &buildings[i]);
}

/* All keys, each again if it found no memory; how often that was is counted. */
static Made
build_stubbornly(const Building *b, long at, int *nrefused)
{
	ribbon_builder *builder = NULL;

	CHECK(begin_build(b, &builder) == RIBBON_SUCCESS, "%s",
		  ribbon_error_text());
	refuse(at);
	for (int64_t i = 0; i < b->n; i++)
		while (add_key(b, builder, i) == RIBBON_ERROR_MEMORY)
			(*nrefused)++;
	refuse(0);
	CHECK(ribbon_builder_count(builder) == (uint64_t) b->n, "count");
	return finish(builder);
}

static void
check_again(void)
{
	test("a key that found no memory can be added again");
	for (size_t i = 0; buildings[i].memory == 0; i++)
	{
		const Building *b = &buildings[i];
		int none = 0;
		Made usual = build_stubbornly(b, 0, &none);

		CHECK(none == 0, "%s: refused", b->name);
		for (long at = 1;; at++)
		{
			int nrefused = 0;
			Made made = build_stubbornly(b, at, &nrefused);

			CHECK(same(&usual, &made), "%s, %ld", b->name, at);
			drop(&made);
			if (nrefused == 0)
				break;
		}
		drop(&usual);
	}
}

/* A set in a file is broken by what it lost. */
static void
check_broken(void)
{
	const Building *b = &buildings[NBUILDINGS - 1];
	int nbroken = 0;

	test("keys that were lost for want of memory cannot be left out");
	for (long at = 1; at < 60; at++)
	{
		ribbon_builder *builder = NULL;
		ribbon_status status = begin_build(b, &builder);
		void *bytes = NULL;
		size_t size;

		refuse(at);
		for (int64_t i = 0; i < b->n && status == RIBBON_SUCCESS; i++)
			status = add_key(b, builder, i);
		refuse(0);
		if (status != RIBBON_SUCCESS && builder->broken_by != RIBBON_SUCCESS)
		{
			nbroken++;
			CHECK(add_key(b, builder, 1) == RIBBON_ERROR_MEMORY &&
					  ribbon_builder_finish(builder, &bytes, &size) ==
						  RIBBON_ERROR_MEMORY &&
					  strstr(ribbon_error_text(), "lost keys") != NULL,
				  "%ld: %s", at, ribbon_error_text());
		}
		ribbon_builder_free(builder);
	}
	CHECK(nbroken >= 5, "%d", nbroken);
}

/* The temporary file becomes another one once all keys are added. */
static void
check_file(void)
{
	static const struct
	{
		const char *path;
		int flags;
		int error;
		const char *expected;
	} files[] = {
		{"/dev/full", O_RDWR, ENOSPC,
		 "could not write a temporary file in \"/tmp\""},
		{"/dev/null", O_RDWR, EIO,
		 "could not read a temporary file in \"/tmp\""},
		{"/dev/null", O_WRONLY, EBADF,
		 "could not read a temporary file in \"/tmp\""},
	};
	const Building *b = &buildings[NBUILDINGS - 2];

	test("a temporary file that cannot be read or written is an error");
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
	{
		ribbon_builder *builder = NULL;
		ribbon_status status = begin_build(b, &builder);
		int fd = open(files[i].path, files[i].flags);
		void *bytes = NULL;
		size_t size;

		for (int64_t k = 0; k < b->n && status == RIBBON_SUCCESS; k++)
			status = add_key(b, builder, k);
		CHECK(status == RIBBON_SUCCESS && fd >= 0 &&
				  dup2(fd, builder->file.fd) == builder->file.fd,
			  "%s", ribbon_error_text());
		CHECK(ribbon_builder_finish(builder, &bytes, &size) ==
					  RIBBON_ERROR_FILE &&
				  errno == files[i].error &&
				  strstr(ribbon_error_text(), files[i].expected) != NULL,
			  "%s: %d, %s", files[i].path, errno, ribbon_error_text());
		close(fd);
		ribbon_builder_free(builder);
	}
}

static void
check_parts(void)
{
#ifdef __GLIBC__
	const Building *b = &buildings[NBUILDINGS - 2];
	int none = 0;
	Made usual = build_stubbornly(b, 0, &none);
	Made parts;

	test("a temporary file that is read and written in parts");
	in_parts = true;
	parts = build_stubbornly(b, 0, &none);
	in_parts = false;
	CHECK(same(&usual, &parts) && ncalls > 100, "%d calls, %s", ncalls,
		  ribbon_error_text());
	drop(&usual);
	drop(&parts);
#endif
}

/* Of a program that has closed its standard input. */
static void
check_first_descriptor(void)
{
	int saved = dup(0);

	test("a temporary file is closed, whatever its number");
	close(0);
	CHECK(do_all(&buildings[NBUILDINGS - 2]) == RIBBON_SUCCESS &&
			  fcntl(0, F_GETFD) < 0,
		  "%s", ribbon_error_text());
	if (saved >= 0)
		(void) dup2(saved, 0);
	close(saved);
}

static void
check_threads(void)
{
	Building b = {"filter", NONE, RIBBON_KIND_BURR, 300000, 0, 3};
	int none = 0;
	Made threads = build_stubbornly(&b, 0, &none);
	Made alone;

	test("a build whose threads cannot be created gives the same bytes");
	refuse_threads = true;
	alone = build_stubbornly(&b, 0, &none);
	refuse_threads = false;
	CHECK(same(&threads, &alone), "%zu and %zu bytes", threads.size,
		  alone.size);
	drop(&threads);
	drop(&alone);
}

int
main(void)
{
	check_keys();
	check_views();
	check_builds();
	check_again();
	check_broken();
	check_file();
	check_parts();
	check_first_descriptor();
	check_threads();
	return test_done();
}
