/*
 * ribbon.h - libribbon: filters and maps of PostgreSQL's ribbon, without it
 *
 * A filter answers "is this key in the set?" from a few bits per key.  It says
 * yes to every member.  To another key it says yes with a small probability,
 * the false-positive rate (FPR), which is chosen when it is built.
 *
 * A map returns the value of each of its keys; it rejects another key, except
 * with probability FPR.
 *
 * An exact set is a filter that is right about all keys of a known universe,
 * members and others, and often wrong about other keys, or at a rate of theirs.
 *
 * None of them stores the keys.
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
 *	 ribbon_filter_close(filter);
 *	 ribbon_bytes_free(bytes);
 *	 ribbon_builder_free(builder);
 *
 * The same set gives the same bytes as on the server.  Neither the order of the
 * keys nor duplicates, machine, instruction set or number of threads matter.
 *
 * Names.  Functions are ribbon_TYPE_verb or ribbon_TYPE_result; but
 * ribbon_expected_size is of a filter.  ribbon_builder, ribbon_filter and
 * ribbon_keys are opaque, so programs work with later libraries.
 *
 * Errors.  A function that can fail returns RIBBON_SUCCESS (0) or a negative
 * ribbon_status.  One that answers a question about a key returns 1 for yes and
 * 0 for no, or a ribbon_found; or a negative status.  After an error do not use
 * the results: there is nothing to free but what you had before.
 * ribbon_error_text says what was wrong.
 *
 * Pointers.  An array, text or buffer may be NULL if it has no elements or
 * bytes.  Otherwise pointers are NULL only where that is said.
 *
 * Threads.  Several threads may call all functions at the same time, on
 * different objects.  An opened filter or map, and ribbon_keys, do not change:
 * many threads may use one.  A builder is for one thread at a time.
 */
#ifndef LIBRIBBON_H
#define LIBRIBBON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C++ programs see the functions as C functions. */
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

/* The version of the library that the program runs with, in the same form. */
extern int ribbon_library_version(void);

/* ---- Errors ---- */

/* What functions return: 0 for success, a negative number for an error. */
typedef enum ribbon_status
{
	RIBBON_SUCCESS = 0,
	RIBBON_ERROR_MEMORY = -1,	   /* out of memory */
	RIBBON_ERROR_CANCELLED = -2,   /* the progress function returned true */
	RIBBON_ERROR_FPR = -3,		   /* a rate that is not possible */
	RIBBON_ERROR_OPTION = -4,	   /* a wrong option, or set too late */
	RIBBON_ERROR_KEY_TYPE = -5,	   /* the key's type is not the set's */
	RIBBON_ERROR_KEY = -6,		   /* text or bytes that are no key */
	RIBBON_ERROR_VALUE_TYPE = -7,  /* the value's type is not the map's */
	RIBBON_ERROR_VALUE_RANGE = -8, /* a value out of range, or too many
									* different values */
	RIBBON_ERROR_CONFLICT = -9,	   /* one key, or hash, with two values */
	RIBBON_ERROR_FILE = -10,	   /* a file failed; errno says why */
	RIBBON_ERROR_TRUNCATED = -11,  /* fewer bytes than the header calls for */
	RIBBON_ERROR_VERSION = -12,	   /* a format unknown to this library */
	RIBBON_ERROR_CORRUPT = -13,	   /* bytes that no builder writes */
	RIBBON_ERROR_NOT_LARGER = -14, /* shrink: the rate is below the filter's */
	RIBBON_ERROR_NOT_A_FILTER = -15, /* a map, but it must be a filter */
	RIBBON_ERROR_NOT_A_MAP = -16,	 /* a filter, but it must be a map */
	RIBBON_ERROR_IS_EXACT = -17,	 /* an exact set, which cannot shrink */
	RIBBON_ERROR_NOT_EXACT = -18	 /* not an exact set, or without a time */
} ribbon_status;

/*
 * A text that says what was wrong with the last failed call of this thread,
 * without capital and full stop.  It is valid until a call of this thread fails
 * again, and is not to be freed.
 */
extern const char *ribbon_error_text(void);

/* ---- Keys ---- */

/*
 * The types of keys, which are PostgreSQL's.  docs/canonical.md explains them,
 * and has the numbers of the types that have no name here.
 */
