/*
 * output.c - the bytes of a filter while its layers are being solved
 */
#include "construct/output.h"

#include "format/format.h"

RibbonStatus
ribbon_output_create(const RibbonEnv *env, RibbonOutput *output,
					 size_t headroom, size_t tailroom, uint64_t nthresholds,
					 uint64_t nslots)
{
	uint64_t first = (uint64_t) headroom + RIBBON_MAX_HEADER + nthresholds;
	uint64_t size = first + nslots + tailroom;

	memset(output, 0, sizeof(*output));
	output->buffer = ribbon_alloc(env, size);
	if (output->buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	output->headroom = headroom;
	output->tailroom = tailroom;
	output->first = (size_t) first;
	output->size = (size_t) size;
	return RIBBON_OK;
}

/* Move the slots to a buffer of this size, with first bytes before them. */
static RibbonStatus
move_slots(const RibbonEnv *env, RibbonOutput *output, uint64_t first,
		   uint64_t size)
{
	uint8_t *buffer = ribbon_alloc(env, size);
	RibbonStatus status;

	if (buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_copy(env, buffer + first, output->buffer + output->first,
						 output->used);
	ribbon_free(env, output->buffer);
	output->buffer = buffer;
	output->first = (size_t) first;
	output->size = (size_t) size;
	return status;
}

/* Make room for more bytes of slots; the buffer may move. */
static RibbonStatus
reserve(const RibbonEnv *env, RibbonOutput *output, uint64_t more)
{
	uint64_t size = output->first + output->used + more + output->tailroom;

	return size <= output->size ?
		RIBBON_OK :
		move_slots(env, output, output->first, size + size / 8);
}

RibbonStatus
ribbon_output_add_layer(const RibbonEnv *env, RibbonOutput *output,
						uint64_t nthresholds, uint64_t nslots, uint8_t **slots)
{
	int i = output->nlayers;
	RibbonStatus status = reserve(env, output, nslots);

	if (status != RIBBON_OK)
		return status;
	output->thresholds[i] = ribbon_alloc(env, nthresholds);
	if (output->thresholds[i] == NULL)
		return RIBBON_OUT_OF_MEMORY;
	output->nthresholds[i] = (size_t) nthresholds;
	output->nlayers++;
	*slots = output->buffer + output->first + output->used;
	output->used += (size_t) nslots;
	return ribbon_zero(env, *slots, (size_t) nslots);
}

void
ribbon_output_drop_layer(const RibbonEnv *env, RibbonOutput *output,
						 size_t nslots)
{
	output->used -= nslots;
	output->nlayers--;
	ribbon_free(env, output->thresholds[output->nlayers]);
	output->thresholds[output->nlayers] = NULL;
}

RibbonStatus
ribbon_output_add_slots(const RibbonEnv *env, RibbonOutput *output,
						const uint8_t *slots, size_t nslots)
{
	RibbonStatus status = reserve(env, output, nslots);

	if (status != RIBBON_OK)
		return status;
	memcpy(output->buffer + output->first + output->used, slots, nslots);
	output->used += nslots;
	return RIBBON_OK;
}

RibbonStatus
ribbon_output_finish(const RibbonEnv *env, RibbonOutput *output,
					 const uint8_t *header, size_t nheader, RibbonBytes *bytes)
{
	uint64_t slots_at = output->headroom + nheader;
	size_t at = output->headroom;
	uint8_t *buffer;
	RibbonStatus status;

	for (int i = 0; i < output->nlayers; i++)
		slots_at += output->nthresholds[i];
	if (slots_at > output->first) /* more thresholds than expected */
		status = move_slots(env, output, slots_at,
							slots_at + output->used + output->tailroom);
	else
		status = ribbon_copy(env, output->buffer + slots_at,
							 output->buffer + output->first, output->used);
	if (status != RIBBON_OK)
		return status;

	buffer = output->buffer;
	memcpy(buffer + at, header, nheader);
	at += nheader;
	for (int i = 0; i < output->nlayers; i++)
	{
		memcpy(buffer + at, output->thresholds[i], output->nthresholds[i]);
		at += output->nthresholds[i];
	}
	*bytes = (RibbonBytes){buffer, output->headroom, at + output->used,
						   output->size, nheader};
	output->buffer = NULL;
	return RIBBON_OK;
}

RibbonStatus
ribbon_output_write_head(const RibbonEnv *env, const RibbonPlane *plane,
						 const RibbonValues *values, uint8_t *out)
{
	size_t size = ribbon_format_encode_head(plane, values, NULL, out);

	if (values == NULL || values->ndictionary == 0)
		return RIBBON_OK;
	return ribbon_copy(env, out + size, values->dictionary,
					   values->ndictionary);
}

RibbonStatus
ribbon_output_head(const RibbonEnv *env, const RibbonPlane *plane,
				   const RibbonValues *values, size_t headroom,
				   RibbonBytes *bytes)
{
	uint64_t ndictionary = values == NULL ? 0 : values->ndictionary;
	uint8_t head[RIBBON_MAX_HEAD];
	RibbonStatus status;

	bytes->buffer = ribbon_alloc(env, headroom + RIBBON_MAX_HEAD + ndictionary);
	if (bytes->buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	bytes->begin = headroom;
	bytes->limit = bytes->end = headroom + (size_t) ndictionary +
		ribbon_format_encode_head(plane, values, NULL, head);
	status = ribbon_output_write_head(env, plane, values,
									  bytes->buffer + headroom);
	if (status != RIBBON_OK)
		ribbon_bytes_free(env, bytes);
	return status;
}

RibbonStatus
ribbon_bytes_add(const RibbonEnv *env, RibbonBytes *bytes,
				 const RibbonBytes *more)
{
	size_t n = more->end - more->begin;
	RibbonStatus status = RIBBON_OK;

	if (bytes->buffer == NULL)
	{
		*bytes = *more;
		return RIBBON_OK;
	}
	if (n > bytes->limit - bytes->end)
	{
		uint64_t limit = (uint64_t) bytes->end + n + n / 8;
		uint8_t *larger = ribbon_alloc(env, limit);

		status = larger == NULL ?
			RIBBON_OUT_OF_MEMORY :
			ribbon_copy(env, larger, bytes->buffer, bytes->end);
		ribbon_free(env, bytes->buffer);
		bytes->buffer = larger;
		bytes->limit = (size_t) limit;
	}
	if (status == RIBBON_OK)
		status = ribbon_copy(env, bytes->buffer + bytes->end,
							 more->buffer + more->begin, n);
	bytes->end += n;
	ribbon_free(env, more->buffer);
	return status;
}

RibbonStatus
ribbon_bytes_give(const RibbonEnv *env, const RibbonBytes *bytes,
				  RibbonStatus status, uint8_t **buffer, size_t *nbytes)
{
	if (status == RIBBON_OK)
	{
		*buffer = bytes->buffer;
		*nbytes = bytes->end - bytes->begin;
	}
	else
		ribbon_free(env, bytes->buffer);
	return status;
}

void
ribbon_output_free(const RibbonEnv *env, RibbonOutput *output)
{
	ribbon_free(env, output->buffer);
	for (int i = 0; i < output->nlayers; i++)
		ribbon_free(env, output->thresholds[i]);
	memset(output, 0, sizeof(*output));
}
