/*
 * ribbon.h - libribbon: filters and maps of PostgreSQL's ribbon, without it
 *
 * A filter answers "is this key in the set?" from a few bits per key.  It says
 * yes to every member, and rarely to another key: at the false-positive rate
 * (FPR) that was chosen when it was built.  A map returns the value of each of
 * its keys, and rejects other keys, but for the same rate.  Neither stores the
 * keys.
 *
 *	 ribbon_builder *builder;
 *	 ribbon_filter *filter;
 *	 void *bytes;
 *	 size_t size;
 *
 *	 ribbon_builder_new(&builder, RIBBON_KEY_INTEGER, 0.01);
 *	 ribbon_builder_add(builder, ribbon_key_int64(42));
 *	 ribbon_builder_finish(builder, &bytes, &size);
 *	 ribbon_filter_open_bytes(&filter, bytes, size);
 *	 if (ribbon_filter_contains(filter, ribbon_key_int64(42)) == 1)
 *		 puts("it may be in the set");
 *
 * The same set gives the same bytes as on the server, whatever the order, the
 * duplicates, the machine, its instruction set and the number of threads.
 * Bytes are validated when they are opened, so they may come from anywhere.
 *
 * Names.  Functions are ribbon_TYPE_verb.  All types but ribbon_key are opaque,
 * so programs work with later libraries.
 *
 * Errors.  Functions return RIBBON_SUCCESS (0) or a negative ribbon_status;
 * those that answer a question return 1 for yes, 0 for no, or a negative
 * status.  After an error, results are not set, and there is nothing to free.
 * ribbon_error_text says what was wrong with the last call of this thread.
 *
 * Threads.  Several threads may call all functions at a time, on different
 * objects.  Opened filters and maps do not change, so all threads may use one.
 */
