/*
 * key.h - from a value of any type to a 64-bit hash that lasts
 *
 * A stored filter lives longer than the session, the machine or the server
 * version that built it, and equal keys must hash equally for all that time.
 * So a key is first put into a *canonical form*: bytes that depend on its value
 * only (docs/canonical.md has them one by one).  These are hashed.
 *
 *----------
 *	 type of the key, and its collation			once per call site
 *		  |
 *		  |		its class, its form, those of its parts: keytype.c, keyplain.c
 *		  |		no, it cannot be a key: keyrefuse.c
 *		  v
 *	 RibbonKeyHasher
 *		  |
 *	 value (Datum)								once per row: keyhash.c
 *		  |
 *		  |		a value without parts: keyform.c
 *		  |		array, row, range, multirange: keynest.c; jsonb: keyjson.c
 *		  v
 *	 canonical bytes							hashed as they come: keysink.h
 *		  |
 *		  |		XXH3-64; in maps with a seed and in exact sets, where two keys
 *		  |		with one hash must be told apart, XXH64 as well
 *		  v
 *	 hash, and the class of the key
 *		  |
 *		  |		is it the class of the filter's keys?  ribbon_keyhash_adapt
 *		  |		no: hash it anew, or throw with a hint: keymismatch.c
 *		  v
 *	 the filter or map is looked into			src/core, src/pg/probing
 *----------
 *
 * A ribbonkey (ribbonkey.h) has its class and hashes with it.
 *
 * The words that are used here:
 *
 *	 class		keys of one class can be equal, and have the same canonical
 *				bytes then (keyclass.h)
 *	 form		how values of a type become canonical bytes (keytype.h)
 *	 part		an element of an array, a bound of a range, a column of a row
 *	 native		hashed by a function that depends on the machine's byte order
 *	 plain		without parts, and not native
 *
 * Other folders use this header, with the two that it includes, keyclass.h, and
 * elements.h (the elements of an array).
 */
#ifndef RIBBON_KEY_H
#define RIBBON_KEY_H

#include "key/keytype.h"
#include "key/ribbonkey.h"

#include "keys/hashes.h"

/*
 * What a call site keeps to hash its keys, which are of one type.  At first it
 * is zero.  Other folders may read it; what follows here sets it.
 */
typedef struct RibbonKeyHasher
{
	/* the call site */
	bool probes;		 /* are keys looked up?  One may be, in many filters */
	RibbonSqlType owner; /* if so: in what */
	bool takes_arrays;	 /* is the argument an array of keys?  For messages */

	bool has_type;
	RibbonKeyType type; /* of the keys, if has_type */
	int last_class;		/* of the value hashed last, at first of the type */
	uint32 seed;		/* of the map that they are hashed for, or 0 */
	struct RibbonLastKey *last; /* keyhash.c's; NULL: none is remembered */
} RibbonKeyHasher;

/* Keys are going to be looked up, in values of this type. */
static inline void
ribbon_keyhash_set_owner(RibbonKeyHasher *hasher, RibbonSqlType owner)
{
	hasher->probes = true;
	hasher->owner = owner;
}

/* Keys are hashed for a map with this seed. */
static inline void
ribbon_keyhash_set_seed(RibbonKeyHasher *hasher, uint32 seed)
{
	hasher->seed = seed;
}

/*
 * Set the type, which takes catalog lookups, and allocate in context what must
 * be kept; or set the type of an argument of fcinfo, with fn_mcxt.  Both throw
 * if values of the type cannot be keys.
 */
extern void ribbon_keyhash_set_type(RibbonKeyHasher *hasher, Oid type,
									Oid collation, MemoryContext context);
extern void ribbon_keyhash_set_argument(RibbonKeyHasher *hasher,
										FunctionCallInfo fcinfo, int arg);

/*
 * The same, once per batch: if it is another type, and then true; or once per
 * row, if none is set, for the type of an argument stays the same.
 */
