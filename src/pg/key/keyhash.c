/*
 * keyhash.c - a value of any type to its 64-bit hash; in SQL: ribbon_hash,
 * ribbon_key, ribbon_shard
 *
 * What runs once per row begins here; what is decided once per call site is in
 * keytype.c.
 */
#include "key/key.h"

#include "catalog/pg_type.h"
#include "key/keysink.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

/* Bytes at most of a key that is remembered. */
#define LAST_KEY_BYTES 64

/* A key that was looked up, and its hash. */
struct RibbonLastKey
{
	size_t size; /* 0: there is none */
	uint32 seed;
	uint64_t hash;
	uint8_t bytes[LAST_KEY_BYTES];
};

/*
 * Is a key worth remembering, because its hash costs as much as several probes?
 * It must depend on the key's bytes alone, throughout a query.  But the label
 * of an enum can be changed, and so can the columns of a row; and an anyarray,
 * whose elements are not known here, may have either.
 */
static bool
is_worth_remembering(const RibbonKeyType *key_type)
{
	const RibbonKeyType *part = key_type;

	while (part->form != RIBBON_FORM_ROW && part->nparts > 0)
		part = part->parts;
	return key_type->base->typlen == -1 &&
		(key_type->form == RIBBON_FORM_NUMERIC ||
		 key_type->form == RIBBON_FORM_OTHER ||
		 ribbon_keyform_is_nested(key_type->form)) &&
		part->form != RIBBON_FORM_ENUM && part->form != RIBBON_FORM_ROW &&
		part->form != RIBBON_FORM_ARRAY;
}

void
ribbon_keyhash_set_type(RibbonKeyHasher *hasher, Oid type, Oid collation,
						MemoryContext context)
{
	RibbonKeyType *key_type = &hasher->type;

	hasher->has_type = false; /* should there be an error */
	if (key_type->parts_context != NULL)
		MemoryContextDelete(key_type->parts_context);
	if (hasher->last != NULL)
		pfree(hasher->last);
	hasher->last = NULL;
	*key_type = (RibbonKeyType){0};
	ribbon_keytype_init(key_type, type, collation, context);
	if (hasher->probes && is_worth_remembering(key_type))
		hasher->last = MemoryContextAllocZero(context, sizeof(*hasher->last));
	hasher->last_class = key_type->key_class;
	hasher->has_type = true;
}

/*
 * The type of an argument as the function has it, where the expression is not
 * known: an extension may call functions by itself.
 */
static Oid
declared_type(FunctionCallInfo fcinfo, int arg)
{
	Oid *types = NULL;
	int ntypes = 0;

	if (OidIsValid(fcinfo->flinfo->fn_oid))
		(void) get_func_signature(fcinfo->flinfo->fn_oid, &types, &ntypes);
	if (arg < ntypes && !IsPolymorphicType(types[arg]))
		return types[arg];
	ereport(ERROR,
			(errcode(ERRCODE_INDETERMINATE_DATATYPE),
			 errmsg("could not determine the type of the key")));
}

void
ribbon_keyhash_set_argument(RibbonKeyHasher *hasher, FunctionCallInfo fcinfo,
							int arg)
{
	Oid type = get_fn_expr_argtype(fcinfo->flinfo, arg);

	if (!OidIsValid(type))
		type = declared_type(fcinfo, arg);
	ribbon_keyhash_set_type(hasher, type, PG_GET_COLLATION(),
							fcinfo->flinfo->fn_mcxt);
}

RibbonKeyHasher *
ribbon_keyhash_of_argument(FunctionCallInfo fcinfo, int arg)
{
	RibbonKeyHasher *hasher = fcinfo->flinfo->fn_extra;

	if (unlikely(hasher == NULL))
	{
		hasher = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt,
										sizeof(RibbonKeyHasher));
		ribbon_keyhash_set_argument(hasher, fcinfo, arg);
		fcinfo->flinfo->fn_extra = hasher;
	}
	return hasher;
}

/* Hash the canonical bytes, which are made for that. */
static void
hash_canonical(RibbonKeyHasher *hasher, Datum key, bool both,
			   RibbonKeyHashes *out)
{
	RibbonKeyType *key_type = &hasher->type;
	RibbonKeySink sink;

	sink.out = out;
	sink.both = both;
	sink.nested = ribbon_keyform_is_nested(key_type->form);
	sink.started = false;
	sink.used = 0;
	if (sink.nested)
	{
		hasher->last_class = ribbon_keynest_put(&sink, key_type, key);
		ribbon_keysink_finish(&sink);
	}
	else
		ribbon_keyform_put(&sink, key_type, key);
}

