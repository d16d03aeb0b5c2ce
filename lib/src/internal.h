/*
 * internal.h - what the files of libribbon share
 *
 *	 error.c	texts of errors, by thread
 *	 key.c		keys from what a program has; canonical forms
 *	 parse.c	keys from texts; numerics: numeric.c; times: civilread.c,
 *				intervalread.c; addresses: netread.c; JSON: jsonread.c
 *	 valuetext.c	numbers of values, likewise
 *	 keys.c		many keys at once
 *	 work.c		what the core asks of its caller: threads, progress
 *	 tempfile.c	a file for keys that do not fit into memory
 *	 builder.h	from keys to bytes: builder*.c, conflict.c
 *	 filter.c	opening, and what a filter tells of itself
 *	 ask.c		contains and get
 *
 * lib/include/ribbon.h is the library's header, src/core/ribbon.h the core's,
 * on which all of this stands.
 */
#ifndef RIBBON_INTERNAL_H
#define RIBBON_INTERNAL_H

/* What the library shows; the rest is hidden. */
#pragma GCC visibility push(default)
#include "include/ribbon.h"
#pragma GCC visibility pop
#include "ribbon.h"

#include "base/bits.h"
#include "set/element.h"
#include "set/set.h"
#include "values/civil.h"
#include "values/number.h"
#include "values/range.h"
#include "values/texts.h"
#include "values/utf8.h"

#include <string.h>

/* Keys of a batch that are hashed, and looked up, together. */
#define RIBBON_KEYS_BATCH 1024

/*
 * error.c
 */

/* Set the text of this thread; returns status. */
extern ribbon_status ribbon_error_set(ribbon_status status, const char *format,
									  ...)
	__attribute__((format(printf, 2, 3)));

/* Out of memory: RIBBON_ERROR_MEMORY. */
extern ribbon_status ribbon_error_memory(void);

/* The same of a file, with what errno says; RIBBON_ERROR_FILE. */
extern ribbon_status ribbon_error_file(const char *what, const char *name);

/* Put the name of a file in front of the text. */
extern void ribbon_error_prefix(const char *name);

/* The status of the core, with a text. */
extern ribbon_status ribbon_error_core(RibbonStatus status);

/* A key of type given, where keys are of another type. */
extern ribbon_status ribbon_error_key_type(int given, int wanted);

/*
 * key.c
 */

/* Bytes of a canonical form that has always the same size; 0 if it has not. */
extern size_t ribbon_key_size(int key_type);

/* Is it a number that a key's type may have? */
extern bool ribbon_key_type_is_valid(int key_type);

/* The double of the canonical form: neither -0 nor one of many NaNs. */
extern double ribbon_key_float(double number);

/* The size without trailing blanks. */
extern size_t ribbon_key_trimmed(const char *text, size_t size);

/*
 * parse.c
 */

/* A decimal number, with or without sign, and nothing else. */
extern bool ribbon_parse_integer(const char *text, size_t size,
								 int64_t *number);

/* As the server reads a boolean: a word, or what it begins with. */
extern bool ribbon_parse_bool(const char *text, size_t size, bool *value);

/* Blanks around a text do not count. */
extern void ribbon_parse_trim(const char **text, size_t *size);

/*
 * A text as a message shows it, in shown[0..RIBBON_SHOWN]: not too long, and
 * nothing that a terminal would obey.
 */
#define RIBBON_SHOWN 60
extern const char *ribbon_parse_show(const char *text, size_t size,
									 char *shown);

static inline bool
ribbon_parse_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Is it this word, in whichever case? */
extern bool ribbon_parse_is_word(const char *text, size_t size,
								 const char *word);

/*
 * civilread.c: a date or time without blanks around it, as values/civil.h has
 * it.  False if the text is none.
 */
extern bool ribbon_civil_date(const char *text, size_t size, int32_t *days);
extern bool ribbon_civil_time(const char *text, size_t size, int64_t *time);
extern bool ribbon_civil_timestamp(const char *text, size_t size, bool has_zone,
								   int64_t *timestamp);

/* Seconds west of UTC are set to *zone. */
extern bool ribbon_civil_timetz(const char *text, size_t size, int64_t *time,
								int32_t *zone);

/*
 * numeric.c: set *valid to whether it is a numeric, and *key, if so.  Errors:
 * RIBBON_ERROR_MEMORY.
 */
