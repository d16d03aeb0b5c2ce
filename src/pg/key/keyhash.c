/*
 * keyhash.c - a value of any type to its 64-bit hash
 *
 * The hash is XXH3-64 of the value's canonical bytes; a map with a seed needs
 * the second one, XXH64, as well.  This is the part that runs once per row.
 */
#include "key/keyhash.h"

#include "base/hash.h"
#include "key/keyform.h"

PG_FUNCTION_INFO_V1(ribbon_hash);
PG_FUNCTION_INFO_V1(ribbon_shard);

Datum
ribbon_hash(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64((int64) ribbon_keyhash_argument(fcinfo));
}

RibbonKeyType *
ribbon_keyhash_type_of_argument(FunctionCallInfo fcinfo, int arg)
{
	RibbonKeyType *key_type = fcinfo->flinfo->fn_extra;

	if (unlikely(key_type == NULL))
	{
		key_type = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
										  sizeof(RibbonKeyType));
		ribbon_keytype_decide_argument(key_type, fcinfo, arg);
		fcinfo->flinfo->fn_extra = key_type;
	}

	return key_type;
}

uint64_t
ribbon_keyhash_argument(FunctionCallInfo fcinfo)
{
	return ribbon_keyhash_value(ribbon_keyhash_type_of_argument(fcinfo, 0),
								PG_GETARG_DATUM(0));
}

/*
 * ribbon_shard(key, shards) returns a number from 0 to shards - 1
 *
 * A filter is one value, and a value ends at 1 GB.  A larger set is cut by a
 * hash of its keys, and a filter is built of each part; a probe goes to the one
 * filter that its key would be in.
 */
Datum
ribbon_shard(PG_FUNCTION_ARGS)
{
	int32 nshards = PG_GETARG_INT32(1);

	if (nshards < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of shards must be positive, not %d", nshards)));

	PG_RETURN_INT32((int32)
						ribbon_hash_to_shard(ribbon_keyhash_argument(fcinfo),
											 (uint32_t) nshards));
}

static void
hash_bytes(RibbonKeyType *key_type, Datum key, bool both, RibbonKeyHashes *out)
{
	RibbonKeyBytes bytes;

	if (key_type->form >= RIBBON_KEY_JSONB)
	{
		ribbon_keynest_hash(key_type, key, both, out);
		return;
	}

	ribbon_keyform_get(key_type, key, &bytes);
	ribbon_keyform_hash(bytes.bytes, bytes.size, both, out);
	ribbon_keyform_release(&bytes);
}

/*
 * Hashes of these forms cost as much as several probes, and one key may be
 * looked for in many filters, as in key <@ ANY (filters).  So if a key is the
 * same bytes as the last one, its hash is the same.  (Not so for a pointer to
 * a stored value, nor for what is not lasting: the label of an enum may have
 * been changed, and the type of a row.)
 */
static void
hash_again(RibbonKeyType *key_type, Datum key, bool both, RibbonKeyHashes *out)
{
	struct varlena *value = (struct varlena *) DatumGetPointer(key);
	size_t size = VARATT_IS_EXTERNAL(value) ? 0 : VARSIZE_ANY(value);
	bool remembers = size > 0 && size <= RIBBON_LAST_KEY;

	if (remembers && size == key_type->last.size &&
		(key_type->last.both || !both) &&
		memcmp(value, key_type->last.bytes, size) == 0)
	{
		*out = key_type->last.hashes;
		return;
	}

	hash_bytes(key_type, key, both, out);
	if (remembers)
	{
		key_type->last.size = size;
		key_type->last.both = both;
		key_type->last.hashes.first = out->first;
		if (both)
			key_type->last.hashes.second = out->second;
		memcpy(key_type->last.bytes, value, size);
	}
}

/* Numbers are hashed as eight bytes, little-endian. */
static inline void
hash_number(uint64 number, bool both, RibbonKeyHashes *out)
{
	number = ribbon_little64(number);
	out->first = ribbon_hash_word(number);
	if (both)
		out->second = ribbon_hash_second_bytes(&number, sizeof(number));
}

/* Those of a ribbonkey, which says itself what class its key had. */
static inline void
take_hashes(RibbonKeyType *key_type, const uint8 *bytes, RibbonKeyHashes *out)
{
	if (unlikely(ribbon_sqlkey_class(bytes) != key_type->key_class))
		key_type->key_class = ribbon_sqlkey_check(bytes);
	*out = ribbon_sqlkey_hashes(bytes);
}

/* out->second is set if both are asked for. */
static pg_attribute_always_inline void
hash_value(RibbonKeyType *key_type, Datum key, bool both, RibbonKeyHashes *out)
{
	switch (key_type->form)
	{
		case RIBBON_KEY_INT64:
			hash_number((uint64) DatumGetInt64(key), both, out);
			return;
		case RIBBON_KEY_INT32:
			hash_number((uint64) (int64) DatumGetInt32(key), both, out);
			return;
		case RIBBON_KEY_FIXED:
			ribbon_keyform_hash(DatumGetPointer(key),
								(size_t) key_type->layout.length, both, out);
			return;
		case RIBBON_KEY_HASHED:
			take_hashes(key_type, (uint8 *) DatumGetPointer(key), out);
			return;
		default:
			if (key_type->last.used)
				hash_again(key_type, key, both, out);
			else
				hash_bytes(key_type, key, both, out);
	}
}

RibbonKeyHashes
ribbon_keyhash_both(RibbonKeyType *key_type, Datum key)
{
	RibbonKeyHashes hashes;

	hash_value(key_type, key, true, &hashes);
	return hashes;
}

uint64_t
ribbon_keyhash_value(RibbonKeyType *key_type, Datum key)
{
	RibbonKeyHashes hashes;

	if (likely(key_type->seed == 0))
	{
		hash_value(key_type, key, false, &hashes);
		return hashes.first;
	}
	hashes = ribbon_keyhash_both(key_type, key);
	return ribbon_hash_with_seed(hashes.first, hashes.second, key_type->seed);
}
