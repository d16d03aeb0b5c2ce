/*
 * bytes.c - bytes of a filter in a buffer that has room in front and behind
 */
#include "construct/bytes.h"

RibbonStatus
ribbon_bytes_create(const RibbonEnv *env, RibbonBytes *bytes, uint64_t before,
					uint64_t more)
{
	bytes->buffer = ribbon_alloc(env, before + more);
	if (bytes->buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	bytes->begin = bytes->end = (size_t) before;
	bytes->limit = (size_t) (before + more);
	return RIBBON_OK;
}

/* Move the bytes to another buffer, with so many bytes before them. */
static RibbonStatus
move_bytes(const RibbonEnv *env, RibbonBytes *bytes, uint64_t before,
		   uint64_t limit)
{
	size_t n = ribbon_bytes_size(bytes);
	RibbonBytes moved;
	RibbonStatus status = ribbon_bytes_create(env, &moved, before,
											  limit - before);

	if (status != RIBBON_OK)
		return status;
	if (n > 0)
		status = ribbon_copy(env, moved.buffer + moved.begin,
							 bytes->buffer + bytes->begin, n);
	moved.end += n;
	ribbon_free(env, bytes->buffer);
	*bytes = moved;
	return status;
}

/* Have room for more behind; the buffer may move, and grow beyond that. */
static RibbonStatus
make_bytes_room(const RibbonEnv *env, RibbonBytes *bytes, uint64_t more)
{
	uint64_t limit = bytes->end + more;

	return limit <= bytes->limit ?
		RIBBON_OK :
		move_bytes(env, bytes, bytes->begin, limit + limit / 8);
}

RibbonStatus
ribbon_bytes_extend(const RibbonEnv *env, RibbonBytes *bytes, uint64_t n,
					uint8_t **place)
{
	RibbonStatus status = make_bytes_room(env, bytes, n);

	if (status != RIBBON_OK)
		return status;
	*place = bytes->buffer + bytes->end;
	bytes->end += (size_t) n;
	return ribbon_zero(env, *place, (size_t) n);
}

RibbonStatus
ribbon_bytes_add(const RibbonEnv *env, RibbonBytes *bytes,
				 const RibbonBytes *more)
{
	size_t n = ribbon_bytes_size(more);
	RibbonStatus status;

	if (bytes->buffer == NULL)
	{
		*bytes = *more;
		return RIBBON_OK;
	}
	status = make_bytes_room(env, bytes, n);
	if (status == RIBBON_OK)
	{
		status = ribbon_copy(env, bytes->buffer + bytes->end,
							 more->buffer + more->begin, n);
		bytes->end += n;
	}
	ribbon_free(env, more->buffer);
	return status;
}

RibbonStatus
ribbon_bytes_prepend(const RibbonEnv *env, RibbonBytes *bytes, uint64_t before,
					 const RibbonPrefix *prefixes, unsigned nprefixes)
{
	size_t n = 0;
	uint8_t *to;
	RibbonStatus status = RIBBON_OK;

	for (unsigned i = 0; i < nprefixes; i++)
		n += prefixes[i].n;
	if (before + n > bytes->begin)
		status = move_bytes(env, bytes, before + n,
							before + n + (bytes->limit - bytes->begin));
	if (status != RIBBON_OK)
		return status;
	bytes->begin -= n;
	to = bytes->buffer + bytes->begin;
	for (unsigned i = 0; i < nprefixes && status == RIBBON_OK; i++)
	{
		status = ribbon_copy(env, to, prefixes[i].bytes, prefixes[i].n);
		to += prefixes[i].n;
	}
	return status;
}

RibbonStatus
ribbon_bytes_move_up(const RibbonEnv *env, RibbonBytes *bytes, size_t headroom)
{
	size_t n = ribbon_bytes_size(bytes);
	RibbonStatus status = ribbon_copy(env, bytes->buffer + headroom,
									  bytes->buffer + bytes->begin, n);

	bytes->begin = headroom;
	bytes->end = headroom + n;
	return status;
}

void
ribbon_bytes_keep_smaller(const RibbonEnv *env, RibbonBytes *best,
						  const RibbonBytes *bytes)
{
	bool smaller = bytes->buffer != NULL &&
		(best->buffer == NULL ||
		 ribbon_bytes_size(bytes) < ribbon_bytes_size(best));

	ribbon_free(env, smaller ? best->buffer : bytes->buffer);
	if (smaller)
		*best = *bytes;
}

void
ribbon_bytes_discard(const RibbonEnv *env, RibbonBytes *bytes)
{
	ribbon_free(env, bytes->buffer);
	memset(bytes, 0, sizeof(*bytes));
}
