/*
 * bytes.h - bytes of a filter in a buffer that has room in front and behind
 *
 * What stands first in a filter, its head and headers, is known last.  So
 * bodies are put into a buffer one behind the other, with room in front of
 * them; in the end these prefixes are written, and all moves up.  A filter of 1
 * GB is in memory once.
 *
 *----------
 *	 while built	 |headroom|     room     |body 0|body 1|  room  |
 *	                                         begin         end      limit
 *	 finished		 |headroom|head|headers|body 0|body 1|
 *	                          begin                      end
 *----------
 *
 * Errors of all functions: RIBBON_OUT_OF_MEMORY, RIBBON_INTERRUPTED.  After a
 * failure there is still ribbon_bytes_discard to be called.
 */
#ifndef RIBBON_BYTES_H
#define RIBBON_BYTES_H

#include "base/env.h"

/* Begins zeroed: no buffer, and no bytes. */
typedef struct RibbonBytes
{
	uint8_t *buffer;
	size_t begin, end; /* of the bytes, in the buffer */
	size_t limit;	   /* size of the buffer */
} RibbonBytes;

static inline size_t
ribbon_bytes_size(const RibbonBytes *bytes)
{
	return bytes->end - bytes->begin;
}

/* Begin a buffer: room for so many bytes before what comes, and for more. */
extern RibbonStatus ribbon_bytes_create(const RibbonEnv *env,
										RibbonBytes *bytes, uint64_t before,
										uint64_t more);

/*
 * Add n bytes behind what there is: *place, zeroed, where they are until more
 * is added.  The buffer may move then, and it grows by more than that.
 */
extern RibbonStatus ribbon_bytes_extend(const RibbonEnv *env,
										RibbonBytes *bytes, uint64_t n,
										uint8_t **place);

/*
 * Put more behind what there is.  Its buffer is taken over if there is none
 * yet, else freed, after a failure too.
 */
extern RibbonStatus ribbon_bytes_add(const RibbonEnv *env, RibbonBytes *bytes,
									 const RibbonBytes *more);

/* Bytes that are to stand in front. */
typedef struct RibbonPrefix
{
	const uint8_t *bytes; /* not in the buffer */
	size_t n;
} RibbonPrefix;

/*
 * Put prefixes[0..nprefixes) in front of what there is, and leave so many
 * bytes, or more, before them.  The room behind gets no smaller.
 */
extern RibbonStatus ribbon_bytes_prepend(const RibbonEnv *env,
										 RibbonBytes *bytes, uint64_t before,
										 const RibbonPrefix *prefixes,
										 unsigned nprefixes);

/* Move the bytes to headroom, which is begin or less: it becomes begin. */
extern RibbonStatus ribbon_bytes_move_up(const RibbonEnv *env,
										 RibbonBytes *bytes, size_t headroom);

/* Set *best to what is smaller, of what there is, and free the other. */
extern void ribbon_bytes_keep_smaller(const RibbonEnv *env, RibbonBytes *best,
									  const RibbonBytes *bytes);

extern void ribbon_bytes_discard(const RibbonEnv *env, RibbonBytes *bytes);

#endif /* RIBBON_BYTES_H */
