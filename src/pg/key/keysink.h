/*
 * keysink.h - canonical bytes that are hashed while they are made
 *
 * The canonical form of a value with parts may be longer than the value.  So it
 * is fed to the hash function piece by piece, by way of a buffer.
 */
#ifndef RIBBON_KEYSINK_H
#define RIBBON_KEYSINK_H

#include "key/keyform.h"

#include "base/ribbon_xxhash.h"

#define RIBBON_SINK_BYTES 512

/* What is not hashed yet, and the hash of what came before it. */
typedef struct RibbonKeySink
{
	size_t used;
	bool both; /* are both hashes asked for? */
	bool started;
	uint8_t buffer[RIBBON_SINK_BYTES];
	XXH3_state_t first;	  /* if started; */
	XXH64_state_t second; /* if both are asked for, too */
} RibbonKeySink;

static inline void
ribbon_keysink_begin(RibbonKeySink *sink, bool both)
{
	sink->used = 0;
	sink->both = both;
	sink->started = false;
}

/* Hash bytes of a form that is longer than the buffer. */
static inline void
ribbon_keysink_feed(RibbonKeySink *sink, const void *bytes, size_t size)
{
	XXH3_64bits_update(&sink->first, bytes, size);
	if (sink->both)
		XXH64_update(&sink->second, bytes, size);
}

/* Add bytes to the form. */
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

/* The hash, or both, of all that was added. */
static inline void
ribbon_keysink_hash(RibbonKeySink *sink, RibbonKeyHashes *out)
{
	if (!sink->started)
	{
		ribbon_keyform_hash(sink->buffer, sink->used, sink->both, out);
		return;
	}
	ribbon_keysink_feed(sink, sink->buffer, sink->used);
	out->first = XXH3_64bits_digest(&sink->first);
	if (sink->both)
		out->second = XXH64_digest(&sink->second);
}

#endif /* RIBBON_KEYSINK_H */