#ifndef LIBRIBBON_H
#define LIBRIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In C++, names are C's. */
#ifdef __cplusplus
#define LIBRIBBON_BEGIN \
	extern "C" \
	{
#define LIBRIBBON_END }
#else
#define LIBRIBBON_BEGIN
#define LIBRIBBON_END
#endif

LIBRIBBON_BEGIN

/* The version of this header: major * 10000 + minor * 100 + patch. */
#define LIBRIBBON_VERSION 10000

/* The version of the library that a program runs with, as in the header. */
extern int ribbon_library_version(void);

/* ---- Errors ---- */

/* What a function returns if it fails. */
typedef enum ribbon_status
{
	RIBBON_SUCCESS = 0,
	RIBBON_ERROR_MEMORY = -1,	   /* out of memory */
	RIBBON_ERROR_CANCELLED = -2,   /* the progress callback said so */
	RIBBON_ERROR_FPR = -3,		   /* a rate outside of what is possible */
	RIBBON_ERROR_OPTION = -4,	   /* an option, or when it is set */
	RIBBON_ERROR_KEY_TYPE = -5,	   /* a key of another type than the set's */
	RIBBON_ERROR_KEY = -6,		   /* text that is no key of its type */
	RIBBON_ERROR_VALUE_TYPE = -7,  /* a value of another type than the map's */
	RIBBON_ERROR_VALUE_RANGE = -8, /* a value, or the values of a map, out of
									* range, or too many of them */
	RIBBON_ERROR_CONFLICT = -9,	   /* one key with two values */
	RIBBON_ERROR_FILE = -10,	   /* a file: errno says why */
	RIBBON_ERROR_TRUNCATED = -11,  /* fewer bytes than the header calls for */
	RIBBON_ERROR_VERSION = -12,	   /* a format that this library cannot read */
	RIBBON_ERROR_CORRUPT = -13,	   /* bytes that no builder writes */
	RIBBON_ERROR_NOT_LARGER = -14, /* shrinking to a rate below the filter's */
	RIBBON_ERROR_NOT_A_FILTER = -15, /* a map, where only a filter will do */
	RIBBON_ERROR_NOT_A_MAP = -16,	 /* a filter, where only a map will do */
	RIBBON_ERROR_IS_EXACT = -17,	 /* an exact set, which has no rate */
	RIBBON_ERROR_NOT_EXACT = -18	 /* not exact, or without its time */
} ribbon_status;

/*
 * What was wrong with the last call of this thread that failed, as a sentence
 * without capital and full stop.  It stays until the next one that fails.
 */
extern const char *ribbon_error_text(void);

/* ---- Keys ---- */

/*
 * The types of keys: PostgreSQL's, by the numbers of docs/canonical.md, where
 * all are explained.  Those that are not named here have numbers, too.
 */
typedef enum ribbon_key_type
{
	RIBBON_KEY_ANY = 0,			/* hashes that a program has made itself */
	RIBBON_KEY_INTEGER = 1,		/* smallint, integer, bigint */
	RIBBON_KEY_TEXT = 2,		/* text, varchar, name */
	RIBBON_KEY_BYTES = 3,		/* bytea */
	RIBBON_KEY_UUID = 4,		/* uuid */
	RIBBON_KEY_BOOL = 5,		/* boolean */
	RIBBON_KEY_DATE = 6,		/* date */
	RIBBON_KEY_TIME = 7,		/* time */
	RIBBON_KEY_TIMESTAMP = 8,	/* timestamp */
	RIBBON_KEY_TIMESTAMPTZ = 9, /* timestamptz */
	RIBBON_KEY_OID = 10,		/* oid */
	RIBBON_KEY_FLOAT = 11,		/* double precision, real */
	RIBBON_KEY_MACADDR = 12,	/* macaddr */
	RIBBON_KEY_MACADDR8 = 13,	/* macaddr8 */
	RIBBON_KEY_NUMERIC = 14,	/* numeric */
	RIBBON_KEY_ENUM = 17,		/* every enum: the label */
	RIBBON_KEY_CHAR = 18,		/* char(n) */
	RIBBON_KEY_XID8 = 20,		/* xid8 */
	RIBBON_KEY_LSN = 21			/* pg_lsn */
} ribbon_key_type;

/*
 * A key: two hashes of its canonical bytes, and its type.  It is as good as the
 * key itself wherever a key is taken.  What is in it is the library's affair,
 * but its size will not change.
 */
typedef struct ribbon_key
{
	uint64_t opaque[3];
} ribbon_key;

/* A smallint, integer or bigint: type RIBBON_KEY_INTEGER. */
extern ribbon_key ribbon_key_int64(int64_t number);

/*
 * The size bytes of a text in UTF-8; a terminating zero is not one of them.
 * They are not looked at: what is not UTF-8 is the key of a database with
 * encoding SQL_ASCII, where texts are bytes.  Equal characters must be equal
 * bytes, as in PostgreSQL, which does not normalize either.
 */
extern ribbon_key ribbon_key_text(const char *text, size_t size);

/* The same for char(n): trailing blanks do not count. */
extern ribbon_key ribbon_key_char(const char *text, size_t size);

/* The label of an enum's value, in UTF-8. */
extern ribbon_key ribbon_key_enum(const char *label, size_t size);

/* Bytes, as a bytea. */
extern ribbon_key ribbon_key_bytes(const void *bytes, size_t size);

/* The 16 bytes of a UUID, in the order in which they are written. */
extern ribbon_key ribbon_key_uuid(const uint8_t bytes[16]);

/* A boolean. */
extern ribbon_key ribbon_key_bool(bool value);

/*
 * Days since 2000-01-01 (10957 days after 1970-01-01); INT32_MAX and INT32_MIN
 * stand for infinity and -infinity.
 */
extern ribbon_key ribbon_key_date(int32_t days);

/* Microseconds since midnight. */
extern ribbon_key ribbon_key_time(int64_t microseconds);

/*
 * Microseconds since 2000-01-01 00:00 (946684800 seconds after 1970), without
 * and with time zone, which means UTC; INT64_MAX and INT64_MIN stand for
 * infinity and -infinity.
 */
extern ribbon_key ribbon_key_timestamp(int64_t microseconds);
extern ribbon_key ribbon_key_timestamptz(int64_t microseconds);

/* An oid; an xid8; a pg_lsn. */
extern ribbon_key ribbon_key_oid(uint32_t oid);
extern ribbon_key ribbon_key_xid8(uint64_t xid);
extern ribbon_key ribbon_key_lsn(uint64_t lsn);

/* A float or double: -0 is 0, and every NaN is alike. */
extern ribbon_key ribbon_key_float8(double number);

/* The 6 bytes of a macaddr; the 8 of a macaddr8. */
extern ribbon_key ribbon_key_macaddr(const uint8_t bytes[6]);
extern ribbon_key ribbon_key_macaddr8(const uint8_t bytes[8]);

/*
 * The key of any type, from canonical bytes, made by the rules of
 * docs/canonical.md.  key_type is a number from there; for arrays, ranges,
 * multiranges and rows with the classes of parts above its low five bits, as a
 * filter stores them (docs/format.md).
 */
extern ribbon_key ribbon_key_canonical(int key_type, const void *bytes,
									   size_t size);

/*
 * A key from two hashes: XXH3-64 and XXH64 of the canonical bytes, both with
 * seed 0; or any others that are as good as random and independent of each
 * other.  hash2 matters in maps with a seed, and in exact sets.
 */
extern ribbon_key ribbon_key_hashed(int key_type, uint64_t hash,
									uint64_t hash2);

/*
 * Set *key to that of a text, as PostgreSQL writes the type: 42, a uuid with or
 * without hyphens, \x0aff, t or false, 2024-02-29, 2024-02-29 12:34:56.789,
 * with +02 or Z behind it (timestamptz, which must have it), 1.50, 1/ABCDEF.
 * Blanks around it do not count, but in texts, chars and enums, which must be
 * UTF-8 without zero bytes.
 *
 * Errors: RIBBON_ERROR_KEY; RIBBON_ERROR_KEY_TYPE for a type that has no name
 * above.
 */
extern ribbon_status ribbon_key_parse(ribbon_key *key, int key_type,
									  const char *text, size_t size);

/* The two hashes, and the type, of a key. */
extern uint64_t ribbon_key_hash(ribbon_key key);
extern uint64_t ribbon_key_hash2(ribbon_key key);
extern int ribbon_key_type_of(ribbon_key key);

/*
 * The shard of a key, 0 .. nshards - 1, as ribbon_shard has it on the server;
 * nshards > 0.
 */
extern uint32_t ribbon_key_shard(ribbon_key key, uint32_t nshards);

/* The name of a type: "integer"; NULL if there is no such type. */
extern const char *ribbon_key_type_name(int key_type);

/*
 * The number of a type's name: of those of ribbon_key_type_name, and of int,
 * int64, bigint, bytes, float8 and others that mean one of these; or -1.
 */
extern int ribbon_key_type_named(const char *name);

/* ---- Many keys ---- */

/*
 * Many keys in an array of the caller's, of which nothing is copied: it must
 * stay until ribbon_keys_free.  Wherever many keys are taken, they may come in
 * any of these forms.  Made by several functions below, each of which returns
 * NULL if there is no memory.
 */
typedef struct ribbon_keys ribbon_keys;

/* n integers of 64 bits, or 32. */
extern ribbon_keys *ribbon_keys_int64(const int64_t *numbers, size_t n);
extern ribbon_keys *ribbon_keys_int32(const int32_t *numbers, size_t n);

/*
 * n texts; text i has sizes[i] bytes, or ends at its first zero byte if sizes
 * is NULL.  key_type is RIBBON_KEY_TEXT, _CHAR, _ENUM or _BYTES, else the
 * pointers are to canonical bytes of the type.
 */
extern ribbon_keys *ribbon_keys_texts(int key_type, const char *const *texts,
									  const size_t *sizes, size_t n);

/*
 * The same side by side: text i is data[offsets[i] .. offsets[i + 1]).  There
 * are n + 1 offsets, of 64 or of 32 bits (as in Apache Arrow).
 */
extern ribbon_keys *ribbon_keys_packed(int key_type, const void *data,
									   const int64_t *offsets, size_t n);
extern ribbon_keys *ribbon_keys_packed32(int key_type, const void *data,
										 const int32_t *offsets, size_t n);

/*
 * n keys of size bytes each, side by side: for RIBBON_KEY_FLOAT doubles of the
 * machine, for RIBBON_KEY_TEXT and _BYTES texts of one length, for others
 * canonical bytes.
 */
extern ribbon_keys *ribbon_keys_fixed(int key_type, const void *data,
									  size_t size, size_t n);

/* Keys that have been made before; all must be of the same type. */
extern ribbon_keys *ribbon_keys_hashed(const ribbon_key *keys, size_t n);

/* Free the view; not the array.  NULL is allowed. */
extern void ribbon_keys_free(ribbon_keys *keys);

/* ---- Building ---- */

/*
 * A set of keys from which a filter or map is to be built.  One thread at a
 * time may use it.
 */
typedef struct ribbon_builder ribbon_builder;

/*
 * A builder for a filter of keys of this type, at false-positive rate fpr,
 * 2^-32 .. 0.5; for a map, 1 is possible, too (any key gets some value, and
 * nothing is spent on telling keys apart).  RIBBON_KEY_ANY takes the type of
 * the first key.
 *
 * Errors: RIBBON_ERROR_FPR, _KEY_TYPE, _MEMORY.
 */
extern ribbon_status ribbon_builder_new(ribbon_builder **builder, int key_type,
										double fpr);

/* Free a builder, and its files.  NULL is allowed. */
extern void ribbon_builder_free(ribbon_builder *builder);

/*
 * Add keys to a filter's.  Those that are there already count once.  After an
 * error some of many keys may have been added; after RIBBON_ERROR_FILE,
 * _CONFLICT and _CANCELLED the builder can only be freed.
 *
 * Errors: RIBBON_ERROR_KEY_TYPE, _MEMORY, _FILE, _CANCELLED; _OPTION for a map,
 * whose keys have values, and after ribbon_builder_finish.
 */
extern ribbon_status ribbon_builder_add(ribbon_builder *builder,
										ribbon_key key);
extern ribbon_status ribbon_builder_add_keys(ribbon_builder *builder,
											 const ribbon_keys *keys);

/*
 * Add a key and its value to a map: a number, a text in UTF-8, or NULL.  Text
 * must not contain zero bytes.
 *
 * Errors also: RIBBON_ERROR_VALUE_TYPE, _VALUE_RANGE, _NOT_A_MAP.  That a key
 * has two values is found out at the end.
 */
extern ribbon_status ribbon_builder_add_int64_value(ribbon_builder *builder,
													ribbon_key key,
													int64_t value);
extern ribbon_status ribbon_builder_add_text_value(ribbon_builder *builder,
												   ribbon_key key,
												   const char *text,
												   size_t size);
extern ribbon_status ribbon_builder_add_null_value(ribbon_builder *builder,
												   ribbon_key key);

/*
 * The same for many keys: values[i] belongs to key i; it is NULL where nulls[i]
 * is true.  nulls may be NULL: none is.  A text ends at its first zero byte if
 * sizes is NULL.
 */
extern ribbon_status ribbon_builder_add_int64_values(ribbon_builder *builder,
													 const ribbon_keys *keys,
													 const int64_t *values,
													 const bool *nulls);
extern ribbon_status ribbon_builder_add_text_values(ribbon_builder *builder,
													const ribbon_keys *keys,
													const char *const *texts,
													const size_t *sizes,
													const bool *nulls);

/*
 * Add keys of its universe to an exact set, and whether they are members.  That
 * a key is a member and is not is found out at the end.
 *
 * Errors as of ribbon_builder_add, and RIBBON_ERROR_NOT_EXACT.
 */
extern ribbon_status ribbon_builder_add_member(ribbon_builder *builder,
											   ribbon_key key, bool member);
extern ribbon_status ribbon_builder_add_members(ribbon_builder *builder,
												const ribbon_keys *keys,
												const bool *members);

/* How many keys have been added, with duplicates. */
extern uint64_t ribbon_builder_count(const ribbon_builder *builder);

/*
 * Build.  *bytes are the filter's *size bytes, which the caller frees by
 * ribbon_bytes_free.  The builder is empty afterwards, whatever the outcome;
 * it can only be freed.
 *
 * Errors: RIBBON_ERROR_CONFLICT (ribbon_error_text names the values, or says
 * that a key is a member of an exact set and is not), _MEMORY,
 * _FILE, _CANCELLED, _VALUE_RANGE (numbers from end to end of 64 bits, and
 * NULL).
 */
extern ribbon_status ribbon_builder_finish(ribbon_builder *builder,
										   void **bytes, size_t *size);

/* Free bytes that this library has returned.  NULL is allowed. */
extern void ribbon_bytes_free(void *bytes);

/*
 * The bytes that a filter of nkeys keys can be expected to take, at most 2^48
 * keys; 0 if the rate is not possible.
 */
extern uint64_t ribbon_expected_size(uint64_t nkeys, double fpr);

/* ---- Options of builders ---- */

/* What a filter is built as. */
typedef enum ribbon_kind
{
	RIBBON_KIND_BURR = 0,		 /* smallest */
	RIBBON_KIND_HOMOGENEOUS = 1, /* fastest to build */
	RIBBON_KIND_AUTO = 2,		 /* whichever takes fewer bytes */
	RIBBON_KIND_EXACT = 3		 /* right about all keys that are told */
} ribbon_kind;

/* The types of a map's values, by the numbers of docs/format.md. */
typedef enum ribbon_value_type
{
	RIBBON_VALUE_TEXT = 0, /* at most 65,536 different ones */
	RIBBON_VALUE_BOOL = 1,
	RIBBON_VALUE_INT16 = 2,
	RIBBON_VALUE_INT32 = 3,
	RIBBON_VALUE_INT64 = 4,
	RIBBON_VALUE_DATE = 5,		/* as numbers, in the units */
	RIBBON_VALUE_TIMESTAMP = 6, /* of keys of these types */
	RIBBON_VALUE_TIMESTAMPTZ = 7
} ribbon_value_type;

/*
 * Build a map with values of this type; only of kind BuRR.  Call this and the
 * functions below before the first key is added.  RIBBON_ERROR_OPTION says that
 * it is too late, or that there is no such value.
 */
extern ribbon_status ribbon_builder_set_values(ribbon_builder *builder,
											   ribbon_value_type value_type);

/* The kind; RIBBON_KIND_BURR unless set, as on the server. */
extern ribbon_status ribbon_builder_set_kind(ribbon_builder *builder,
											 ribbon_kind kind);

/*
 * An exact set (RIBBON_KIND_EXACT) is a filter that has no wrong answer for any
 * key of a known universe, members and others; about other keys it is often
 * wrong.  Its rate is ignored.  as_of is the time up to which the universe is
 * complete, in microseconds since 2000-01-01 00:00 UTC.
 */
extern ribbon_status ribbon_builder_set_as_of(ribbon_builder *builder,
											  int64_t as_of);

/* The ribbon width, 32, 64 or 128; 0, the default, chooses one. */
extern ribbon_status ribbon_builder_set_width(ribbon_builder *builder,
											  int width);

/* How a map stores its values. */
typedef enum ribbon_code
{
	RIBBON_VALUES_PLAIN = 0,   /* all in as many bits */
	RIBBON_VALUES_ENTROPY = 1, /* frequent ones in fewer bits */
	RIBBON_VALUES_AUTO = 2	   /* that which takes fewer bytes */
} ribbon_code;

/* That; RIBBON_VALUES_AUTO unless set, as on the server. */
extern ribbon_status ribbon_builder_set_code(ribbon_builder *builder,
											 ribbon_code code);

/* The seed of a map, 0 unless set: for two keys with one hash. */
extern ribbon_status ribbon_builder_set_seed(ribbon_builder *builder,
											 uint32_t seed);

/*
 * About how many bytes of keys to keep in memory: 256 MB unless set, at least
 * 16 MB.  Beyond, keys go to temporary files, of 8 bytes per key, in maps 16.
 * The result comes on top, and some 25 MB of work space and 15 MB per further
 * thread.
 */
extern ribbon_status ribbon_builder_set_memory(ribbon_builder *builder,
											   uint64_t bytes);

/*
 * Where temporary files are made: nameless ones, which vanish with the process.
 * $TMPDIR, or /tmp, unless set.
 */
extern ribbon_status ribbon_builder_set_directory(ribbon_builder *builder,
												  const char *directory);

/* How many threads may sort and solve; 0, the default, is one per core. */
extern ribbon_status ribbon_builder_set_threads(ribbon_builder *builder,
												unsigned threads);

/*
 * A function that is called from time to time while a filter is built, at least
 * every few milliseconds of work, with the share of ribbon_builder_finish that
 * is done, 0 .. 1.  If it returns true, the call that it was called from ends
 * with RIBBON_ERROR_CANCELLED.  It is called by the thread of that call.
 */
typedef bool (*ribbon_progress)(void *arg, double share);
extern ribbon_status ribbon_builder_set_progress(ribbon_builder *builder,
												 ribbon_progress progress,
												 void *arg);

/* ---- Opening ---- */

/* A filter or map that has been opened. */
typedef struct ribbon_filter ribbon_filter;

/*
 * Open the bytes of a filter or map.  They are not copied, must stay as they
 * are until it is closed, and are the caller's.  The header is validated, and
 * no later call reads outside of them, whatever they are.
 *
 * Errors: RIBBON_ERROR_TRUNCATED, _VERSION, _CORRUPT, _MEMORY.
 */
extern ribbon_status ribbon_filter_open_bytes(ribbon_filter **filter,
											  const void *bytes, size_t size);

/*
 * Map a file into memory, and open it.  Lookups read only what they need.  To
 * replace the file while it is open, write another one and rename it; do not
 * write into it or make it shorter, as with any mapped file.
 *
 * Errors: RIBBON_ERROR_FILE, and those of ribbon_filter_open_bytes.
 */
extern ribbon_status ribbon_filter_open_file(ribbon_filter **filter,
											 const char *path);

/* Close it.  NULL is allowed. */
extern void ribbon_filter_close(ribbon_filter *filter);

/* Its *size bytes, which are those that it was opened from. */
extern const void *ribbon_filter_bytes(const ribbon_filter *filter,
									   size_t *size);

/* ---- Asking ---- */

/*
 * Is the key in the set, or map?  1: it may be, always so for its keys; 0:
 * surely not.  Errors: RIBBON_ERROR_KEY_TYPE.
 *
 * Everywhere below, keys of class text are looked up in a filter of char(n)
 * without their trailing blanks, if they come as text, which a ribbon_key is
 * not.
 */
extern int ribbon_filter_contains(const ribbon_filter *filter, ribbon_key key);

/* The same for a text. */
extern int ribbon_filter_contains_text(const ribbon_filter *filter,
									   const char *text, size_t size);

/* The same for many keys: sets answers[i] for key i. */
extern ribbon_status ribbon_filter_contains_keys(const ribbon_filter *filter,
												 const ribbon_keys *keys,
												 bool *answers);

/*
 * The same of an exact set with a time, of a key that has a time itself: 1, 0,
 * or RIBBON_FOUND_NULL if the key is newer than the set, which knows nothing of
 * it.  Errors: RIBBON_ERROR_KEY_TYPE, _NOT_EXACT.
 */
extern int ribbon_filter_member(const ribbon_filter *filter, ribbon_key key,
								int64_t key_time);

/* What a map says of a key. */
typedef enum ribbon_found
{
	RIBBON_FOUND_NO = 0, /* the key is not in it */
	RIBBON_FOUND_VALUE = 1,
	RIBBON_FOUND_NULL = 2 /* it is, and its value is NULL */
} ribbon_found;

/*
 * Look a key up in a map of numbers (of booleans, dates and timestamps, too)
 * and set *value; returns a ribbon_found.
 *
 * Errors: RIBBON_ERROR_KEY_TYPE, _VALUE_TYPE (a map of texts), _NOT_A_MAP.
 */
extern int ribbon_filter_get_int64(const ribbon_filter *filter, ribbon_key key,
								   int64_t *value);

/*
 * The same in a map whose values are in a dictionary: texts, or of any other
 * type, as PostgreSQL writes it.  *text is in the filter's bytes, *size long,
 * and has no terminating zero.
 *
 * Errors: RIBBON_ERROR_KEY_TYPE, _VALUE_TYPE (a map of numbers), _NOT_A_MAP,
 * _CORRUPT (the dictionary).
 */
extern int ribbon_filter_get_text(const ribbon_filter *filter, ribbon_key key,
								  const char **text, size_t *size);

/*
 * The same for many keys: found[i] is a ribbon_found, and where that is
 * RIBBON_FOUND_VALUE the value is set.
 */
extern ribbon_status ribbon_filter_get_int64s(const ribbon_filter *filter,
											  const ribbon_keys *keys,
											  uint8_t *found, int64_t *values);
extern ribbon_status ribbon_filter_get_texts(const ribbon_filter *filter,
											 const ribbon_keys *keys,
											 uint8_t *found, const char **texts,
											 size_t *sizes);

/*
 * The number of a value's text, of any type but RIBBON_VALUE_TEXT: 42, true,
 * 2024-02-29 12:34:56.  Errors: RIBBON_ERROR_VALUE_RANGE, _VALUE_TYPE.
 */
extern ribbon_status ribbon_value_parse(int64_t *number,
										ribbon_value_type value_type,
										const char *text, size_t size);

/*
 * The text of such a number, as map ->> key has it on the server (a timestamptz
 * in UTC); of one that is no value of the type, its digits.  It is set to
 * buffer[0..room), with a terminating zero; 48 bytes are enough for any.
 * Returns its length.
 */
extern size_t ribbon_value_format(int64_t number, ribbon_value_type value_type,
								  char *buffer, size_t room);

/* ---- What it is ---- */

/* Is it a map? */
extern bool ribbon_filter_is_map(const ribbon_filter *filter);

/* The type of its keys, as for ribbon_key_canonical. */
extern int ribbon_filter_key_type(const ribbon_filter *filter);

/* The number of its distinct keys. */
extern uint64_t ribbon_filter_count(const ribbon_filter *filter);

/*
 * Its false-positive rate: the probability that it says yes to a random key
 * that is not in it, or not in the universe of an exact set.  0 if it is empty,
 * 1 for a map without check bits.
 */
extern double ribbon_filter_fpr(const ribbon_filter *filter);

/*
 * Set *as_of to the time as of when an exact set is right; false if it does not
 * say.
 */
extern bool ribbon_filter_as_of(const ribbon_filter *filter, int64_t *as_of);

/* Its kind. */
extern ribbon_kind ribbon_filter_kind(const ribbon_filter *filter);

/* The type of a map's values; of all in a dictionary RIBBON_VALUE_TEXT. */
extern ribbon_value_type ribbon_filter_value_type(const ribbon_filter *filter);

/*
 * The name of that type: "bigint"; in a dictionary as it is stored, "text" or
 * "public.plan".  It is set to buffer[0..room), with a terminating zero, cut
 * off if need be (517 bytes are enough for any); returns its length.
 */
extern size_t ribbon_filter_value_type_name(const ribbon_filter *filter,
											char *buffer, size_t room);

/* Other numbers about it. */
typedef enum ribbon_stat
{
	RIBBON_STAT_FORMAT_VERSION = 0,
	RIBBON_STAT_WIDTH = 1,	/* ribbon width */
	RIBBON_STAT_LAYERS = 2, /* 0 if it is empty */
	RIBBON_STAT_SLOTS = 3,
	RIBBON_STAT_EMPTY_SLOTS = 4,	 /* that no key fills */
	RIBBON_STAT_BUMPED_KEYS = 5,	 /* from the first layer */
	RIBBON_STAT_VALUE_BITS = 6,		 /* of a map */
	RIBBON_STAT_DISTINCT_VALUES = 7, /* of a map, if known; else -1 */
	RIBBON_STAT_SEED = 8,			 /* of a map, or an exact set */
	RIBBON_STAT_DICTIONARY = 9,		 /* bytes of a map's; 0: it has none */
	RIBBON_STAT_UNIVERSE = 10,		 /* keys that an exact set knows */
	RIBBON_STAT_CODE = 11,			 /* of a map: a ribbon_code */
	RIBBON_STAT_TABLE = 12,			 /* bytes of a map's table of codes */
	RIBBON_STAT_CODE_BITS = 13		 /* of the codes of a map's keys */
} ribbon_stat;

/* One of them; -1 if there is no such number. */
extern int64_t ribbon_filter_stat(const ribbon_filter *filter,
								  ribbon_stat stat);

/*
 * Check all bytes, as far as that can be done without the keys.  It finds
 * nothing in what this library and the server write, undamaged.
 *
 * Errors: RIBBON_ERROR_CORRUPT.
 */
extern ribbon_status ribbon_filter_check(const ribbon_filter *filter);

/*
 * Make a smaller filter of the same keys with a higher rate, without the keys.
 * *bytes and *size are as of ribbon_builder_finish.
 *
 * Errors: RIBBON_ERROR_FPR, _NOT_LARGER, _NOT_A_FILTER, _IS_EXACT, _MEMORY.
 */
extern ribbon_status ribbon_filter_shrink(const ribbon_filter *filter,
										  double fpr, void **bytes,
										  size_t *size);

LIBRIBBON_END

#endif /* LIBRIBBON_H */
