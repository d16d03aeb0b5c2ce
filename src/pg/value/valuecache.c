/*
 * valuecache.c - what a call site remembers of values and their texts
 *
 * To make a text of a value takes as long as to take in many rows: an output
 * function, under settings of its own.  There are few different values, so each
 * call site remembers those that it has seen, by their bytes, with their text
 * and its word.  All groups share it.  It is limited, and starts anew when it
 * is full.
 *
 * A value that is in the cache must still be put into the dictionary of its
 * group, unless it was the same group that it came for last.
 *
 * What another command may have altered is forgotten (valuetype.c), and a group
 * that has texts of the type as it was before gets no others.
 */
#include "value/value.h"

#include "base/hash.h"
#include "common/pg_prng.h"
#include "server/server.h"
#include "utils/memutils.h"

#define MAX_VALUES		RIBBON_DICTIONARY_VALUES
#define MAX_VALUE_BYTES (8 * 1024)		  /* of one value and its text, */
#define MAX_BYTES		(8 * 1024 * 1024) /* of all of them */
#define FIRST_VALUES	64

/* The bytes that tell a value from others. */
typedef struct ValueBytes
{
	const char *bytes;
	size_t nbytes;
} ValueBytes;

typedef struct CachedValue
{
	ValueBytes key;
	char *text;
	uint64 word; /* of its text */
	uint64 id;	 /* of the dictionary that it was put into last */
	uint32 ntext;
	uint32 hash; /* of its bytes */
	char status; /* the hash table's */
} CachedValue;

struct RibbonValueCache
{
	MemoryContext context; /* of values; it is reset when there are too many */
	struct values_hash *values;
	size_t nbytes; /* of all values and texts */
	uint32 seed;   /* of the words */
	uint32 secret; /* seed of the values' hashes: those could be chosen */
};

#define SH_PREFIX		values
#define SH_ELEMENT_TYPE CachedValue
#define SH_KEY_TYPE		ValueBytes
#define SH_KEY			key
#define SH_HASH_KEY(table, key) \
	((uint32) \
		 ribbon_hash_bytes_seeded((key).bytes, (key).nbytes, \
								  ((RibbonValueCache *) (table)->private_data) \
									  ->secret))
#define SH_EQUAL(table, a, b) \
	((a).nbytes == (b).nbytes && memcmp((a).bytes, (b).bytes, (a).nbytes) == 0)
#define SH_STORE_HASH
#define SH_GET_HASH(table, value) (value)->hash
#define SH_SCOPE				  static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

static void
start_anew(RibbonValueCache *cache)
{
	MemoryContextReset(cache->context);
	cache->nbytes = 0;
	cache->values = values_create(cache->context, FIRST_VALUES, cache);
}

RibbonValueCache *
ribbon_valuecache_create(MemoryContext context)
{
	RibbonValueCache *cache = MemoryContextAllocZero(context,
													 sizeof(RibbonValueCache));

	cache->context = AllocSetContextCreate(context, "ribbon value cache",
										   ALLOCSET_DEFAULT_SIZES);
	cache->secret = pg_prng_uint32(&pg_global_prng_state);
	start_anew(cache);
	return cache;
}

void
ribbon_valuecache_renew(RibbonValueCache *cache, RibbonValueType *value_type)
{
	if (unlikely(ribbon_valuetype_renew_head(&value_type->head)))
		start_anew(cache);
}

/* They are where the value is, or the value: one out of line is fetched. */
static ValueBytes
get_bytes(const RibbonValueType *value_type, Datum *value)
{
	struct varlena *varlena;

	if (value_type->by_value)
		return (ValueBytes){(const char *) value, sizeof(Datum)};
	if (value_type->length == -1)
	{
		varlena = ribbon_detoast((struct varlena *) DatumGetPointer(*value));
		*value = PointerGetDatum(varlena);
		return (ValueBytes){VARDATA_ANY(varlena), VARSIZE_ANY_EXHDR(varlena)};
	}
	return (ValueBytes){DatumGetPointer(*value),
						value_type->length > 0 ?
							(size_t) value_type->length :
							strlen(DatumGetPointer(*value))};
}

static uint64
add_to(RibbonDictionary *dictionary, const RibbonTypeHead *head,
	   const char *text, size_t ntext, uint32 seed)
{
	ribbon_dictionary_check_head(dictionary, head->bytes, head->nbytes);
	return ribbon_dictionary_add(dictionary, text, ntext, seed);
}

static void
remember(RibbonValueCache *cache, ValueBytes bytes, uint64 word, uint64 id,
		 const char *text, size_t ntext)
{
	size_t nbytes = bytes.nbytes;
	bool is_text = ntext == nbytes && memcmp(text, bytes.bytes, nbytes) == 0;
	size_t more = nbytes + (is_text ? 0 : ntext);
	CachedValue *added;
	char *copy;
	bool found;

	if (cache->values->members == MAX_VALUES ||
		cache->nbytes + more > MAX_BYTES)
		start_anew(cache);
	copy = MemoryContextAlloc(cache->context, Max(more, 1));
	memcpy(copy, bytes.bytes, nbytes);
	added = values_insert(cache->values, (ValueBytes){copy, nbytes}, &found);
	added->text = is_text ? copy : copy + nbytes;
	memcpy(added->text, text, ntext);
	added->ntext = (uint32) ntext;
	added->word = word;
	added->id = id;
	cache->nbytes += more;
}

uint64
ribbon_valuecache_word(RibbonValueCache *cache, RibbonValueType *value_type,
					   Datum value, RibbonDictionary *dictionary, uint64 id,
					   uint32 seed)
{
	ValueBytes bytes;
	CachedValue *cached;
	const char *text;
	size_t ntext;
	uint64 word;

	ribbon_valuecache_renew(cache, value_type);
	if (unlikely(cache->seed != seed))
	{
		start_anew(cache);
		cache->seed = seed;
	}

	bytes = get_bytes(value_type, &value);
	cached = values_lookup(cache->values, bytes);
	if (likely(cached != NULL))
	{
		if (cached->id != id)
			add_to(dictionary, &value_type->head, cached->text, cached->ntext,
				   seed);
		cached->id = id;
		return cached->word;
	}

	text = ribbon_valuetext_get(value_type, value, &ntext);
	word = add_to(dictionary, &value_type->head, text, ntext, seed);
	if (bytes.nbytes + ntext <= MAX_VALUE_BYTES)
		remember(cache, bytes, word, id, text, ntext);
	return word;
}