extern ribbon_status ribbon_numeric_key(ribbon_key *key, const char *text,
										size_t size, bool *valid);

/*
 * The shortest text of a number's value, which is no infinity, to be freed if
 * it is valid.
 */
extern ribbon_status ribbon_numeric_shortest(const char *text, size_t size,
											 char **shortest, size_t *length,
											 bool *valid);

/* jsonread.c: the same of a jsonb. */
extern ribbon_status ribbon_json_key(ribbon_key *key, const char *text,
									 size_t size, bool *valid);

/* netread.c, intervalread.c: false if it is none. */
extern bool ribbon_inet_key(ribbon_key *key, const char *text, size_t size);
extern bool ribbon_interval_key(ribbon_key *key, const char *text, size_t size);

/*
 * keys.c
 */

typedef enum RibbonKeysForm
{
	RIBBON_KEYS_INT64,
	RIBBON_KEYS_INT32,
	RIBBON_KEYS_TEXTS,
	RIBBON_KEYS_PACKED,
	RIBBON_KEYS_PACKED32,
	RIBBON_KEYS_FIXED,
	RIBBON_KEYS_HASHED
} RibbonKeysForm;

/* The type of no keys, if they are not told otherwise. */
#define RIBBON_KEY_NONE (-1)

struct ribbon_keys
{
	RibbonKeysForm form;
	int key_type;
	const void *data;
	const void *sizes; /* or offsets */
	size_t size;	   /* of each, if fixed */
	size_t n;
};

/* How many keys from this one on are a batch. */
static inline size_t
ribbon_keys_batch(const ribbon_keys *keys, size_t first)
{
	return (size_t) ribbon_min64(keys->n - first, RIBBON_KEYS_BATCH);
}

/*
 * Set hashes[i] to the hash of key first + i, i < n, under the seed of a set of
 * this type; and, unless seconds is NULL, seconds[i] to its second hash.
 * Errors: RIBBON_ERROR_KEY_TYPE, RIBBON_ERROR_KEY.
 */
extern ribbon_status ribbon_keys_hash(const ribbon_keys *keys, int key_type,
									  uint32_t seed, size_t first, size_t n,
									  uint64_t *hashes, uint64_t *seconds);

/*
 * work.c
 */

#define RIBBON_MAX_THREADS 64

/* A long call: who is told how far it is, and whether it is to end. */
typedef struct RibbonWork
{
	ribbon_progress progress; /* or NULL */
	void *progress_arg;
	unsigned nthreads;
	double share; /* done */
	double begin; /* of what is done now: begin + span is its end */
	double span;
	bool cancelled; /* read and written atomically while threads run */
} RibbonWork;

/* What the core is given; work must stay. */
extern RibbonEnv ribbon_work_env(RibbonWork *work);

/* Say that this share of the current span is done; true: it is to end. */
extern bool ribbon_work_report(RibbonWork *work, double share);

/* The number of cores, at most RIBBON_MAX_THREADS. */
extern unsigned ribbon_work_cores(void);

/* As RibbonEnv.run. */
extern RibbonStatus ribbon_work_run(void *work, unsigned n, RibbonTask *task,
									void *task_arg);

/*
 * tempfile.c: a file for sets that do not fit into memory (set/set.h).  Threads
 * may read it.
 */

typedef enum RibbonTempFailure
{
	RIBBON_TEMP_CREATE,
	RIBBON_TEMP_WRITE,
	RIBBON_TEMP_READ
} RibbonTempFailure;

typedef struct RibbonTempFile
{
	RibbonFile file;
	const char *directory;
	int fd;			 /* or -1 */
	bool has_failed; /* a call of the file's, with RIBBON_BAD_FILE: */
	int failed;		 /* errno, and */
	RibbonTempFailure what;
} RibbonTempFile;

/* A file in a directory, whose sets are sorted in so many bytes of memory. */
extern void ribbon_tempfile_init(RibbonTempFile *file, const char *directory,
								 uint64_t memory);

/* The error of a file that has failed, with its text. */
extern ribbon_status ribbon_tempfile_error(const RibbonTempFile *file);

extern void ribbon_tempfile_close(RibbonTempFile *file);

/*
 * filter.c
 */

struct ribbon_filter
{
	RibbonFilter core;
	RibbonDictionary dictionary; /* of a map that has one */
	void *mapped;				 /* from a file, or NULL */
};

#endif /* RIBBON_INTERNAL_H */