typedef enum ribbon_key_type
{
	RIBBON_KEY_ANY = 0,			/* hashes that the program makes itself */
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
	RIBBON_KEY_INTERVAL = 15,	/* interval */
	RIBBON_KEY_INET = 16,		/* inet, cidr */
	RIBBON_KEY_ENUM = 17,		/* labels of all enums */
	RIBBON_KEY_CHAR = 18,		/* char(n) */
	RIBBON_KEY_TIMETZ = 19,		/* timetz */
	RIBBON_KEY_XID8 = 20,		/* xid8 */
	RIBBON_KEY_LSN = 21,		/* pg_lsn */
	RIBBON_KEY_BIT = 22,		/* bit, varbit */
	RIBBON_KEY_JSONB = 27		/* jsonb */
} ribbon_key_type;

/*
 * A key: two hashes of its canonical bytes, and its type.  Its size will not
 * change; its contents are private.  It has no memory to free.  Making one
 * cannot fail, except by ribbon_key_parse.
 */
typedef struct ribbon_key
{
	uint64_t opaque[3];
} ribbon_key;

/* A smallint, integer or bigint; its type is RIBBON_KEY_INTEGER. */
extern ribbon_key ribbon_key_int64(int64_t number);

/*
 * A text of size bytes in UTF-8, without a terminating zero.  The bytes are not
 * checked: other bytes are keys of a database with encoding SQL_ASCII.  They
 * are not normalized either, so equal texts must have equal bytes, as in
 * PostgreSQL.
 */
extern ribbon_key ribbon_key_text(const char *text, size_t size);

/* A char(n), likewise; trailing blanks do not count. */
extern ribbon_key ribbon_key_char(const char *text, size_t size);

/* A value of an enum, by its label in UTF-8. */
extern ribbon_key ribbon_key_enum(const char *label, size_t size);

/* A bytea. */
extern ribbon_key ribbon_key_bytes(const void *bytes, size_t size);

/* A uuid: its 16 bytes, in the order in which it is written. */
extern ribbon_key ribbon_key_uuid(const uint8_t bytes[16]);

/* A boolean. */
extern ribbon_key ribbon_key_bool(bool value);

/*
 * A date, in days since 2000-01-01, which is 10957 days after 1970-01-01.
 * INT32_MAX is infinity, INT32_MIN is -infinity.
 */
extern ribbon_key ribbon_key_date(int32_t days);

/* A time, in microseconds since midnight. */
extern ribbon_key ribbon_key_time(int64_t microseconds);

/*
 * A timestamp, and a timestamptz in UTC, in microseconds since 2000-01-01
 * 00:00, which is 946684800 seconds after 1970-01-01 00:00.  INT64_MAX is
 * infinity, INT64_MIN is -infinity.
 */
extern ribbon_key ribbon_key_timestamp(int64_t microseconds);
extern ribbon_key ribbon_key_timestamptz(int64_t microseconds);

/* An oid, an xid8, a pg_lsn. */
extern ribbon_key ribbon_key_oid(uint32_t oid);
extern ribbon_key ribbon_key_xid8(uint64_t xid);
extern ribbon_key ribbon_key_lsn(uint64_t lsn);

/* A real or double precision.  -0 is the key 0, and all NaNs are one key. */
extern ribbon_key ribbon_key_float8(double number);

/* A macaddr of 6 bytes, a macaddr8 of 8. */
extern ribbon_key ribbon_key_macaddr(const uint8_t bytes[6]);
extern ribbon_key ribbon_key_macaddr8(const uint8_t bytes[8]);

/*
 * A key of any type, from size canonical bytes, made by the rules of
 * docs/canonical.md.  key_type is a number of that page.  For arrays, ranges,
 * multiranges and rows, the bits above its low five have the classes of parts,
 * as in a filter (docs/format.md).
 */
extern ribbon_key ribbon_key_canonical(int key_type, const void *bytes,
									   size_t size);

/*
 * A key from its hashes.  hash is XXH3-64 and hash2 is XXH64 of the canonical
 * bytes, both with seed 0.  For keys of a program's own, any two hashes will do
 * that are as good as random and independent of each other.  Only maps with a
 * seed and exact sets use hash2.
 */
extern ribbon_key ribbon_key_hashed(int key_type, uint64_t hash,
									uint64_t hash2);

