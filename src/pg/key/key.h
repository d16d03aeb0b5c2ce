/*
 * key.h - from a value of any type to a 64-bit hash that lasts
 *
 * A stored filter lives longer than the session, the machine or the server
 * version that built it, and equal keys must hash equally for all that time.
 * So a key is first put into a *canonical form*: bytes that depend on its value
 * only.  These are hashed with XXH3-64.  A second hash of the same bytes
 * (XXH64) is made where two keys with one hash must be told apart: in maps with
 * a seed and in exact sets.
 *
 *	 keytype.c	 a type to its class and form, and those of its parts
 *	 keyrefuse.c why a type cannot be a key, and what to use instead
 *	 keyclass.c	 which filters a key can be looked up in
 *	 keyform.c	 a value without parts to canonical bytes
 *	 keynest.c	 arrays, rows, ranges, multiranges from those of their parts
 *	 keyjson.c	 jsonb likewise
 *	 keyhash.c	 canonical bytes to a hash: what runs once per row
 *	 elements.h	 the elements of an array
 *	 ribbonkey.c the type ribbonkey: a key's hashes as a value
 *
 * Here and in keyhash.h is what other folders call; what these files share is
 * in keyform.h.  docs/canonical.md has the canonical forms byte by byte.
 */
#ifndef RIBBON_KEY_H
#define RIBBON_KEY_H

#include "ribbon_pg.h"

#include "base/keynumber.h"

#include "port/pg_bswap.h"
#include "utils/typcache.h"

/*
 * Keys of types of one class can be equal: a filter built from int4 can be
 * probed with int8.  Stored in every filter: never renumber.
 */
typedef enum RibbonKeyClass
{
	RIBBON_CLASS_INTEGER = 1,
	RIBBON_CLASS_TEXT = 2,
	RIBBON_CLASS_BYTEA = 3,
	RIBBON_CLASS_UUID = 4,
	RIBBON_CLASS_BOOL = 5,
	RIBBON_CLASS_DATE = 6,
	RIBBON_CLASS_TIME = 7,
	RIBBON_CLASS_TIMESTAMP = 8,
	RIBBON_CLASS_TIMESTAMPTZ = 9,
	RIBBON_CLASS_OID = 10,
	RIBBON_CLASS_FLOAT = 11,
	RIBBON_CLASS_MACADDR = 12,
	RIBBON_CLASS_MACADDR8 = 13,
	RIBBON_CLASS_NUMERIC = 14,
	RIBBON_CLASS_INTERVAL = 15,
	RIBBON_CLASS_INET = 16,
	RIBBON_CLASS_ENUM = 17,
	RIBBON_CLASS_CHAR_N = 18,
	RIBBON_CLASS_TIMETZ = 19,
	RIBBON_CLASS_XID8 = 20,
	RIBBON_CLASS_PG_LSN = 21,
	RIBBON_CLASS_BIT = 22,
	RIBBON_CLASS_ARRAY = RIBBON_FIRST_NESTED_CLASS, /* 23 */
	RIBBON_CLASS_RANGE = 24,
	RIBBON_CLASS_MULTIRANGE = 25,
	RIBBON_CLASS_ROW = RIBBON_ROW_CLASS, /* 26 */
	RIBBON_CLASS_JSONB = 27,
	RIBBON_CLASS_OTHER_LE = 28, /* hashed by the type's own function, on a */
	RIBBON_CLASS_OTHER_BE = 29, /* little-endian or big-endian machine */
	RIBBON_CLASS_SEVERAL = 31	/* of parts: there are several classes */
} RibbonKeyClass;

#ifdef WORDS_BIGENDIAN
#define RIBBON_CLASS_OTHER RIBBON_CLASS_OTHER_BE
#else
#define RIBBON_CLASS_OTHER RIBBON_CLASS_OTHER_LE
#endif

/* How a value becomes canonical bytes.  One form may serve several classes. */
typedef enum RibbonKeyForm
{
	RIBBON_KEY_INT64,  /* by far the commonest, so 0 */
	RIBBON_KEY_INT32,  /* widened to int64 */
	RIBBON_KEY_INT16,  /* likewise */
	RIBBON_KEY_TEXT,   /* characters of a varlena */
	RIBBON_KEY_NAME,   /* characters of a C string, as is a name */
	RIBBON_KEY_BYTES,  /* bytes of a varlena */
	RIBBON_KEY_FIXED,  /* a fixed number of bytes by reference */
	RIBBON_KEY_WORD32, /* 32 bits as they are */
	RIBBON_KEY_BYTE,   /* 8 bits as they are */
	RIBBON_KEY_FLOAT8,
	RIBBON_KEY_FLOAT4,
	RIBBON_KEY_TIMETZ,
	RIBBON_KEY_NUMERIC,
	RIBBON_KEY_INTERVAL,
	RIBBON_KEY_INET,
	RIBBON_KEY_BITS,
	RIBBON_KEY_TID,
	RIBBON_KEY_ENUM,
	RIBBON_KEY_OTHER,  /* by the type's extended hash function */
	RIBBON_KEY_HASHED, /* a ribbonkey, which has been hashed before */
	RIBBON_KEY_JSONB,  /* from here on, values made of parts */
	RIBBON_KEY_ARRAY,
	RIBBON_KEY_RANGE,
	RIBBON_KEY_MULTIRANGE,
	RIBBON_KEY_ROW
} RibbonKeyForm;

/*
 * Hashes of a key's canonical bytes: XXH3-64 and, where it is asked for, XXH64.
 */
typedef struct RibbonKeyHashes
{
	uint64_t first;
	uint64_t second;
} RibbonKeyHashes;

