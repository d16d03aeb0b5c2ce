/*
 * keys.c - many keys at once, in the arrays that programs have them in
 */
#include "keys.h"

#include "keys/canonical.h"
#include "keys/classes.h"
#include "keys/hashes.h"

#include <stdlib.h>

static ribbon_keys *
new_keys(RibbonKeysForm form, int key_type, const void *data, const void *sizes,
		 size_t size, size_t n)
{
	ribbon_keys *keys = malloc(sizeof(ribbon_keys));

	if (keys == NULL)
	{
		(void) ribbon_error_memory();
		return NULL;
	}
	*keys = (ribbon_keys){.form = form,
						  .key_type = key_type,
						  .data = data,
						  .sizes = sizes,
						  .size = size,
						  .n = n};
	return keys;
}

ribbon_keys *
ribbon_keys_int64(const int64_t *numbers, size_t n)
{
	return new_keys(RIBBON_KEYS_INT64, RIBBON_KEY_INTEGER, numbers, NULL, 0, n);
}

ribbon_keys *
ribbon_keys_int32(const int32_t *numbers, size_t n)
{
	return new_keys(RIBBON_KEYS_INT32, RIBBON_KEY_INTEGER, numbers, NULL, 0, n);
}

ribbon_keys *
ribbon_keys_texts(int key_type, const char *const *texts, const size_t *sizes,
				  size_t n)
{
	return new_keys(RIBBON_KEYS_TEXTS, key_type, texts, sizes, 0, n);
}

ribbon_keys *
ribbon_keys_packed(int key_type, const void *data, const int64_t *offsets,
				   size_t n)
{
	return new_keys(RIBBON_KEYS_PACKED, key_type, data, offsets, 0, n);
}

ribbon_keys *
ribbon_keys_packed32(int key_type, const void *data, const int32_t *offsets,
					 size_t n)
{
	return new_keys(RIBBON_KEYS_PACKED32, key_type, data, offsets, 0, n);
}

ribbon_keys *
ribbon_keys_fixed(int key_type, const void *data, size_t size, size_t n)
{
	return new_keys(RIBBON_KEYS_FIXED, key_type, data, NULL, size, n);
}

ribbon_keys *
ribbon_keys_hashed(const ribbon_key *keys, size_t n)
{
	return new_keys(RIBBON_KEYS_HASHED,
					n > 0 ? ribbon_key_type_of(keys[0]) : RIBBON_KEY_NONE, keys,
					NULL, 0, n);
}

void
ribbon_keys_free(ribbon_keys *keys)
{
	free(keys);
}

/* How keys are to be hashed, and where to. */
typedef struct Hashing
{
	bool trim;
	uint32_t seed;
	uint64_t *hashes;
	uint64_t *seconds; /* or NULL */
} Hashing;

/* The hash of canonical bytes, as a set of this type wants it, to place i. */
static inline void
hash_bytes(const Hashing *hashing, size_t i, const void *bytes, size_t size)
{
	const void *from = size > 0 ? bytes : "";

	if (hashing->trim)
		size = ribbon_canonical_trim(from, size);
	hashing->hashes[i] = ribbon_hash_bytes_seeded(from, size, hashing->seed);
	if (hashing->seconds != NULL)
		hashing->seconds[i] = ribbon_hash_second_bytes(from, size);
}

/* The canonical bytes of the type have a size, but this is another one. */
static ribbon_status
refuse_size(const ribbon_keys *keys, size_t wanted, size_t size)
{
	return ribbon_error_set(RIBBON_ERROR_KEY,
							"keys of type %s have %zu bytes, not %zu",
							ribbon_key_type_name(ribbon_key_class_proper(keys->key_type)),
							wanted, size);
}