/*
 * Read a key from the size bytes of a text, as PostgreSQL writes the type, and
 * set *key: 42, a uuid with or without hyphens, \x0aff, t or false, 2024-02-29,
 * 2024-02-29 12:34:56.789, 1.50, 1/ABCDEF, 10.0.0.0/8, ::1, 1 day 02:00:00 or
 * P1DT2H, 0101.  A timestamptz or timetz must end with its zone, such as +02 or
 * Z.  An inet may be a cidr without its mask: 10 and 0x0a are 10.0.0.0/8.
 * Texts, chars and enums must be UTF-8 without zero bytes.  Blanks around the
 * text are ignored, except in these and in byteas.  A jsonb has at most 1000
 * levels, a float at most 511 characters.
 *
 * Errors: RIBBON_ERROR_KEY (it is no key of the type), _MEMORY; _KEY_TYPE for
 * RIBBON_KEY_ANY and types that have no name above.
 */
extern ribbon_status ribbon_key_parse(ribbon_key *key, int key_type,
									  const char *text, size_t size);

/* The two hashes of a key, and its type. */
extern uint64_t ribbon_key_hash(ribbon_key key);
extern uint64_t ribbon_key_hash2(ribbon_key key);
extern int ribbon_key_type_of(ribbon_key key);

/*
 * The shard of a key, 0 .. nshards - 1, which is that of ribbon_shard on the
 * server, where nshards is at most 2^31 - 1.  It must not be 0.
 */
extern uint32_t ribbon_key_shard(ribbon_key key, uint32_t nshards);

/*
 * The name of a type, such as "integer", without those of its parts; NULL if
 * there is no such type.  It is constant: not to be freed.
 */
extern const char *ribbon_key_type_name(int key_type);

/*
 * The number of the type with this name, in whichever case; -1 if there is
 * none.  The names are those of ribbon_key_type_name, and other common ones:
 * int, int64, bigint, bytes, float8, double precision, cidr ...
 */
extern int ribbon_key_type_named(const char *name);

/* ---- Many keys ---- */

/*
 * A view of many keys in an array of the caller's.  Nothing is copied, so the
 * array must stay as it is until ribbon_keys_free.
 *
 * Each of the functions below makes a view of another form of array, or returns
 * NULL if there is no memory.  Functions that take many keys take all forms;
 * NULL is RIBBON_ERROR_MEMORY to them, so that it need not be looked at before.
 */
typedef struct ribbon_keys ribbon_keys;

/* n integers of 64 bits, or of 32. */
extern ribbon_keys *ribbon_keys_int64(const int64_t *numbers, size_t n);
extern ribbon_keys *ribbon_keys_int32(const int32_t *numbers, size_t n);

/*
 * n texts: text i has sizes[i] bytes.  If sizes is NULL, it ends at its first
 * zero byte.  For RIBBON_KEY_TEXT, _CHAR, _ENUM and _BYTES these are the text,
 * label or bytes; for other types they are canonical bytes (to read keys from
 * texts there is ribbon_key_parse).  A size that the type does not have is
 * RIBBON_ERROR_KEY when the keys are used.
 */
extern ribbon_keys *ribbon_keys_texts(int key_type, const char *const *texts,
									  const size_t *sizes, size_t n);

/*
 * n such texts side by side: text i is data[offsets[i] .. offsets[i + 1]).
 * There are n + 1 offsets, of 64 or of 32 bits, as in Apache Arrow.  Offsets
 * that decrease are RIBBON_ERROR_KEY when the keys are used.
 */
extern ribbon_keys *ribbon_keys_packed(int key_type, const void *data,
									   const int64_t *offsets, size_t n);
extern ribbon_keys *ribbon_keys_packed32(int key_type, const void *data,
										 const int32_t *offsets, size_t n);

/*
 * n keys of size bytes each, side by side.  For RIBBON_KEY_FLOAT they are
 * doubles of the machine, for RIBBON_KEY_TEXT and _BYTES texts of one length,
 * for other types canonical bytes.  Sizes are checked likewise.
 */
extern ribbon_keys *ribbon_keys_fixed(int key_type, const void *data,
									  size_t size, size_t n);

/*
 * n keys that have been made before.  Keys of different types are
 * RIBBON_ERROR_KEY_TYPE when they are used.
 */
extern ribbon_keys *ribbon_keys_hashed(const ribbon_key *keys, size_t n);

