/*
 * keysink.h - canonical bytes that are hashed while they are made
 *
 * The canonical form of a value with others inside (ribbon_keyform_is_nested)
 * may be longer than the value.  So it is fed to the hash function piece by
 * piece, by way of a buffer.  Any other key is one piece, and hashed where it
 * lies.
 */
#ifndef RIBBON_KEYSINK_H
#define RIBBON_KEYSINK_H

#include "key/keytype.h"
#include "key/ribbonkey.h"

#include "base/bits.h"
#include "keys/hashes.h"
#include "keys/ribbon_xxhash.h"

#define RIBBON_SINK_BYTES 512

/* What is not hashed yet, and the hash of what came before it. */
typedef struct RibbonKeySink
{
	RibbonKeyHashes *out; /* where the hashes of the key go */
	bool both;			  /* are both asked for? */
	bool nested;		  /* the key's form is; else all is put at once */
	bool started;
	size_t used;
	uint8_t buffer[RIBBON_SINK_BYTES];
	XXH3_state_t first;	  /* if started; */
	XXH64_state_t second; /* if both are asked for, too */
} RibbonKeySink;

/*
 * keyform.c: put a value of a form without parts.  If it is the key, its hashes
 * are set.
 */
extern void ribbon_keyform_put(RibbonKeySink *sink,
							   const RibbonKeyType *key_type, Datum value);

/* The same for characters, and for a numeric. */
extern void ribbon_keyform_put_characters(RibbonKeySink *sink,
										  const char *characters, size_t size);
extern void ribbon_keyform_put_numeric(RibbonKeySink *sink, Datum number);

/* Characters in UTF-8, and their number: where they lie, or in new memory. */
extern char *ribbon_keyform_convert(const char *characters, size_t *size);

/* keynest.c: put a value of a form with others inside.  Returns its class. */
extern int ribbon_keynest_put(RibbonKeySink *sink, RibbonKeyType *key_type,
							  Datum value);

/* keyjson.c: put a jsonb. */
extern void ribbon_keyjson_put(RibbonKeySink *sink, Datum value);

/* Hash canonical bytes that lie in one place. */
static inline void
ribbon_keysink_hash_bytes(const void *bytes, size_t size, bool both,
						  RibbonKeyHashes *out)
{
	out->first = ribbon_hash_bytes(bytes, size);
	if (both)
		out->second = ribbon_hash_second_bytes(bytes, size);
}

/* Hash bytes of a form that is longer than the buffer. */
static inline void
ribbon_keysink_feed(RibbonKeySink *sink, const void *bytes, size_t size)
{
	XXH3_64bits_update(&sink->first, bytes, size);
	if (sink->both)
		XXH64_update(&sink->second, bytes, size);
}

/* Add bytes to a nested form. */
static inline void
ribbon_keysink_bytes(RibbonKeySink *sink, const void *bytes, size_t size)
{
	if (likely(size <= RIBBON_SINK_BYTES - sink->used))
	{
		memcpy(sink->buffer + sink->used, bytes, size);
		sink->used += size;
		return;
	}

	if (!sink->started)
	{
		XXH3_64bits_reset(&sink->first);
		XXH64_reset(&sink->second, 0);
	}
	sink->started = true;
	ribbon_keysink_feed(sink, sink->buffer, sink->used);
	ribbon_keysink_feed(sink, bytes, size);
	sink->used = 0;
}

static inline void
ribbon_keysink_byte(RibbonKeySink *sink, uint8_t byte)
{
	ribbon_keysink_bytes(sink, &byte, 1);
}

static inline void
ribbon_keysink_number(RibbonKeySink *sink, uint32 number)
{
	uint64 little = ribbon_little64(number);

	ribbon_keysink_bytes(sink, &little, sizeof(number));
}

/* So many bytes, and before them their number. */
static inline void
ribbon_keysink_counted(RibbonKeySink *sink, const void *bytes, size_t size)
{
	ribbon_keysink_number(sink, (uint32) size);
	ribbon_keysink_bytes(sink, bytes, size);
}

/* Set the hashes of a nested form, all of which has been added. */
static inline void
ribbon_keysink_finish(RibbonKeySink *sink)
{
	if (!sink->started)
	{
		ribbon_keysink_hash_bytes(sink->buffer, sink->used, sink->both,
								  sink->out);
		return;
	}
	ribbon_keysink_feed(sink, sink->buffer, sink->used);
	sink->out->first = XXH3_64bits_digest(&sink->first);
	if (sink->both)
		sink->out->second = XXH64_digest(&sink->second);
}

/* Free a value if detoasting has copied it. */
static inline void
ribbon_keysink_free_copy(void *value, Datum datum)
{
	if (value != DatumGetPointer(datum))
		pfree(value);
}

#endif /* RIBBON_KEYSINK_H */