#define RIBBON_LAST_KEY 64 /* bytes at most of a key that is remembered */

/*
 * How keys of a type are hashed; also for the types of its parts: an array's
 * elements, a range's bounds, a row's columns.  That of a call site lives in
 * fn_extra.  At first it is zero, except for what the call site knows.
 */
typedef struct RibbonKeyType
{
	/* what the call site knows */
	RibbonSqlType of; /* what has or gets the key */
	bool of_elements; /* does it take arrays of keys? */

	/* what is decided about */
	bool decided;
	Oid type;			   /* as declared: it may be a domain */
	Oid collation;		   /* of the call site, or of the part */
	MemoryContext context; /* of what the rest points to */

	/* where it is in the key, for messages */
	struct
	{
		struct RibbonKeyType *outer; /* what this is a part of, or NULL */
		const char *column;			 /* of a row: its name; else NULL */
	} place;

	/* how a value becomes canonical bytes */
	RibbonKeyForm form;
	struct
	{
		int16 length; /* as pg_type has it */
		bool by_value;
		char align;
	} layout;
	FmgrInfo hash_proc;	   /* RIBBON_KEY_OTHER */
	TypeCacheEntry *range; /* RIBBON_KEY_RANGE, _MULTIRANGE: the range type */

	/*
	 * Its parts: one for arrays and ranges.  Those of a row are found when one
	 * comes: an anonymous row says itself what its columns are, and a named
	 * type's can change within a query.
	 */
	struct RibbonKeyType *parts;
	struct
	{
		MemoryContext context; /* of the parts, or NULL */
		uint64 id;			   /* of the row type that they are of */
	} row;

	/* hashing */
	uint32 seed;   /* a map's, or 0 */
	int key_class; /* a RibbonKeyClass, with the classes of its parts */
	bool late;	   /* hashing a value sets the classes of its parts; hashing a
					* ribbonkey sets key_class, which is 0 before */
	bool native;   /* the hash depends on the machine's byte order */
	bool lasting;  /* the same bytes have the same hash, in one query */

	/* the last key and its hashes, if lasting and slow to hash */
	struct
	{
		bool used;
		bool both;	 /* are both hashes known? */
		size_t size; /* 0: there is none */
		RibbonKeyHashes hashes;
		uint8_t bytes[RIBBON_LAST_KEY];
	} last;
} RibbonKeyType;

/*
 * keytype.c: set *key_type for a type under a collation, and allocate in
 * context what must be kept; or for the type of an argument of fcinfo, with
 * fn_mcxt.  Both throw if values of the type cannot be keys.
 */
extern void ribbon_keytype_decide(RibbonKeyType *key_type, Oid type,
								  Oid collation, MemoryContext context);
extern void ribbon_keytype_decide_argument(RibbonKeyType *key_type,
										   FunctionCallInfo fcinfo, int arg);

/* Is this the type ribbonkey, or a domain over it? */
extern bool ribbon_keytype_is_ribbonkey(Oid type);

/*
 * Does hashing a value of this type call only our code, and never throw an
 * error that depends on the value?  Not so are texts, whose conversion to UTF-8
 * may fail; enums, whose labels come from a catalog; and values with parts,
 * which may be of any type.
 */
extern bool ribbon_keytype_is_safe(Oid type);

/*
 * keyclass.c: which filters can a key be looked up in?
 */

/* Why no filter can have this class number; NULL if it can. */
extern const char *ribbon_keyclass_objection(int key_class);

/* The name of a class that filters can have, as ribbon_stats shows it. */
extern const char *ribbon_keyclass_name(int key_class);

/*
 * The class of a set with keys of both classes, which differ in their parts at
 * most.
 */
extern int ribbon_keyclass_join(int a, int b);

/*
 * Adapt the key type of a call site to a filter or map whose class number is
 * not its own.  Returns false if keys must be hashed anew: text is trimmed for
 * filters of char(n), and only for those.  Throws if keys do not fit.
 */
extern bool ribbon_keyclass_adapt(RibbonKeyType *key_type, int filter_class);

/*
 * Can hashes of this key type be looked up in this filter or map, apart from
 * its seed?  If not, this throws, or returns false: keys must be hashed anew.
 * (An empty filter does not know the classes of parts.)
 */
static inline bool
ribbon_keyclass_fits(RibbonKeyType *key_type, const RibbonFilter *filter)
{
	return likely(filter->key_class == key_type->key_class) ||
		ribbon_keyclass_adapt(key_type, filter->key_class);
}

/*
 * Can keys of these classes be equal, as far as is known?  0 is the class of a
 * set without keys.
 */
extern bool ribbon_keyclass_agree(int a, int b);

/*
 * May keys of these classes be in one set?  True if they can be equal; also for
 * rows with different columns, within rows and arrays, too, since anonymous
 * rows of one type may have any columns.
 */
extern bool ribbon_keyclass_mix(int a, int b);

/*
 * What keys of this class are, in words of SQL, such as "integer keys" or
 * "arrays of integer".
 */
extern const char *ribbon_keyclass_describe(int key_class);

/*
 * keynest.c: forget the classes of parts of the value that was hashed last.
 * To be called before a batch, which may have no values.
 */
extern void ribbon_keynest_forget(RibbonKeyType *key_type);

/* Numbers of canonical forms are little-endian. */
static inline uint64
ribbon_little64(uint64 value)
{
#ifdef WORDS_BIGENDIAN
	return pg_bswap64(value);
#else
	return value;
#endif
}

#endif /* RIBBON_KEY_H */
