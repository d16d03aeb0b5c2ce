/*
 * keytype.h - what is known of a type whose values are keys or parts of keys
 *
 * Arrays, ranges, multiranges and rows are made of parts, which are of types in
 * turn, to any depth.  So what is known of a type is a tree of RibbonKeyType.
 * To find it out takes catalog lookups, so a call site does it once.
 *
 * keytype.c asks keyplain.c, and both ask keyrefuse.c.  Only the files of this
 * folder use what is below, but for ribbon_keyplain_is_safe.
 */
#ifndef RIBBON_KEYTYPE_H
#define RIBBON_KEYTYPE_H

#include "key/keyclass.h"

#include "mb/pg_wchar.h"
#include "utils/typcache.h"

/* How a value becomes canonical bytes.  One form may serve several classes. */
typedef enum RibbonKeyForm
{
	RIBBON_FORM_INT64, /* by far the commonest, so 0 */
	RIBBON_FORM_INT32, /* widened to int64 */
	RIBBON_FORM_INT16, /* likewise */
	RIBBON_FORM_TEXT,  /* characters of a varlena */
	RIBBON_FORM_NAME,  /* characters of a C string, as is a name */
	RIBBON_FORM_BYTES, /* bytes of a varlena */
	RIBBON_FORM_FIXED, /* a fixed number of bytes as they are, by reference */
	RIBBON_FORM_WORD,  /* the same by value, up to 8: little-endian */
	RIBBON_FORM_FLOAT8,
	RIBBON_FORM_FLOAT4,
	RIBBON_FORM_TIMETZ,
	RIBBON_FORM_NUMERIC,
	RIBBON_FORM_INTERVAL,
	RIBBON_FORM_INET,
	RIBBON_FORM_BITS,
	RIBBON_FORM_TID,
	RIBBON_FORM_ENUM,
	RIBBON_FORM_OTHER,	/* by the type's extended hash function */
	RIBBON_FORM_HASHED, /* a ribbonkey, which has been hashed before */
	RIBBON_FORM_JSONB,	/* from here on, values with others inside */
	RIBBON_FORM_ARRAY,
	RIBBON_FORM_RANGE,
	RIBBON_FORM_MULTIRANGE,
	RIBBON_FORM_ROW
} RibbonKeyForm;

/*
 * Are there values inside of values of this form?  Those of jsonb have no type
 * of their own; those of the others are parts (key.h).
 */
static inline bool
ribbon_keyform_is_nested(RibbonKeyForm form)
{
	return form >= RIBBON_FORM_JSONB;
}

/* A value of a form of integers, which are canonical as int64. */
static inline int64
ribbon_keyform_integer(RibbonKeyForm form, Datum value)
{
	return form == RIBBON_FORM_INT64 ? DatumGetInt64(value) :
		form == RIBBON_FORM_INT32	 ? DatumGetInt32(value) :
									   DatumGetInt16(value);
}

typedef struct RibbonKeyType
{
	Oid type;			  /* as declared: it may be a domain */
	Oid collation;		  /* of the call site, or of the part */
	TypeCacheEntry *base; /* the server's, of the type without its domain; with
						   * the information about ranges */
	RibbonKeyForm form;
	int key_class; /* with the classes of parts, as far as the type tells; of
					* text it is char(n) where that is looked up */

	/*
	 * Does a value tell more of its class?  So do ribbonkeys, which say what
	 * class their keys had; rows, whose NULLs have no class; and arrays of
	 * rows, or of any type.
	 */
	bool class_per_value;

	/*
	 * Its parts: one for an array or a range; for a row one per column, zero
	 * for dropped ones.  An anonymous row says itself what its columns are, and
	 * an anyarray what its elements are.
	 */
	struct RibbonKeyType *parts;
	int nparts;
	uint64 parts_id; /* the type of elements, or the identifier of a row type
					  * that they are for; 0: not known yet */
	MemoryContext parts_context;

	/* for messages */
	struct RibbonKeyType *outer; /* what it is a part of; NULL: it is the key */
	const char *column;			 /* the part's name, if it is a row's column */
} RibbonKeyType;

/*
 * keytype.c: set *key_type for a type under a collation.  At first it is zero,
 * except for what is there for messages.  What must be kept is allocated in
 * context.  Throws if values of the type cannot be keys.
 */
extern void ribbon_keytype_init(RibbonKeyType *key_type, Oid type,
								Oid collation, MemoryContext context);

/*
 * The part for an array of elements of this type, and the parts for rows with
 * these columns: usually those that are known.  They belong to key_type.
 */
extern RibbonKeyType *ribbon_keytype_element(RibbonKeyType *key_type,
											 Oid element);
extern RibbonKeyType *ribbon_keytype_columns(RibbonKeyType *key_type,
											 TupleDesc columns);

/* What the server knows of the range type of a range or multirange. */
static inline TypeCacheEntry *
ribbon_keytype_range(const RibbonKeyType *key_type)
{
	return key_type->form == RIBBON_FORM_RANGE ? key_type->base :
												 key_type->base->rngtype;
}

/*
 * Are characters hashed as they are stored?  They are hashed in UTF-8.  A
 * SQL_ASCII database does not know what its bytes mean, so they stand for
 * themselves.
 */
static inline bool
ribbon_keytype_keeps_characters(void)
{
	int encoding = GetDatabaseEncoding();

	return likely(encoding == PG_UTF8 || encoding == PG_SQL_ASCII);
}

/*
 * keyplain.c: set form and class of a type without parts that has a canonical
 * form.  Returns false for arrays, rows, ranges and multiranges, and for a type
 * that needs its own hash function.
 */
extern bool ribbon_keyplain_init(RibbonKeyType *key_type);

/*
 * The type to cast a key to that should be of this class proper; InvalidOid if
 * there is none, or more than one.
 */
extern Oid ribbon_keyplain_type(int key_class);

/*
 * Does hashing a value of this type call no code of users, and never throw an
 * error that depends on the value?  Not so are texts, whose conversion to UTF-8
 * may fail; enums, whose labels come from a catalog; jsonb; and values with
 * parts, which may be of any type.
 */
extern bool ribbon_keyplain_is_safe(Oid type);

/*
 * keyrefuse.c: errors that say why a type cannot be a key, or a part of one.
 */

/* Throw unless equal text under its collation means equal bytes. */
extern void ribbon_keyrefuse_check_collation(const RibbonKeyType *key_type);

/*
 * Throw unless the bounds of a range or multirange are equal exactly if their
 * type's own comparison says so.
 */
extern void ribbon_keyrefuse_check_range(const RibbonKeyType *key_type);

/*
 * Throw unless values can be hashed by the type's own extended hash function,
 * and the results last.
 */
extern void ribbon_keyrefuse_check_function(const RibbonKeyType *key_type);

/* Why others refuse a type. */
typedef enum RibbonKeyRefusal
{
	RIBBON_REFUSED_HASHED, /* a ribbonkey, as a part of a key */
	RIBBON_REFUSED_SET,	   /* a ribbonkeys */
	RIBBON_REFUSED_NATIVE  /* hashed by byte order, in an anonymous row */
} RibbonKeyRefusal;

/* Throw for that reason. */
pg_noreturn extern void ribbon_keyrefuse(const RibbonKeyType *key_type,
										 RibbonKeyRefusal reason);

#endif /* RIBBON_KEYTYPE_H */