/* Free the view, but not the array.  NULL is allowed. */
extern void ribbon_keys_free(ribbon_keys *keys);

/* ---- Values ---- */

/*
 * The types of a map's values, with the numbers of docs/format.md.  (Names with
 * an S, RIBBON_VALUES_PLAIN, are codes: ribbon_code.)
 */
typedef enum ribbon_value_type
{
	RIBBON_VALUE_TEXT = 0, /* at most 65,536 different ones */
	RIBBON_VALUE_BOOL = 1,
	RIBBON_VALUE_INT16 = 2,
	RIBBON_VALUE_INT32 = 3,
	RIBBON_VALUE_INT64 = 4,
	RIBBON_VALUE_DATE = 5,		/* these are numbers, in the */
	RIBBON_VALUE_TIMESTAMP = 6, /* units of keys of the type */
	RIBBON_VALUE_TIMESTAMPTZ = 7
} ribbon_value_type;

/*
 * Read a value from the size bytes of a text, such as 42, true or 2024-02-29
 * 12:34:56, and set *number.  Blanks around it are ignored.
 *
 * Errors: RIBBON_ERROR_VALUE_RANGE (it is no value of the type), _VALUE_TYPE
 * (RIBBON_VALUE_TEXT, whose values are no numbers).
 */
extern ribbon_status ribbon_value_parse(int64_t *number,
										ribbon_value_type value_type,
										const char *text, size_t size);

/*
 * Write a value as text to buffer[0..room), with a terminating zero, as map ->>
 * key shows it on the server; a timestamptz in UTC.  A number that is no value
 * of the type is written in digits; as a boolean, every number but 0 is true.
 *
 * A longer text is cut off; 48 bytes are enough for any.  Returns the length of
 * the whole text.
 */
extern size_t ribbon_value_format(int64_t number, ribbon_value_type value_type,
								  char *buffer, size_t room);

/* ---- Builders ---- */

/* Collects keys, and builds a filter, map or exact set from them. */
typedef struct ribbon_builder ribbon_builder;

/*
 * Make a builder, which the caller frees by ribbon_builder_free.  It builds a
 * filter of keys of this type, unless options say otherwise.  RIBBON_KEY_ANY
 * stands for the type of the first key; if no key comes, for that of the first
 * ribbon_keys without keys.
 *
 * fpr is the false-positive rate of a filter or map, 2^-32 .. 0.5.  A map may
 * also have 1: then it has no bits to reject keys with, and returns some value
 * for any key.  For an exact set it must be one of these, say 1, but means
 * nothing: ribbon_builder_set_exact_fpr alone sets the rate of that.
 *
 * Errors: RIBBON_ERROR_FPR, _KEY_TYPE, _MEMORY.
 */
extern ribbon_status ribbon_builder_new(ribbon_builder **builder, int key_type,
										double fpr);

/* Free a builder, and remove its files.  NULL is allowed. */
extern void ribbon_builder_free(ribbon_builder *builder);

/* ---- Options of builders ---- */

/*
 * Set them before the first key is added.  Errors of all: RIBBON_ERROR_OPTION,
 * if it is too late, or the option cannot have this value.  Whether options go
 * together is checked by the first call that adds keys, or finishes.
 */

/* The kinds of filters. */
typedef enum ribbon_kind
{
	RIBBON_KIND_BURR = 0,		 /* smallest */
	RIBBON_KIND_HOMOGENEOUS = 1, /* fastest to probe */
	RIBBON_KIND_AUTO = 2,		 /* the one that takes fewer bytes */
	RIBBON_KIND_EXACT = 3		 /* right about all keys of a universe */
} ribbon_kind;

/* Set the kind; RIBBON_KIND_BURR is the default, as on the server. */
extern ribbon_status ribbon_builder_set_kind(ribbon_builder *builder,
											 ribbon_kind kind);

/* Build a map, with values of this type.  Its kind is RIBBON_KIND_BURR. */
extern ribbon_status ribbon_builder_set_values(ribbon_builder *builder,
											   ribbon_value_type value_type);

/*
 * The codes in which a map may store its values, whichever type these have.
 * (Names without the S, RIBBON_VALUE_TEXT, are types: ribbon_value_type.)
 */
