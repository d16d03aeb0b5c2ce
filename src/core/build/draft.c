/*
 * draft.c - the bytes of a filter while its layers are being solved
 */
#include "build/draft.h"

#include "format/format.h"

/* Drafts from this size on become the filter in place. */
#define LARGE ((size_t) 1 << 20)

RibbonStatus
ribbon_draft_create(const RibbonEnv *env, RibbonDraft *draft, size_t headroom,
					uint64_t nthresholds, uint64_t nslots)
{
	uint64_t first = (uint64_t) headroom + RIBBON_MAX_HEADER + nthresholds;

	memset(draft, 0, sizeof(*draft));
	draft->buffer = ribbon_alloc(env, first + nslots);
	if (draft->buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	draft->headroom = headroom;
	draft->first = (size_t) first;
	draft->size = (size_t) (first + nslots);
	return RIBBON_OK;
}

/* Make room for more bytes of slots. */
static RibbonStatus
reserve(const RibbonEnv *env, RibbonDraft *draft, uint64_t more)
{
	uint64_t size = draft->first + draft->used + more;
	RibbonStatus status;
	uint8_t *buffer;

	if (size <= draft->size)
		return RIBBON_OK;
	size += size / 8;
	buffer = ribbon_alloc(env, size);
	if (buffer == NULL)
		return RIBBON_OUT_OF_MEMORY;
	status = ribbon_copy(env, buffer + draft->first,
						 draft->buffer + draft->first, draft->used);
	ribbon_free(env, draft->buffer);
	draft->buffer = buffer;
	draft->size = (size_t) size;
	return status;
}

RibbonStatus
ribbon_draft_add_layer(const RibbonEnv *env, RibbonDraft *draft,
					   uint64_t nthresholds, uint64_t nslots, uint8_t **slots)
{
	int i = draft->nlayers;
	RibbonStatus status = reserve(env, draft, nslots);

	if (status != RIBBON_OK)
		return status;
	draft->thresholds[i] = ribbon_alloc(env, nthresholds);
	if (draft->thresholds[i] == NULL)
		return RIBBON_OUT_OF_MEMORY;
	draft->nthresholds[i] = (size_t) nthresholds;
	draft->nlayers++;
	*slots = draft->buffer + draft->first + draft->used;
	draft->used += (size_t) nslots;
	return ribbon_zero(env, *slots, (size_t) nslots);
}

void
ribbon_draft_drop_layer(const RibbonEnv *env, RibbonDraft *draft, size_t nslots)
{
	draft->used -= nslots;
	draft->nlayers--;
	ribbon_free(env, draft->thresholds[draft->nlayers]);
	draft->thresholds[draft->nlayers] = NULL;
}

RibbonStatus
ribbon_draft_add_slots(const RibbonEnv *env, RibbonDraft *draft,
					   const uint8_t *slots, size_t nslots)
{
	RibbonStatus status = reserve(env, draft, nslots);

	if (status != RIBBON_OK)
		return status;
	memcpy(draft->buffer + draft->first + draft->used, slots, nslots);
	draft->used += nslots;
	return RIBBON_OK;
}

RibbonStatus
ribbon_draft_finish(const RibbonEnv *env, RibbonDraft *draft,
					const uint8_t *header, size_t header_bytes, uint8_t **bytes,
					size_t *nbytes)
{
	uint8_t *buffer = draft->buffer;
	uint64_t slots_at = draft->headroom + header_bytes;
	size_t at = draft->headroom;
	RibbonStatus status;

	for (int i = 0; i < draft->nlayers; i++)
		slots_at += draft->nthresholds[i];
	if (draft->used < LARGE || slots_at > draft->first)
	{
		buffer = ribbon_alloc(env, slots_at + draft->used);
		if (buffer == NULL)
			return RIBBON_OUT_OF_MEMORY;
		status = ribbon_copy(env, buffer + slots_at,
							 draft->buffer + draft->first, draft->used);
		ribbon_free(env, draft->buffer);
		draft->buffer = buffer;
	}
	else
		status = ribbon_copy(env, buffer + slots_at, buffer + draft->first,
							 draft->used);
	if (status != RIBBON_OK)
		return status;

	memcpy(buffer + at, header, header_bytes);
	at += header_bytes;
	for (int i = 0; i < draft->nlayers; i++)
	{
		memcpy(buffer + at, draft->thresholds[i], draft->nthresholds[i]);
		at += draft->nthresholds[i];
	}
	*bytes = buffer;
	*nbytes = at + draft->used - draft->headroom;
	draft->buffer = NULL;
	return RIBBON_OK;
}

void
ribbon_draft_free(const RibbonEnv *env, RibbonDraft *draft)
{
	ribbon_free(env, draft->buffer);
	for (int i = 0; i < draft->nlayers; i++)
		ribbon_free(env, draft->thresholds[i]);
	memset(draft, 0, sizeof(*draft));
}