/* Texts and bytes, each of its own size. */
static ribbon_status
hash_varying(const ribbon_keys *keys, const Hashing *hashing, size_t first,
			 size_t n)
{
	size_t wanted = ribbon_key_class_size(keys->key_type);
	const char *data = keys->data;

	for (size_t i = first; i < first + n; i++)
	{
		const char *text;
		int64_t size;

		if (keys->form == RIBBON_KEYS_TEXTS)
		{
			text = ((const char *const *) keys->data)[i];
			size = (int64_t) (keys->sizes != NULL ?
								  ((const size_t *) keys->sizes)[i] :
								  strlen(text));
		}
		else if (keys->form == RIBBON_KEYS_PACKED)
		{
			const int64_t *offsets = keys->sizes;

			text = data + offsets[i];
			size = offsets[i + 1] - offsets[i];
		}
		else
		{
			const int32_t *offsets = keys->sizes;

			text = data + offsets[i];
			size = (int64_t) offsets[i + 1] - offsets[i];
		}
		if (size < 0)
			return ribbon_error_set(RIBBON_ERROR_KEY,
									"key %zu ends before it begins", i);
		if (wanted != 0 && (size_t) size != wanted)
			return refuse_size(keys, wanted, (size_t) size);
		hash_bytes(hashing, i - first, text, (size_t) size);
	}
	return RIBBON_SUCCESS;
}

/* Keys of one size: doubles, or canonical bytes. */
static ribbon_status
hash_fixed(const ribbon_keys *keys, const Hashing *hashing, size_t first,
		   size_t n)
{
	const char *data = (const char *) keys->data + first * keys->size;
	size_t wanted = ribbon_key_class_size(keys->key_type);

	if (wanted != 0 && keys->size != wanted)
		return refuse_size(keys, wanted, keys->size);
	for (size_t i = 0; i < n; i++, data += keys->size)
	{
		if (keys->key_type == RIBBON_KEY_FLOAT)
		{
			uint64_t bits;
			double number;

			memcpy(&number, data, sizeof(number));
			bits = ribbon_little64(ribbon_canonical_float(number));
			hash_bytes(hashing, i, &bits, sizeof(bits));
		}
		else
			hash_bytes(hashing, i, data, keys->size);
	}
	return RIBBON_SUCCESS;
}

static void
hash_numbers(const ribbon_keys *keys, const Hashing *hashing, size_t first,
			 size_t n)
{
	const int64_t *large = keys->data;
	const int32_t *small = keys->data;

	for (size_t i = 0; i < n; i++)
	{
		int64_t number = keys->form == RIBBON_KEYS_INT64 ? large[first + i] :
														   small[first + i];
		uint64_t word = ribbon_little64((uint64_t) number);

		if (hashing->seed == 0 && hashing->seconds == NULL)
			hashing->hashes[i] = ribbon_hash_word(word);
		else
			hash_bytes(hashing, i, &word, sizeof(word));
	}
}

static ribbon_status
hash_hashed(const ribbon_keys *keys, const Hashing *hashing, int key_type,
			size_t first, size_t n)
{
	const ribbon_key *given = (const ribbon_key *) keys->data + first;

	for (size_t i = 0; i < n; i++)
	{
		if (ribbon_key_type_of(given[i]) != key_type)
			return ribbon_key_refuse_type(ribbon_key_type_of(given[i]),
										  key_type);
		hashing->hashes[i] = ribbon_hash_with_seed(ribbon_key_hash(given[i]),
												   ribbon_key_hash2(given[i]),
												   hashing->seed);
		if (hashing->seconds != NULL)
			hashing->seconds[i] = ribbon_key_hash2(given[i]);
	}
	return RIBBON_SUCCESS;
}

ribbon_status
ribbon_keys_hash(const ribbon_keys *keys, int key_type, uint32_t seed,
				 size_t first, size_t n, uint64_t *hashes, uint64_t *seconds)
{
	bool is_hashed = keys->form == RIBBON_KEYS_HASHED;
	Hashing hashing = {.trim = key_type == RIBBON_KEY_CHAR && !is_hashed,
					   .seed = seed,
					   .hashes = hashes,
					   .seconds = seconds};

	if (keys->key_type != key_type &&
		(!hashing.trim || keys->key_type != RIBBON_KEY_TEXT))
		return ribbon_key_refuse_type(keys->key_type, key_type);
	switch (keys->form)
	{
		case RIBBON_KEYS_INT64:
		case RIBBON_KEYS_INT32:
			hash_numbers(keys, &hashing, first, n);
			return RIBBON_SUCCESS;
		case RIBBON_KEYS_FIXED:
			return hash_fixed(keys, &hashing, first, n);
		case RIBBON_KEYS_HASHED:
			return hash_hashed(keys, &hashing, key_type, first, n);
		default:
			return hash_varying(keys, &hashing, first, n);
	}
}