typedef enum ribbon_code
{
	RIBBON_VALUES_PLAIN = 0,   /* all in the same number of bits */
	RIBBON_VALUES_ENTROPY = 1, /* frequent ones in fewer bits */
	RIBBON_VALUES_AUTO = 2	   /* the one that takes fewer bytes */
} ribbon_code;

/* Set a map's code; RIBBON_VALUES_AUTO is the default, as on the server. */
extern ribbon_status ribbon_builder_set_code(ribbon_builder *builder,
											 ribbon_code code);

/*
 * Set the seed that the keys of a map are hashed with; 0 is the default.  If
 * two different keys have one hash by chance, another seed tells them apart.
 */
extern ribbon_status ribbon_builder_set_seed(ribbon_builder *builder,
											 uint32_t seed);

/*
 * Set the time up to which the universe of an exact set is complete, in the
 * units of ribbon_key_timestamptz.  Without it, the set has no time.
 */
extern ribbon_status ribbon_builder_set_as_of(ribbon_builder *builder,
											  int64_t as_of);

/*
 * Set the false-positive rate of an exact set for keys outside its universe,
 * 2^-32 to 0.5.  It may come out lower where that takes fewer bytes.  If it is
 * not set, it is whatever takes the fewest bytes, often 0.5 or more.  Either
 * way ribbon_filter_fpr says what it has become.
 *
 * The fpr of ribbon_builder_new is not the rate of an exact set, and this one
 * is that of nothing else: RIBBON_ERROR_OPTION, when it is built, for a filter
 * of another kind, or a map.  Errors: also RIBBON_ERROR_FPR.
 */
extern ribbon_status ribbon_builder_set_exact_fpr(ribbon_builder *builder,
												  double fpr);

/* Set the ribbon width: 32, 64 or 128; 0, the default, chooses one. */
extern ribbon_status ribbon_builder_set_width(ribbon_builder *builder,
											  int width);

/*
 * Set about how many bytes of memory the keys may take: at least 16 MB, 256 MB
 * by default.  Further keys go to temporary files, with 8 bytes per key, or 16
 * in maps and exact sets.
 *
 * The result, some 25 MB of work space, and 15 MB for each thread but the first
 * come on top.  Of a map these are 30 MB and 20 MB, and the size of its second
 * plane (docs/format.md); with other codes than plain ones, the size of the
 * whole map and 20 MB instead of that plane's.
 */
extern ribbon_status ribbon_builder_set_memory(ribbon_builder *builder,
											   uint64_t bytes);

/*
 * Set the directory of temporary files; NULL, the default, or an empty string
 * is $TMPDIR, or /tmp (on Windows, the user's).  The string is copied.  The
 * files have no names, so they vanish with the process.
 * Errors also: RIBBON_ERROR_MEMORY.
 */
extern ribbon_status ribbon_builder_set_directory(ribbon_builder *builder,
												  const char *directory);

/*
 * Set how many threads may sort and solve, at most 64; 0, the default, is one
 * for each core.
 */
extern ribbon_status ribbon_builder_set_threads(ribbon_builder *builder,
												unsigned threads);

/*
 * Set a function to report progress to, which may cancel; NULL, the default, is
 * none.  Calls of the builder call it every few milliseconds of work, in their
 * own thread, with the arg given here and the share of ribbon_builder_finish
 * that is done, 0 .. 1.  If it returns true, the call ends with
 * RIBBON_ERROR_CANCELLED.  It must not use the builder, which is at work.
 */
typedef bool (*ribbon_progress)(void *arg, double share);
extern ribbon_status ribbon_builder_set_progress(ribbon_builder *builder,
												 ribbon_progress progress,
												 void *arg);

/* ---- Building ---- */

/*
 * Add a key, or many, to a filter.  Duplicates count once.
 *
 * After an error some of many keys may have been added.  After
 * RIBBON_ERROR_MEMORY, _FILE, _CONFLICT and _CANCELLED keys may be lost: free
 * the builder.
 *
 * Errors: RIBBON_ERROR_KEY_TYPE, _KEY (see ribbon_keys), _MEMORY, _FILE,
 * _CANCELLED; _FPR for a filter at rate 1; _OPTION if options contradict each
 * other, after ribbon_builder_finish, and for maps and exact sets, which have
 * functions of their own.
 */
extern ribbon_status ribbon_builder_add(ribbon_builder *builder,
										ribbon_key key);
extern ribbon_status ribbon_builder_add_keys(ribbon_builder *builder,
											 const ribbon_keys *keys);

