/*
 * keyhash.c - a value of any type to its 64-bit hash
 *
 * The hash is XXH3-64 of the value's canonical bytes.  This is the part that
 * runs once per row.
 */
#include "key/keyhash.h"

#include "key/keyform.h"

PG_FUNCTION_INFO_V1(ribbon_hash);

static uint64_t hash_bytes(RibbonKeyType *key_type, Datum key);
static uint64_t hash_again(RibbonKeyType *key_type, Datum key);

Datum
ribbon_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) ribbon_keyhash_argument(fcinfo));
}

uint64_t
ribbon_keyhash_argument(FunctionCallInfo fcinfo)
{
	RibbonKeyType *key_type = fcinfo->flinfo->fn_extra;

	if (key_type == NULL)
	{
		key_type = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
										  sizeof(RibbonKeyType));
		ribbon_keytype_decide_argument(key_type, fcinfo, 0);
		fcinfo->flinfo->fn_extra = key_type;
	}

	return ribbon_keyhash_value(key_type, PG_GETARG_DATUM(0));
}

/* Numbers are hashed as eight bytes, little-endian. */
static inline uint64_t
hash_word(const RibbonKeyType *key_type, uint64 word)
{
	return ribbon_hash_word_seeded(ribbon_little64(word), key_type->seed);
}

uint64_t
ribbon_keyhash_value(RibbonKeyType *key_type, Datum key)
{
	switch (key_type->form)
	{
		case RIBBON_KEY_INT64:
			return hash_word(key_type, (uint64) DatumGetInt64(key));
		case RIBBON_KEY_INT32:
			return hash_word(key_type, (uint64) (int64) DatumGetInt32(key));
		case RIBBON_KEY_FIXED:
			return ribbon_hash_bytes_seeded(DatumGetPointer(key),
											(size_t) key_type->length,
											key_type->seed);
		case RIBBON_KEY_NUMERIC:
		case RIBBON_KEY_OTHER:
		case RIBBON_KEY_JSONB:
		case RIBBON_KEY_ARRAY:
		case RIBBON_KEY_RANGE:
		case RIBBON_KEY_MULTIRANGE:
		case RIBBON_KEY_ROW:
			if (key_type->lasting && key_type->length == -1)
				return hash_again(key_type, key);
			break;
		default:
			break;
	}
	return hash_bytes(key_type, key);
}

static uint64_t
hash_bytes(RibbonKeyType *key_type, Datum key)
{
	RibbonKeyBytes bytes;
	uint64_t hash;

	if (key_type->form >= RIBBON_KEY_JSONB)
		return ribbon_keynest_hash(key_type, key);

	ribbon_keyform_get(key_type, key, &bytes);
	hash = ribbon_hash_bytes_seeded(bytes.bytes, bytes.size, key_type->seed);
	ribbon_keyform_release(&bytes);
	return hash;
}

/*
 * Hashes of these forms cost as much as several probes, and one key may be
 * looked for in many filters, as in key <@ ANY (filters).  So if a key is the
 * same bytes as the last one, its hash is the same.  (Not so for a pointer to
 * a stored value, nor for what is not lasting: the label of an enum may have
 * been changed, and the type of a row.)
 */
static uint64_t
hash_again(RibbonKeyType *key_type, Datum key)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(key);
	size_t size = VARATT_IS_EXTERNAL(value) ? 0 : VARSIZE_ANY(value);
	bool remembers = size > 0 && size <= RIBBON_LAST_KEY;
	uint64_t hash;

	if (remembers && size == key_type->last.size &&
		memcmp(value, key_type->last.bytes, size) == 0)
		return key_type->last.hash;

	hash = hash_bytes(key_type, key);
	if (remembers)
	{
		key_type->last.size = size;
		key_type->last.hash = hash;
		memcpy(key_type->last.bytes, value, size);
	}
	return hash;
}
