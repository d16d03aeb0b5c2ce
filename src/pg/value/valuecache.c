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
 * What another command may have altered is forgotten (typehead.c), and a group
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
#define FIRST_SLOTS		64

typedef struct CachedValue
{
	uint64 hash; /* of its bytes */
	uint64 word; /* of its text */
	uint64 id;	 /* of the dictionary that it was put into last */
	char *bytes; /* NULL: there is none in this slot */
	char *text;
	uint32 nbytes;
	uint32 ntext;
} CachedValue;

struct RibbonValueCache
{
	MemoryContext context; /* of values; it is reset when there are too many */
	CachedValue *slots;
	uint32 nslots; /* a power of two */
	uint32 nvalues;
	size_t nbytes; /* of all values and texts */
	uint32 seed;   /* of the words */
	uint32 secret; /* seed of the values' hashes: those could be chosen */
};

/* The bytes that tell a value from others. */
typedef struct ValueBytes
{
	Datum word; /* of one that is by value */
	const char *bytes;
	size_t nbytes;
} ValueBytes;

static void start_anew(RibbonValueCache *cache);
static void get_bytes(const RibbonValueType *value_type, Datum *value,
					  ValueBytes *bytes);
static uint64 add_to(RibbonDictionary *dictionary, const RibbonTypeHead *head,
					 const char *text, size_t ntext, uint32 seed);
static CachedValue *find_cached(RibbonValueCache *cache,
								const ValueBytes *bytes, uint64 hash);
static void remember(RibbonValueCache *cache, const ValueBytes *bytes,
					 const CachedValue *value);
static void enlarge(RibbonValueCache *cache);

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
	if (unlikely(ribbon_typehead_renew(&value_type->head)))
		start_anew(cache);
}

uint64
ribbon_valuecache_word(RibbonValueCache *cache, RibbonValueType *value_type,
					   Datum value, RibbonDictionary *dictionary, uint64 id,
					   uint32 seed)
{
	ValueBytes bytes;
	CachedValue *cached;
	CachedValue made = {0};
	size_t ntext;

	ribbon_valuecache_renew(cache, value_type);
	if (unlikely(cache->seed != seed))
	{
		start_anew(cache);
		cache->seed = seed;
	}

	get_bytes(value_type, &value, &bytes);
	made.hash = ribbon_hash_bytes_seeded(bytes.bytes, bytes.nbytes,
										 cache->secret);
	cached = find_cached(cache, &bytes, made.hash);
	if (likely(cached->bytes != NULL))
	{
		if (cached->id != id)
			add_to(dictionary, &value_type->head, cached->text, cached->ntext,
				   seed);
		cached->id = id;
		return cached->word;
	}

	made.text = (char *) ribbon_valuetext_get(value_type, value, &ntext);
	made.word = add_to(dictionary, &value_type->head, made.text, ntext, seed);
	made.id = id;
	made.ntext = (uint32) ntext;
	if (bytes.nbytes + ntext <= MAX_VALUE_BYTES)
		remember(cache, &bytes, &made);
	return made.word;
}

static uint64
add_to(RibbonDictionary *dictionary, const RibbonTypeHead *head,
	   const char *text, size_t ntext, uint32 seed)
{
	ribbon_dictionary_check_head(dictionary, head->bytes, head->nbytes);
	return ribbon_dictionary_add(dictionary, text, ntext, seed);
}

static void
start_anew(RibbonValueCache *cache)
{
	MemoryContextReset(cache->context);
	cache->nslots = 0;
	cache->nvalues = 0;
	cache->nbytes = 0;
	cache->slots = MemoryContextAllocZero(cache->context,
										  FIRST_SLOTS * sizeof(CachedValue));
	cache->nslots = FIRST_SLOTS;
}

/* A value that is stored out of line is fetched, once. */
static void
get_bytes(const RibbonValueType *value_type, Datum *value, ValueBytes *bytes)
{
	if (value_type->by_value)
	{
		bytes->word = *value;
		bytes->bytes = (const char *) &bytes->word;
		bytes->nbytes = sizeof(Datum);
	}
	else if (value_type->length == -1)
	{
		struct varlena *varlena =
			ribbon_detoast((struct varlena *) DatumGetPointer(*value));

		*value = PointerGetDatum(varlena);
		bytes->bytes = VARDATA_ANY(varlena);
		bytes->nbytes = VARSIZE_ANY_EXHDR(varlena);
	}
	else
	{
		bytes->bytes = DatumGetPointer(*value);
		bytes->nbytes = value_type->length > 0 ? (size_t) value_type->length :
												 strlen(bytes->bytes);
	}
}

/* The slot of this value, or the free one where it would be. */
static CachedValue *
find_cached(RibbonValueCache *cache, const ValueBytes *bytes, uint64 hash)
{
	uint32 mask = cache->nslots - 1;
	uint32 i = (uint32) hash & mask;

	while (cache->slots[i].bytes != NULL &&
		   (cache->slots[i].hash != hash ||
			cache->slots[i].nbytes != bytes->nbytes ||
			memcmp(cache->slots[i].bytes, bytes->bytes, bytes->nbytes) != 0))
		i = (i + 1) & mask;
	return &cache->slots[i];
}

static void
remember(RibbonValueCache *cache, const ValueBytes *bytes,
		 const CachedValue *value)
{
	bool is_text = value->ntext == bytes->nbytes &&
		memcmp(value->text, bytes->bytes, bytes->nbytes) == 0;
	size_t more = bytes->nbytes + (is_text ? 0 : value->ntext);
	CachedValue added = *value;
	CachedValue *slot;

	if (cache->nvalues == MAX_VALUES || cache->nbytes + more > MAX_BYTES)
		start_anew(cache);
	else if (2 * (cache->nvalues + 1) > cache->nslots)
		enlarge(cache);

	added.bytes = MemoryContextAlloc(cache->context, Max(more, 1));
	memcpy(added.bytes, bytes->bytes, bytes->nbytes);
	added.nbytes = (uint32) bytes->nbytes;
	added.text = is_text ? added.bytes : added.bytes + bytes->nbytes;
	memcpy(added.text, value->text, value->ntext);

	slot = find_cached(cache, bytes, value->hash);
	*slot = added;
	cache->nvalues++;
	cache->nbytes += more;
}

static void
enlarge(RibbonValueCache *cache)
{
	uint32 nslots = 2 * cache->nslots;
	CachedValue *slots = MemoryContextAllocZero(cache->context,
												nslots * sizeof(CachedValue));

	for (uint32 old = 0; old < cache->nslots; old++)
		if (cache->slots[old].bytes != NULL)
		{
			uint32 i = (uint32) cache->slots[old].hash & (nslots - 1);

			while (slots[i].bytes != NULL)
				i = (i + 1) & (nslots - 1);
			slots[i] = cache->slots[old];
		}
	pfree(cache->slots);
	cache->slots = slots;
	cache->nslots = nslots;
}