/*
 * Add a key and its value to a map: a number, a text of size bytes in UTF-8
 * without zero bytes, or NULL.  The text is copied.
 *
 * Errors: those of ribbon_builder_add, and RIBBON_ERROR_VALUE_TYPE,
 * _VALUE_RANGE, _NOT_A_MAP.  A key with two values is RIBBON_ERROR_CONFLICT,
 * here or from ribbon_builder_finish.  So are two texts with one hash, which at
 * most one map in 8 * 10^9 has; another seed helps.
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
 * The same for many keys.  Key i has value i, or NULL if nulls[i] is true.  If
 * nulls is NULL, no value is NULL.  If sizes is NULL, a text ends at its first
 * zero byte.
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
 * Add a key, or many, to the universe of an exact set, and say whether it is a
 * member.
 *
 * Errors: those of ribbon_builder_add, and RIBBON_ERROR_NOT_EXACT.  A key that
 * is once a member and once not is RIBBON_ERROR_CONFLICT, here or from
 * ribbon_builder_finish.
 */
extern ribbon_status ribbon_builder_add_member(ribbon_builder *builder,
											   ribbon_key key, bool member);
extern ribbon_status ribbon_builder_add_members(ribbon_builder *builder,
												const ribbon_keys *keys,
												const bool *members);

/* The number of keys that have been added, with duplicates. */
extern uint64_t ribbon_builder_count(const ribbon_builder *builder);

/*
 * Build the filter, map or exact set, and set *bytes to its *size bytes, which
 * the caller frees by ribbon_bytes_free.  Afterwards, also after an error, the
 * builder can only be freed, or asked by ribbon_builder_find_conflict; but if
 * its options do not go together, it is as it was.
 *
 * Errors: RIBBON_ERROR_CONFLICT (a key has two values, which ribbon_error_text
 * names, or is and is not a member of an exact set; or keys of an exact set
 * have one hash under each seed that was tried), _MEMORY, _FILE, _CANCELLED,
 * _OPTION and _FPR (as ribbon_builder_add); _VALUE_RANGE if a map has NULL
 * beside numbers that leave no room for it: their range takes all 64 bits, or
 * one is -7332882250841393536.
 */
extern ribbon_status ribbon_builder_finish(ribbon_builder *builder,
										   void **bytes, size_t *size);

/*
 * After RIBBON_ERROR_CONFLICT: which key was it?  The builder does not keep the
 * keys, so give it again what was added.  Sets *found to the number, from 0 on,
 * of the first one among these keys, or to how many they are if it is none of
 * them.  If two different keys have one hash, either is found.
 *
 * Errors: RIBBON_ERROR_OPTION (no key was in conflict, but two texts of a map
 * had one hash, say), _KEY_TYPE, _KEY and _MEMORY (see ribbon_keys).
 */
extern ribbon_status ribbon_builder_find_conflict(const ribbon_builder *builder,
												  const ribbon_keys *keys,
												  size_t *found);

/* Free bytes that a function of this library has made.  NULL is allowed. */
extern void ribbon_bytes_free(void *bytes);

/*
 * The size in bytes that a filter of nkeys keys is expected to have; 0 if the
 * rate is not 2^-32 .. 0.5, or nkeys is above 2^48.
 */
extern uint64_t ribbon_expected_size(uint64_t nkeys, double fpr);

/* ---- Opening ---- */

/* A filter or map that has been opened, called "filter" for both below. */
typedef struct ribbon_filter ribbon_filter;

/*
 * Open the size bytes of a filter or map, and set *filter, which the caller
 * closes by ribbon_filter_close.  The bytes stay the caller's: they are not
 * copied, and must not change until then.
 *
 * The bytes may come from anywhere: the header is validated, and no later call
 * reads outside of them.
 *
 * Errors: RIBBON_ERROR_TRUNCATED, _VERSION, _CORRUPT, _MEMORY.
 */
extern ribbon_status ribbon_filter_open_bytes(ribbon_filter **filter,
											  const void *bytes, size_t size);

/*
 * Open a file, which is mapped into memory until the filter is closed, so that
 * lookups read only what they need.  Do not write into the file or shorten it
 * meanwhile.  To replace it, write another file and rename that.
 *
 * Errors: RIBBON_ERROR_FILE, and those of ribbon_filter_open_bytes.
 */
