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
	uint32 seed; /* of the hash */
	bool started;
	uint8_t buffer[RIBBON_SINK_BYTES];
	XXH3_state_t state; /* if started */
} RibbonKeySink;

static inline void
ribbon_keysink_begin(RibbonKeySink *sink, uint32 seed)
{
	sink->used = 0;
	sink->seed = seed;
	sink->started = false;
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
		XXH3_64bits_reset_withSeed(&sink->state, sink->seed);
	sink->started = true;
	XXH3_64bits_update(&sink->state, sink->buffer, sink->used);
	XXH3_64bits_update(&sink->state, bytes, size);
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
	number = ribbon_little32(number);
	ribbon_keysink_bytes(sink, &number, sizeof(number));
}

/* So many bytes, and before them their number. */
static inline void
ribbon_keysink_counted(RibbonKeySink *sink, const void *bytes, size_t size)
{
	ribbon_keysink_number(sink, (uint32) size);
	ribbon_keysink_bytes(sink, bytes, size);
}

/* The hash of all that was added. */
static inline uint64_t
ribbon_keysink_hash(RibbonKeySink *sink)
{
	if (!sink->started)
		return ribbon_hash_bytes_seeded(sink->buffer, sink->used, sink->seed);
	XXH3_64bits_update(&sink->state, sink->buffer, sink->used);
	return XXH3_64bits_digest(&sink->state);
}

#endif /* RIBBON_KEYSINK_H */
