/*
 * keyform.h - what the files of this folder share: canonical forms of values
 */
#ifndef RIBBON_KEYFORM_H
#define RIBBON_KEYFORM_H

#include "key/key.h"

#include "utils/numeric.h"

/*
 * keytype.c: parts of a type that has been decided about.  They are its own.
 */

/*
 * The part for an array of elements of this type: usually the one decided
 * about, but a value of type anyarray says itself what its elements are.
 */
extern RibbonKeyType *ribbon_keytype_element(RibbonKeyType *key_type,
											 Oid element);

/*
 * The parts for rows with these columns, one each; for dropped columns zero.
 */
extern RibbonKeyType *ribbon_keytype_columns(RibbonKeyType *key_type,
											 TupleDesc columns);

/*
 * keyrefuse.c: errors that say why a type cannot be a key, or a part of one;
 * base is key_type's type without its domain.
 */

/* Throw unless equal text under its collation means equal bytes. */
extern void ribbon_keyrefuse_check_collation(const RibbonKeyType *key_type);

/*
 * Throw unless the bounds of this range type are equal exactly if their type's
 * own comparison says so.
 */
extern void ribbon_keyrefuse_check_range(const RibbonKeyType *key_type,
										 Oid range);

/*
 * The extended hash function of a type without a form of its own; throws if it
 * has none, or one whose results do not last.
 */
extern Oid ribbon_keyrefuse_hash_function(const RibbonKeyType *key_type,
										  Oid base);

/* Why a type is refused, if it is not in the table of keyrefuse.c. */
typedef enum RibbonKeyRefusal
{
	RIBBON_REFUSED_OID_ALIAS, /* regclass and its kin */
	RIBBON_REFUSED_CITEXT,
	RIBBON_REFUSED_HSTORE,
	RIBBON_REFUSED_ENCODED,	 /* may have characters, not in UTF-8 */
	RIBBON_REFUSED_HASHLESS, /* has no hash function */
	RIBBON_REFUSED_HASHED,	 /* a ribbonkey, as a part of a key */
	RIBBON_REFUSED_SET,		 /* a ribbonkeys */
	RIBBON_REFUSED_NATIVE	 /* hashed by byte order, in an anonymous row */
} RibbonKeyRefusal;

/* Throw: key_type, which has this type, is refused for that reason. */
pg_noreturn extern void ribbon_keyrefuse(const RibbonKeyType *key_type,
										 Oid type, int reason);

/*
 * keyform.c: canonical bytes of a value whose form has no parts.
 */
#define RIBBON_FORM_SCRATCH 24 /* bytes of the longest form of a fixed size */

typedef struct RibbonKeyBytes
{
	const void *bytes;
	size_t size;
	void *detoasted; /* to be freed, or NULL */
	void *converted; /* likewise */
	uint8_t scratch[RIBBON_FORM_SCRATCH];
} RibbonKeyBytes;

/*
 * Set *out, which may point into the value and into itself.  Release it before
 * the value is freed.
 */
extern void ribbon_keyform_get(RibbonKeyType *key_type, Datum key,
							   RibbonKeyBytes *out);
extern void ribbon_keyform_release(RibbonKeyBytes *out);

/* The same for characters, and for a numeric. */
extern void ribbon_keyform_get_characters(const char *characters, size_t size,
										  RibbonKeyBytes *out);
extern void ribbon_keyform_get_numeric(Numeric number, RibbonKeyBytes *out);

/* Do canonical forms of this kind differ in length? */
static inline bool
ribbon_keyform_varies(RibbonKeyForm form)
{
	return form == RIBBON_KEY_TEXT || form == RIBBON_KEY_NAME ||
		form == RIBBON_KEY_BYTES || form == RIBBON_KEY_NUMERIC ||
		form == RIBBON_KEY_INET || form == RIBBON_KEY_BITS ||
		form == RIBBON_KEY_ENUM;
}

/* Hash canonical bytes; out->second is set if both hashes are asked for. */
static inline void
ribbon_keyform_hash(const void *bytes, size_t size, bool both,
					RibbonKeyHashes *out)
{
	out->first = ribbon_hash_bytes(bytes, size);
	if (both)
		out->second = ribbon_hash_second_bytes(bytes, size);
}

/*
 * keynest.c: hash a value whose form has parts.
 */
extern void ribbon_keynest_hash(RibbonKeyType *key_type, Datum key, bool both,
								RibbonKeyHashes *out);

/*
 * keyjson.c: add the form of a jsonb to a sink.
 */
struct RibbonKeySink; /* keysink.h */
extern void ribbon_keyjson_put(struct RibbonKeySink *sink, Datum key);

#endif /* RIBBON_KEYFORM_H */