extern ribbon_status ribbon_filter_open_file(ribbon_filter **filter,
											 const char *path);

/* Close a filter, and unmap its file.  NULL is allowed. */
extern void ribbon_filter_close(ribbon_filter *filter);

/* The bytes that the filter was opened from; sets *size to their number. */
extern const void *ribbon_filter_bytes(const ribbon_filter *filter,
									   size_t *size);

/* ---- Asking ---- */

/*
 * Is the key in the set or map?  Returns 0 if it is surely not, and 1 if it may
 * be, which it does for all members.  An exact set is right, either way, about
 * the keys of its universe.  Errors: RIBBON_ERROR_KEY_TYPE.
 *
 * A filter of char(n) can also be asked for texts, in the functions below that
 * take texts or ribbon_keys of texts: trailing blanks do not count.  It cannot
 * be asked for a ribbon_key of a text, which no longer has the blanks.
 */
extern int ribbon_filter_contains(const ribbon_filter *filter, ribbon_key key);

/* The same for a text of size bytes. */
extern int ribbon_filter_contains_text(const ribbon_filter *filter,
									   const char *text, size_t size);

/*
 * The same for many keys: sets answers[i] for key i.  Errors:
 * RIBBON_ERROR_KEY_TYPE, _KEY and _MEMORY (see ribbon_keys).
 */
extern ribbon_status ribbon_filter_contains_keys(const ribbon_filter *filter,
												 const ribbon_keys *keys,
												 bool *answers);

/*
 * What a map says about a key; and ribbon_filter_member, whose answer is that
 * of SQL's ribbon_member: false, true or NULL.
 */
typedef enum ribbon_found
{
	RIBBON_FOUND_NO = 0,	/* the key is not in it */
	RIBBON_FOUND_VALUE = 1, /* it is; in a map, with a value */
	RIBBON_FOUND_NULL = 2	/* of a map: it is, with the value NULL; of an
							 * exact set: it is not known whether it is */
} ribbon_found;

/*
 * Look a key up in a map of numbers, which booleans, dates and timestamps are,
 * too.  Returns a ribbon_found, and sets *value if that is RIBBON_FOUND_VALUE.
 *
 * Errors: RIBBON_ERROR_KEY_TYPE, _VALUE_TYPE (a map of texts), _NOT_A_MAP.
 */
extern int ribbon_filter_get_int64(const ribbon_filter *filter, ribbon_key key,
								   int64_t *value);

/*
 * Look a key up in a map that has a dictionary: its values are texts, or of
 * another type, as texts that PostgreSQL has written.  Sets *text and *size:
 * the text is a part of the map's bytes, valid as long as these, and without a
 * terminating zero.
 *
 * Errors: RIBBON_ERROR_KEY_TYPE, _VALUE_TYPE (a map of numbers), _NOT_A_MAP,
 * _CORRUPT (a damaged dictionary).
 */
extern int ribbon_filter_get_text(const ribbon_filter *filter, ribbon_key key,
								  const char **text, size_t *size);

/*
 * The same for many keys: sets found[i] to the ribbon_found of key i, and value
 * i if that is RIBBON_FOUND_VALUE.  Errors also: RIBBON_ERROR_KEY and _MEMORY
 * (see ribbon_keys).
 */
extern ribbon_status ribbon_filter_get_int64s(const ribbon_filter *filter,
											  const ribbon_keys *keys,
											  uint8_t *found, int64_t *values);
extern ribbon_status ribbon_filter_get_texts(const ribbon_filter *filter,
											 const ribbon_keys *keys,
											 uint8_t *found, const char **texts,
											 size_t *sizes);

/*
 * Is the key in an exact set that has a time?  Returns RIBBON_FOUND_VALUE (1)
 * or _NO (0); or RIBBON_FOUND_NULL if key_time, in the units of
 * ribbon_key_timestamptz, is later than the set's, which knows nothing about
 * the key.  A set of no keys at all knows nothing about any, if it has no time.
 *
 * Errors: RIBBON_ERROR_KEY_TYPE; _NOT_EXACT for another set without a time.
 */
extern int ribbon_filter_member(const ribbon_filter *filter, ribbon_key key,
								int64_t key_time);

/* ---- What it is ---- */