/* The hashes of a ribbonkey, which says itself what class its key had. */
static inline void
take_hashes(RibbonKeyHasher *hasher, const uint8 *bytes, RibbonKeyHashes *out)
{
	if (unlikely(ribbonkey_class(bytes) != hasher->last_class))
		hasher->last_class = ribbonkey_check(bytes);
	*out = ribbonkey_hashes(bytes);
}

/*
 * out->second is set if both are asked for.  The commonest numbers, and fixed
 * bytes, are hashed here as ribbon_keyform_put would put them: through a sink,
 * a build would take 8 % more instructions.
 */
static pg_attribute_always_inline void
hash_value(RibbonKeyHasher *hasher, Datum key, bool both, RibbonKeyHashes *out)
{
	RibbonKeyForm form = hasher->type.form;

	if (form == RIBBON_FORM_INT64 || form == RIBBON_FORM_INT32)
	{
		uint64 number = ribbon_little64((uint64) ribbon_keyform_integer(form,
																		key));

		out->first = ribbon_hash_word(number);
		if (both)
			out->second = ribbon_hash_second_bytes(&number, sizeof(number));
	}
	else if (form == RIBBON_FORM_FIXED)
		ribbon_keysink_hash_bytes(DatumGetPointer(key),
								  (size_t) hasher->type.base->typlen, both,
								  out);
	else if (form == RIBBON_FORM_HASHED)
		take_hashes(hasher, (uint8 *) DatumGetPointer(key), out);
	else
		hash_canonical(hasher, key, both, out);
}

RibbonKeyHashes
ribbon_keyhash_both(RibbonKeyHasher *hasher, Datum key)
{
	RibbonKeyHashes hashes;

	hash_value(hasher, key, true, &hashes);
	return hashes;
}

static inline uint64_t
hash_with_seed(RibbonKeyHasher *hasher, Datum key)
{
	RibbonKeyHashes hashes;

	if (likely(hasher->seed == 0))
	{
		hash_value(hasher, key, false, &hashes);
		return hashes.first;
	}
	hashes = ribbon_keyhash_both(hasher, key);
	return ribbon_hash_with_seed(hashes.first, hashes.second, hasher->seed);
}

/*
 * One key may be looked for in many filters, as in key <@ ANY (filters).  So if
 * a key is the same bytes as the last one, its hash is the same.  (Not so for a
 * pointer to a stored value.)
 */
static pg_noinline uint64_t
hash_remembered(RibbonKeyHasher *hasher, Datum key)
{
	struct RibbonLastKey *last = hasher->last;
	struct varlena *value = (struct varlena *) DatumGetPointer(key);
	size_t size = VARATT_IS_EXTERNAL(value) ? 0 : VARSIZE_ANY(value);

	if (size == 0 || size > LAST_KEY_BYTES)
		return hash_with_seed(hasher, key);
	if (size != last->size || hasher->seed != last->seed ||
		memcmp(value, last->bytes, size) != 0)
	{
		last->size = 0; /* should there be an error */
		last->hash = hash_with_seed(hasher, key);
		last->seed = hasher->seed;
		last->size = size;
		memcpy(last->bytes, value, size);
	}
	return last->hash;
}

uint64_t
ribbon_keyhash_value(RibbonKeyHasher *hasher, Datum key)
{
	if (unlikely(hasher->last != NULL))
		return hash_remembered(hasher, key);
	return hash_with_seed(hasher, key);
}

static uint64_t
hash_argument(FunctionCallInfo fcinfo)
{
	return ribbon_keyhash_value(ribbon_keyhash_of_argument(fcinfo, 0),
								PG_GETARG_DATUM(0));
}

RIBBON_SQL_FUNCTION(ribbon_hash, Int64GetDatum((int64) hash_argument(fcinfo)));

/* ribbon_key(key) returns a ribbonkey */
RIBBON_SQL_ENTRY(ribbon_key)
{
	RibbonKeyHasher *hasher = ribbon_keyhash_of_argument(fcinfo, 0);
	RibbonKeyHashes hashes = ribbon_keyhash_both(hasher, PG_GETARG_DATUM(0));

	PG_RETURN_POINTER(ribbonkey_make(hasher->last_class, hashes));
}

/*
 * ribbon_shard(key, shards) returns a number from 0 to shards - 1
 *
 * A filter is one value, and a value ends at 1 GB.  A larger set is cut by a
 * hash of its keys, and a filter is built of each part; a probe goes to the one
 * filter that its key would be in.
 */
RIBBON_SQL_ENTRY(ribbon_shard)
{
	int32 nshards = PG_GETARG_INT32(1);

	if (nshards < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("number of shards must be positive, not %d", nshards)));

	PG_RETURN_INT32((int32) ribbon_hash_to_shard(hash_argument(fcinfo),
												 (uint32_t) nshards));
}
