/*
 * keys.h - keys from what a program has, one or many
 */
#ifndef RIBBON_LIB_KEYS_H
#define RIBBON_LIB_KEYS_H

#include "src/internal.h"

#include "base/bits.h"

/* Keys of a batch that are hashed, and looked up, together. */
#define RIBBON_KEYS_BATCH 1024

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

/* The type of a view of no keys that might have been of any. */
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

/* A view of one key. */
static inline ribbon_keys
ribbon_keys_of_one(const ribbon_key *key)
{
	return (ribbon_keys){.form = RIBBON_KEYS_HASHED,
						 .key_type = ribbon_key_type_of(*key),
						 .data = key,
						 .n = 1};
}

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

/* RIBBON_ERROR_KEY_TYPE: a key of type given, where keys are of another. */
extern ribbon_status ribbon_key_refuse_type(int given, int wanted);

#endif /* RIBBON_LIB_KEYS_H */