/* Is it a map?  Otherwise it is a filter, which an exact set is, too. */
extern bool ribbon_filter_is_map(const ribbon_filter *filter);

/* The kind; never RIBBON_KIND_AUTO. */
extern ribbon_kind ribbon_filter_kind(const ribbon_filter *filter);

/* The type of the keys, with classes of parts as in ribbon_key_canonical. */
extern int ribbon_filter_key_type(const ribbon_filter *filter);

/* The number of distinct keys; of an exact set, the number of members. */
extern uint64_t ribbon_filter_count(const ribbon_filter *filter);

/*
 * The false-positive rate: the probability that the filter says yes to a random
 * key that is not in it; for an exact set, not in its universe.  0 if the
 * filter is empty, 1 if it is a map that was built with rate 1.
 */
extern double ribbon_filter_fpr(const ribbon_filter *filter);

/* Set *as_of to the time of an exact set.  Returns false if it has none. */
extern bool ribbon_filter_as_of(const ribbon_filter *filter, int64_t *as_of);

/*
 * The type of a map's values.  All types whose values are in a dictionary are
 * RIBBON_VALUE_TEXT.  So is that of a filter, which has no values.
 */
extern ribbon_value_type ribbon_filter_value_type(const ribbon_filter *filter);

/*
 * Write the name of a map's type of values, such as "bigint", "text" or
 * "public.plan", to buffer[0..room), with a terminating zero; of a filter it is
 * empty.  A longer name is cut off; 517 bytes are enough for any.  Returns the
 * length of the whole name.
 */
extern size_t ribbon_filter_value_type_name(const ribbon_filter *filter,
											char *buffer, size_t room);

/* What ribbon_filter_stat may be asked for. */
typedef enum ribbon_stat
{
	RIBBON_STAT_FORMAT_VERSION = 0,
	RIBBON_STAT_WIDTH = 1,	/* ribbon width */
	RIBBON_STAT_LAYERS = 2, /* 0 if the filter is empty */
	RIBBON_STAT_SLOTS = 3,
	RIBBON_STAT_EMPTY_SLOTS = 4,	 /* slots that no key fills */
	RIBBON_STAT_BUMPED_KEYS = 5,	 /* keys that layer 0 does not hold */
	RIBBON_STAT_VALUE_BITS = 6,		 /* per key of a map */
	RIBBON_STAT_DISTINCT_VALUES = 7, /* of a map, if known; else -1 */
	RIBBON_STAT_SEED = 8,			 /* of a map, or an exact set */
	RIBBON_STAT_DICTIONARY = 9,		 /* bytes; 0: the map has none */
	RIBBON_STAT_UNIVERSE = 10,		 /* keys of an exact set's universe */
	RIBBON_STAT_CODE = 11,			 /* a map's ribbon_code */
	RIBBON_STAT_TABLE = 12,			 /* bytes of a map's table of codes */
	RIBBON_STAT_CODE_BITS = 13,		 /* of all codes of a map's keys */
	RIBBON_STAT_RATED = 14			 /* of an exact set: 1 if it was built
									  * with a rate, 0 if not */
} ribbon_stat;

/* A number about the filter; -1 if filters of this kind do not have it. */
extern int64_t ribbon_filter_stat(const ribbon_filter *filter,
								  ribbon_stat stat);

/*
 * Check all bytes for damage, as far as that can be seen without the keys.
 * Bytes that this library or the server wrote, and that are undamaged, pass.
 * Most damage to the slots of a filter of kind BuRR cannot be seen.
 *
 * Errors: RIBBON_ERROR_CORRUPT.
 */
extern ribbon_status ribbon_filter_check(const ribbon_filter *filter);

/* ---- Shrinking ---- */

/*
 * Make a smaller filter of the same keys, with the higher rate fpr.  The keys
 * are not needed.  Sets *bytes and *size as ribbon_builder_finish does.  A
 * filter stores its first rate beside the new one, so one of fewer than about
 * 20 keys can become up to 3 bytes larger.
 *
 * Errors: RIBBON_ERROR_FPR, _NOT_LARGER (fpr is below the filter's rate),
 * _NOT_A_FILTER, _IS_EXACT, _MEMORY.
 */
extern ribbon_status ribbon_filter_shrink(const ribbon_filter *filter,
										  double fpr, void **bytes,
										  size_t *size);

LIBRIBBON_END

#endif /* LIBRIBBON_H */