static inline bool
ribbon_keyhash_ensure_type(RibbonKeyHasher *hasher, Oid type, Oid collation,
						   MemoryContext context)
{
	if (likely(hasher->has_type && hasher->type.type == type))
		return false;
	ribbon_keyhash_set_type(hasher, type, collation, context);
	return true;
}

static inline void
ribbon_keyhash_ensure_argument(RibbonKeyHasher *hasher, FunctionCallInfo fcinfo,
							   int arg)
{
	if (unlikely(!hasher->has_type))
		ribbon_keyhash_set_argument(hasher, fcinfo, arg);
}

/*
 * The hasher of the one argument that is a key, of a function that keeps
 * nothing else in fn_extra.
 */
extern RibbonKeyHasher *ribbon_keyhash_of_argument(FunctionCallInfo fcinfo,
												   int arg);

/*
 * The hash of a value that is not NULL.  It sets hasher->last_class if that
 * depends on the value.
 */
extern uint64_t ribbon_keyhash_value(RibbonKeyHasher *hasher, Datum key);

/* The same, but both hashes, whatever the seed. */
extern RibbonKeyHashes ribbon_keyhash_both(RibbonKeyHasher *hasher, Datum key);

/*
 * Forget what the value that was hashed last has told of its class.  To be
 * called before a batch, which may have no values.
 */
static inline void
ribbon_keyhash_forget(RibbonKeyHasher *hasher)
{
	if (hasher->type.class_per_value)
		hasher->last_class = hasher->type.key_class;
}

/* The same as ribbon_keyhash_value, where it is called for every row. */
static inline uint64_t
ribbon_keyhash_row(RibbonKeyHasher *hasher, Datum key)
{
	if (likely(hasher->type.form == RIBBON_FORM_INT64 && hasher->seed == 0))
		return ribbon_hash_word(ribbon_little64((uint64) DatumGetInt64(key)));
	return ribbon_keyhash_value(hasher, key);
}

/*
 * Hash one more key for a batch of n keys that are looked up in one filter.
 * Returns false if the key cannot be in this batch, because its class may be
 * another one.
 */
static inline bool
ribbon_keyhash_add_to_batch(RibbonKeyHasher *hasher, Datum key, size_t n,
							uint64_t *hash)
{
	if (unlikely(hasher->type.class_per_value && n > 0 &&
				 (hasher->type.form != RIBBON_FORM_HASHED ||
				  hasher->last_class !=
					  ribbonkey_class((uint8 *) DatumGetPointer(key)))))
		return false;
	*hash = ribbon_keyhash_row(hasher, key);
	return true;
}

/*
 * The keys to come are the elements of an array, which are of this type; there
 * may be none.
 */
static inline void
ribbon_keyhash_begin_array(RibbonKeyHasher *hasher, Oid element, Oid collation,
						   MemoryContext context)
{
	hasher->takes_arrays = true;
	(void) ribbon_keyhash_ensure_type(hasher, element, collation, context);
	ribbon_keyhash_forget(hasher);
}

/* keymismatch.c: ribbon_keyhash_adapt, for a hasher that differs. */
extern bool ribbon_keymismatch_adapt(RibbonKeyHasher *hasher,
									 const RibbonFilter *filter);

/*
 * From now on, hash keys as this filter or map has them.  Returns false if that
 * was not so before, and keys must be hashed anew: there is another seed; or
 * text is trimmed, which it is for filters of char(n) alone.  Throws if keys do
 * not fit at all.  An empty filter may have class 0, or one without its parts'
 * classes; it agrees with each key that could have that class.
 */
static inline bool
ribbon_keyhash_adapt(RibbonKeyHasher *hasher, const RibbonFilter *filter)
{
	return likely(filter->key_class == hasher->last_class &&
				  filter->seed == hasher->seed) ||
		ribbon_keymismatch_adapt(hasher, filter);
}

#endif /* RIBBON_KEY_H */
