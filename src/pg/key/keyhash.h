/*
 * keyhash.h - the 64-bit hash of a value
 */
#ifndef RIBBON_KEYHASH_H
#define RIBBON_KEYHASH_H

#include "key/hashed.h"

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
 * From now on, hash keys of this type with this seed.  True if that was so
 * already; else keys must be hashed anew.
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
 * Hash one more key of a batch that is looked up in one filter; n are in it.
 * False if it must be in another: it is a ribbonkey of another class.
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
