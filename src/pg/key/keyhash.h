/*
 * keyhash.h - the 64-bit hash of a value, and ribbonkeys, which hold two
 *
 * A ribbonkey stands for the key that it was made from, wherever a key is
 * taken.  It is RIBBON_SQLKEY_BYTES bytes, the same on every machine, in the
 * order in which ribbonkeys are compared:
 *
 *----------
 *	 OFFSET  SIZE	MEANING
 *	 0       4		key class, with the classes of its parts
 *	 4       8		hash of the canonical bytes: XXH3-64
 *	 12      8		the second one: XXH64
 *----------
 *
 * with numbers from their highest byte on.  The binary form is these bytes, and
 * the text form \x and their hexadecimal digits.
 */
#ifndef RIBBON_KEYHASH_H
#define RIBBON_KEYHASH_H

#include "key/key.h"

#define RIBBON_SQLKEY_BYTES 20

/* The key class of a ribbonkey, which may be any number. */
static inline int
ribbon_sqlkey_class(const uint8 *bytes)
{
	uint32 key_class;

	memcpy(&key_class, bytes, sizeof(key_class));
	return (int) pg_ntoh32(key_class);
}

/* Both hashes. */
static inline RibbonKeyHashes
ribbon_sqlkey_hashes(const uint8 *bytes)
{
	uint64 words[2];

	memcpy(words, bytes + sizeof(uint32), sizeof(words));
	return (RibbonKeyHashes){pg_ntoh64(words[0]), pg_ntoh64(words[1])};
}

/*
 * ribbonkey.c: the key class of a stored ribbonkey, which was validated on its
 * way in: throws if no key can have it.
 */
extern int ribbon_sqlkey_check(const uint8 *bytes);

/* The input functions of types that are recognized by them. */
extern Datum ribbonkey_in(PG_FUNCTION_ARGS);
extern Datum ribbonliteral_in(PG_FUNCTION_ARGS);
extern Datum ribbonkeys_in(PG_FUNCTION_ARGS);

/*
 * The hash of a value that is not NULL.  It may set the classes of the key
 * type's parts, if that is late.
 */
extern uint64_t ribbon_keyhash_value(RibbonKeyType *key_type, Datum key);

/* The same, but both hashes, whatever the key type's seed. */
extern RibbonKeyHashes ribbon_keyhash_both(RibbonKeyType *key_type, Datum key);

/* The key type of an argument, which is kept in fn_extra. */
extern RibbonKeyType *ribbon_keyhash_type_of_argument(FunctionCallInfo fcinfo,
													  int arg);

/*
 * The hash of argument 0, for a function that uses fn_extra for nothing else.
 */
extern uint64_t ribbon_keyhash_argument(FunctionCallInfo fcinfo);

/*
 * From now on, hash keys of this type with this seed.  Returns false if the
 * seed was another one, so that keys must be hashed anew.
 */
static inline bool
ribbon_keyhash_seed(RibbonKeyType *key_type, uint32 seed)
{
	if (likely(key_type->seed == seed))
		return true;
	key_type->seed = seed;
	return false;
}

/* The same as ribbon_keyhash_value, where it is called for every row. */
static inline uint64_t
ribbon_keyhash_row(RibbonKeyType *key_type, Datum key)
{
	if (likely(key_type->form == RIBBON_KEY_INT64 && key_type->seed == 0))
		return ribbon_hash_word(ribbon_little64((uint64) DatumGetInt64(key)));
	return ribbon_keyhash_value(key_type, key);
}

/*
 * Hash one more key for a batch of n keys that are looked up in one filter.
 * Returns false if the key cannot be in this batch: it is a ribbonkey of
 * another class.
 */
static inline bool
ribbon_keyhash_in_batch(RibbonKeyType *key_type, Datum key, size_t n,
						uint64_t *hash)
{
	if (unlikely(key_type->form == RIBBON_KEY_HASHED && n > 0 &&
				 key_type->key_class !=
					 ribbon_sqlkey_class((uint8 *) DatumGetPointer(key))))
		return false;
	*hash = ribbon_keyhash_row(key_type, key);
	return true;
}

#endif /* RIBBON_KEYHASH_H */
