/*
 * bytes.c - bytes of a filter in a buffer that has room in front and behind
 */
#include "construct/bytes.h"

RibbonStatus
ribbon_bytes_create(const RibbonEnv *env, RibbonBytes *bytes, uint64_t front,
					uint64_t more)
{
	bytes->buffer = ribbon_alloc(env, front + more);
	if (bytes->buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	bytes->begin = bytes->end = (size_t) front;
	bytes->limit = (size_t) (front + more);
	return RIBBON_OK;
}

/* Move the bytes to another buffer, with front bytes before them. */
static RibbonStatus
move(const RibbonEnv *env, RibbonBytes *bytes, uint64_t front, uint64_t limit)
{
	size_t n = bytes->end - bytes->begin;
	RibbonBytes moved;
	RibbonStatus status = ribbon_bytes_create(env, &moved, front,
											  limit - front);

	if (status != RIBBON_OK)
		return status;
	status = ribbon_copy(env, moved.buffer + moved.begin,
						 bytes->buffer + bytes->begin, n);
	moved.end += n;
	ribbon_free(env, bytes->buffer);
	*bytes = moved;
	return status;
}

RibbonStatus
ribbon_bytes_reserve(const RibbonEnv *env, RibbonBytes *bytes, uint64_t more)
{
	uint64_t limit = bytes->end + more;

	return limit <= bytes->limit ?
		RIBBON_OK :
		move(env, bytes, bytes->begin, limit + limit / 8);
}

RibbonStatus
ribbon_bytes_add(const RibbonEnv *env, RibbonBytes *bytes,
				 const RibbonBytes *more)
{
	size_t n = more->end - more->begin;
	RibbonStatus status;

	if (bytes->buffer == NULL)
	{
		*bytes = *more;
		return RIBBON_OK;
	}
	status = ribbon_bytes_reserve(env, bytes, n);
	if (status == RIBBON_OK)
	{
		status = ribbon_copy(env, bytes->buffer + bytes->end,
							 more->buffer + more->begin, n);
		bytes->end += n;
	}
	ribbon_free(env, more->buffer);
	return status;
}

void
ribbon_bytes_of_head(const RibbonPlane *plane, const RibbonValues *values,
					 const RibbonCodes *codes, uint8_t head[RIBBON_MAX_HEAD],
					 RibbonPrefix *prefixes)
{
	size_t n = ribbon_format_encode_head(plane, values, codes, head);

	prefixes[0] = (RibbonPrefix){head, n};
	prefixes[1] = (RibbonPrefix){NULL, 0};
	if (values != NULL)
		prefixes[1] = (RibbonPrefix){values->dictionary, values->ndictionary};
}

RibbonStatus
ribbon_bytes_finish(const RibbonEnv *env, RibbonBytes *bytes, size_t headroom,
					const RibbonPrefix *prefixes, unsigned nprefixes)
{
	size_t n = bytes->end - bytes->begin;
	size_t at = headroom;
	uint64_t front = headroom;
	RibbonStatus status;

	for (unsigned i = 0; i < nprefixes; i++)
		front += prefixes[i].n;
	if (front > bytes->begin)
		status = move(env, bytes, front, front + (bytes->limit - bytes->begin));
	else
		status = ribbon_copy(env, bytes->buffer + front,
							 bytes->buffer + bytes->begin, n);
	for (unsigned i = 0; i < nprefixes && status == RIBBON_OK; i++)
	{
		status = ribbon_copy(env, bytes->buffer + at, prefixes[i].bytes,
							 prefixes[i].n);
		at += prefixes[i].n;
	}
	bytes->begin = headroom;
	bytes->end = (size_t) front + n;
	return status;
}

void
ribbon_bytes_discard(const RibbonEnv *env, RibbonBytes *bytes)
{
	ribbon_free(env, bytes->buffer);
	memset(bytes, 0, sizeof(*bytes));
}
